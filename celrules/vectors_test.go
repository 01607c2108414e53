package celrules_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"sort"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/unstructured"
	"github.com/crdsem/crdsem/structural"
)

// vector is one case of the CEL vectors; see their description in conformance/vectors.
type vector struct {
	ID             string          `json:"id"`
	Schema         json.RawMessage `json:"schema"`
	Object         json.RawMessage `json:"object"`
	Old            json.RawMessage `json:"old"`
	Errors         []vectorError   `json:"errors"`
	Warnings       []string        `json:"warnings"`
	RuntimeCost    *int64          `json:"runtimeCost"`
	BudgetExceeded bool            `json:"budgetExceeded"`
	Unordered      bool            `json:"unordered"`
	Budget         *int64          `json:"budget"`
	PerCallLimit   *uint64         `json:"perCallLimit"`
	Cancelled      bool            `json:"contextCancelled"`
}

type vectorError struct{ Type, Field, Detail, Text string }

func readVectors(t testing.TB) []vector {
	t.Helper()
	file, err := os.Open("../conformance/vectors/cel.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var out []vector
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

func decode(t testing.TB, text []byte) any {
	t.Helper()
	if len(text) == 0 {
		return nil
	}
	v, _, err := unstructured.DecodeJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (v *vector) run(t testing.TB) celrules.Result {
	t.Helper()
	schema, err := structural.Parse(v.Schema)
	if err != nil {
		t.Fatal(err)
	}
	var choices []celrules.Option
	if v.PerCallLimit != nil {
		choices = append(choices, celrules.WithPerCallLimit(*v.PerCallLimit))
	}
	var perRun []celrules.ValidateOption
	if v.Budget != nil {
		perRun = append(perRun, celrules.WithBudget(*v.Budget))
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if v.Cancelled {
		cancel()
	}
	return celrules.Compile(schema, choices...).Validate(ctx, decode(t, v.Object), decode(t, v.Old), perRun...)
}

func texts(list field.ErrorList) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = string(e.Type) + " " + e.Error()
	}
	return out
}

func TestVectors(t *testing.T) {
	vectors := readVectors(t)
	if len(vectors) < 1000 {
		t.Fatalf("%d vectors", len(vectors))
	}
	for _, v := range vectors {
		t.Run(v.ID, func(t *testing.T) {
			result := v.run(t)
			var want []string
			for _, e := range v.Errors {
				want = append(want, e.Type+" "+e.Text)
			}
			got := texts(result.Errors)
			sort.Strings(want)
			sort.Strings(got)
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("errors\n got %q\nwant %q", got, want)
			}
			warnings := make([]string, 0)
			for _, e := range result.Ratcheted {
				warnings = append(warnings, e.Error())
			}
			sort.Strings(warnings)
			sort.Strings(v.Warnings)
			if strings.Join(warnings, "\n") != strings.Join(v.Warnings, "\n") {
				t.Errorf("warnings\n got %q\nwant %q", warnings, v.Warnings)
			}
			if v.RuntimeCost != nil && (result.Cost != *v.RuntimeCost || result.OutOfBudget) {
				t.Errorf("cost %d, want %d", result.Cost, *v.RuntimeCost)
			}
			if v.BudgetExceeded && !result.OutOfBudget {
				t.Error("the budget was not spent")
			}
		})
	}
}
