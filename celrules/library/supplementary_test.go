package library_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/unstructured"
	"github.com/crdsem/crdsem/structural"
)

// supplementary is a case whose outcome was recorded from the real code: the estimates of its rules, the cost and the errors of
// evaluating them, and the errors of creating the CRD. A case without schema or object uses those of the first line.
type supplementary struct {
	ID     string          `json:"id"`
	Rule   string          `json:"rule"`
	Schema json.RawMessage `json:"schema"`
	Object json.RawMessage `json:"object"`
	Old    json.RawMessage `json:"old"`
	Est    []uint64        `json:"est"`
	Run    int64           `json:"run"`
	Errors []string        `json:"errors"`
	Create []string        `json:"create"`
}

// recordedLength is how much of each error of creating a CRD the cases hold.
const recordedLength = 200

func TestSupplementary(t *testing.T) {
	cases := readSupplementary(t)
	for _, c := range cases[1:] {
		t.Run(c.ID, func(t *testing.T) { c.completed(t, cases[0]).check(t) })
	}
	t.Logf("%d cases", len(cases)-1)
}

func readSupplementary(t *testing.T) []supplementary {
	text, err := os.ReadFile("testdata/supplementary.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []supplementary
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c supplementary
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if len(out) < 100 {
		t.Fatalf("only %d cases", len(out))
	}
	return out
}

// completed puts the base's schema, with the case's rule, and object where the case has none.
func (c supplementary) completed(t *testing.T, base supplementary) supplementary {
	if c.Object == nil {
		c.Object = base.Object
	}
	if c.Schema != nil {
		return c
	}
	schema := map[string]any{}
	if err := json.Unmarshal(base.Schema, &schema); err != nil {
		t.Fatal(err)
	}
	schema["x-kubernetes-validations"] = []any{map[string]any{"rule": c.Rule}}
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	c.Schema = text
	return c
}

func (c supplementary) check(t *testing.T) {
	schema, err := structural.Parse(c.Schema)
	if err != nil {
		t.Fatal(err)
	}
	rules := celrules.Compile(schema)
	result := rules.Validate(context.Background(), c.decode(t, c.Object), c.decode(t, c.Old))
	if result.Cost != c.Run {
		t.Errorf("cost %d, recorded %d", result.Cost, c.Run)
	}
	if diff := cmp.Diff(sorted(c.Errors), texts(result.Errors)); diff != "" {
		t.Errorf("errors: recorded -, got +\n%s", diff)
	}
	var estimates []uint64
	for _, cost := range celrules.Costs(schema) {
		if len(cost.Errors) == 0 {
			estimates = append(estimates, cost.MaxCost)
		}
	}
	if !slices.Equal(estimates, c.Est) {
		t.Errorf("estimates %v, recorded %v", estimates, c.Est)
	}
	// Rules below junctors are the structural rules' business.
	create := slices.DeleteFunc(slices.Clone(c.Create), func(s string) bool { return strings.HasSuffix(s, "must be empty to be structural") })
	got := texts(celrules.Check(schema, field.NewPath("spec", "validation", "openAPIV3Schema")))
	for i, text := range got { // these were recorded up to a length
		got[i] = text[:min(len(text), recordedLength)]
	}
	if diff := cmp.Diff(sorted(create), got); diff != "" {
		t.Errorf("errors of the CRD: recorded -, got +\n%s", diff)
	}
}

func (c supplementary) decode(t *testing.T, text []byte) any {
	if text == nil {
		return nil
	}
	object, _, err := unstructured.DecodeJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return object
}

func texts(errs field.ErrorList) []string {
	out := make([]string, len(errs))
	for i, e := range errs {
		out[i] = e.Error()
	}
	return sorted(out)
}

func sorted(of []string) []string {
	out := slices.Clone(of)
	slices.Sort(out)
	if out == nil {
		out = []string{}
	}
	return out
}
