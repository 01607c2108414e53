package conformance_test

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/conformance/spec"
	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/suite"
)

// This library answers every vector as the real code does, except for the known
// differences.
func TestVectorsPass(t *testing.T) {
	target := suite.NewHandler(whole.New(), protocol.Ops()...)
	report, err := suite.Run(context.Background(), loadVectors(t), target,
		suite.Lists{Known: knownDifferences(t)})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := report.WriteText(&text, 10); err != nil {
		t.Fatal(err)
	}
	t.Log(text.String())
	if !report.OK() {
		t.Error("not every vector passes")
	}
}

// namedRefusal matches a statement that names the rule which refuses.
var namedRefusal = regexp.MustCompile(`refused\s+(?:by\s+|\()\[([A-Z]+-\w+)\]`)

// Where a statement of the specification names the rule that refuses, a vector
// of the statement is refused by that rule.
func TestNamedRefusals(t *testing.T) {
	vectors, seen := loadVectors(t), 0
	for _, chapter := range spec.Chapters() {
		for _, rule := range chapter.Rules {
			for _, named := range namedRefusal.FindAllStringSubmatch(rule.Statement, -1) {
				seen++
				if !slices.ContainsFunc(vectors, func(v suite.Vector) bool {
					return v.Rule == rule.ID && slices.Contains(rulesOfErrors(t, v), named[1])
				}) {
					t.Errorf("%s: no vector of it is refused by %s", rule.ID, named[1])
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no statement names a refusal")
	}
}

// rulesOfErrors returns the rules of the errors with which this library answers
// a vector.
func rulesOfErrors(t *testing.T, v suite.Vector) (rules []string) {
	t.Helper()
	request, err := v.ProtocolRequest()
	if err != nil {
		t.Fatal(err)
	}
	line := protocol.AnswerRequest(t.Context(), request, whole.New()).AppendJSON(nil)
	var answer struct{ Errors []struct{ Rule string } }
	if err := json.Unmarshal(line, &answer); err != nil {
		t.Fatalf("%s: %v in %s", v.ID, err, line)
	}
	for _, err := range answer.Errors {
		rules = append(rules, err.Rule)
	}
	return rules
}
