package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/suite"
	"github.com/crdsem/crdsem/internal/test/vectors"
)

// readVectors reads the vectors once for all tests.
var readVectors = sync.OnceValues(func() ([]suite.Vector, error) {
	return suite.Load(os.DirFS("vectors/eval"))
})

// loadVectors returns a list of the vectors. Their requests must not be
// changed.
func loadVectors(t *testing.T) []suite.Vector {
	t.Helper()
	all, err := readVectors()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 6000 {
		t.Fatalf("only %d vectors", len(all))
	}
	return slices.Clone(all)
}

func loadCases(t *testing.T) []suite.Case {
	t.Helper()
	cases, err := suite.LoadCases(os.DirFS("vectors/other"))
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 200 {
		t.Fatalf("only %d cases", len(cases))
	}
	return cases
}

// heading holds what vectors and cases have in common.
type heading struct {
	file, id, rule, description string
	answers                     []json.RawMessage
}

func headings(t *testing.T) []heading {
	t.Helper()
	var list []heading
	for _, v := range loadVectors(t) {
		list = append(
			list,
			heading{
				v.Group,
				v.ID,
				v.Rule,
				v.Description,
				append([]json.RawMessage{v.Want}, v.Or...),
			},
		)
	}
	for _, c := range loadCases(t) {
		list = append(
			list,
			heading{
				c.Kind,
				c.ID,
				c.Rule,
				c.Description,
				append([]json.RawMessage{c.Want}, c.Or...),
			},
		)
	}
	return list
}

func TestVectorsAreNamedWell(t *testing.T) {
	idForm := regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	ids, descriptions := map[string]bool{}, map[string]bool{}
	for _, v := range headings(t) {
		if ids[v.id] || !idForm.MatchString(v.id) {
			t.Errorf("%s: an id is unique and plain: %q", v.file, v.id)
		}
		if descriptions[v.description] || v.description == "" || len(v.description) > 70 ||
			strings.Contains(v.description, "should") {
			t.Errorf("%s: a description is unique, short, and states what happens: %q", v.id,
				v.description)
		}
		if v.description == v.id || strings.HasPrefix(v.description, "…") {
			t.Errorf("%s: a description is no name, and does not go on from another: %q", v.id,
				v.description)
		}
		ids[v.id], descriptions[v.description] = true, true
	}
}

func TestVectorsShowKnownRules(t *testing.T) {
	known := map[string]bool{}
	for _, rule := range loadRules(t) {
		known[rule.ID] = true
	}
	for _, v := range headings(t) {
		if !known[v.rule] {
			t.Errorf("%s: no such rule: %s", v.id, v.rule)
		}
	}
	for _, v := range loadVectors(t) {
		if prefix, _, _ := strings.Cut(v.Rule, "-"); groupOf(prefix) != v.Group {
			t.Errorf("%s: rule %s is not of group %s", v.ID, v.Rule, v.Group)
		}
	}
}

// Every rule has vectors, or a reason to have none. A rule about writes and
// conversion has three: what a patch or an apply does shows in no single one.
func TestEveryRuleIsShown(t *testing.T) {
	var shown []string
	for _, folder := range []string{"vectors/eval", "vectors/other"} {
		more, err := suite.RulesShown(os.DirFS(folder))
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, more...)
	}
	for _, c := range suite.Coverage(loadRules(t), shown) {
		if !c.OK() {
			t.Errorf("%s: %d vectors, reason to have none: %q", c.ID, c.Vectors, c.Why)
		}
		chapter, _, _ := strings.Cut(c.ID, "-")
		writes := slices.Contains([]string{"MRG", "PIPE", "CONV"}, chapter)
		if writes && c.Why == "" && c.Vectors < 3 {
			t.Errorf("%s: %d vectors, want 3", c.ID, c.Vectors)
		}
	}
}

func loadRules(t *testing.T) []suite.Rule {
	t.Helper()
	doc, err := os.ReadFile("vectors/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := suite.ParseRules(doc)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// groupOf returns the group of the rules of a chapter, e.g. cel for CEL.
// Windows does not allow files with the name prn.
func groupOf(prefix string) string {
	if prefix == "PRN" {
		return "prune"
	}
	return strings.ToLower(prefix)
}

// Each part has vectors, and each profile has the parts of the one before and
// more.
func TestPartsHaveVectors(t *testing.T) {
	parts := map[suite.Part]int{}
	for _, v := range loadVectors(t) {
		parts[v.Part]++
	}
	for _, part := range suite.Parts() {
		if parts[part] < 30 {
			t.Errorf("%s: %d vectors", part, parts[part])
		}
		delete(parts, part)
	}
	if len(parts) > 0 {
		t.Errorf("parts that are not listed: %v", parts)
	}
	smaller := 0
	for _, p := range suite.Profiles() {
		vectors, err := suite.InProfile(p.Name, loadVectors(t))
		if err != nil || len(vectors) <= smaller {
			t.Errorf("%s: %d vectors, %v", p.Name, len(vectors), err)
		}
		smaller = len(vectors)
		t.Logf("%s: %d vectors of %v", p.Name, len(vectors), p.Parts)
	}
}

func TestVectorsHaveAnswers(t *testing.T) {
	for _, v := range headings(t) {
		for _, answer := range v.answers {
			canonical, err := suite.Canonical(answer)
			if err != nil {
				t.Errorf("%s: %v", v.id, err)
			} else if string(canonical) != string(answer) {
				t.Errorf("%s: the answer is not in its canonical form: record it again", v.id)
			}
		}
		var answer map[string]json.RawMessage
		if json.Unmarshal(v.answers[0], &answer) == nil && answer["fault"] != nil &&
			!strings.HasPrefix(string(answer["fault"]), `"panic: `) {
			t.Errorf("%s: the real code cannot answer: %s", v.id, answer["fault"])
		}
	}
}

func TestKindsAreDescribed(t *testing.T) {
	readme, err := os.ReadFile("vectors/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range loadCases(t) {
		if !strings.Contains(string(readme), "| `"+c.Kind+"` |") {
			t.Fatalf("kind %q is not described", c.Kind)
		}
	}
}

// Some test of the library asks for the cases of every kind.
func TestKindsAreTested(t *testing.T) {
	untested := map[string]bool{}
	for _, c := range loadCases(t) {
		untested[c.Kind] = true
	}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == filepath.Join("..", "conformance"):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for kind := range untested {
			if strings.Contains(string(text), `](t, "`+kind+`")`) {
				delete(untested, kind)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for kind := range untested {
		t.Errorf("no package asks the library for the cases of kind %s", kind)
	}
}

// The answers do not depend on how a runner writes the requests: on white
// space, the order of members, or escapes. Input whose spelling matters is
// given as a string of text.
func TestVectorsDoNotDependOnSpelling(t *testing.T) {
	respelled, handler := 0, whole.New()
	for _, v := range loadVectors(t) {
		req, err := v.ProtocolRequest()
		if err != nil {
			t.Fatal(err)
		}
		if req.Op != protocol.OpAdmit && req.Op != protocol.OpCRD || vectors.IsHeavy(v.ID) {
			continue // answers of other ops do not show the text of their input
		}
		line := respell(t, v.Request)
		answer := protocol.AnswerLine(context.Background(), line, handler).AppendJSON(nil)
		plain := protocol.AnswerRequest(context.Background(), req, handler).AppendJSON(nil)
		if difference, err := suite.Difference(plain, answer); err != nil || difference != "" {
			t.Errorf("%s: %v %s", v.ID, err, difference)
		}
		respelled++
	}
	if respelled < 1500 {
		t.Errorf("only %d requests", respelled)
	}
}

// respell writes a request with white space between all tokens, sorted members
// and escapes.
func respell(t *testing.T, request json.RawMessage) []byte {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(request))
	dec.UseNumber()
	var members map[string]any
	if err := dec.Decode(&members); err != nil {
		t.Fatal(err)
	}
	members["id"] = "1"
	line, err := json.MarshalIndent(members, "", " ") // it escapes <, > and &
	if err != nil {
		t.Fatal(err)
	}
	return line
}
