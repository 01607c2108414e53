package celrules_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
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

	OldSchema     json.RawMessage  `json:"oldSchema"`
	CompileErrors []vectorError    `json:"compileErrors"`
	CompileVaries bool             `json:"compileVaries"`
	EstimatedCost *uint64          `json:"estimatedCost"`
	Estimates     []vectorEstimate `json:"estimates"`
}

type vectorEstimate struct {
	Path                     string  `json:"path"`
	Rule                     string  `json:"rule"`
	MaxCost                  uint64  `json:"maxCost"`
	SchemaCardinality        *uint64 `json:"schemaCardinality"`
	MaxCardinality           uint64  `json:"maxCardinality"`
	ExpressionCost           uint64  `json:"expressionCost"`
	MessageExpressionMaxCost uint64  `json:"messageExpressionMaxCost"`
	UsesOldSelf              bool    `json:"usesOldSelf"`
}

type vectorError struct{ Type, Field, Detail, Text string }

func readVectors(t testing.TB) []vector {
	t.Helper()
	file, err := os.Open("../conformance/vectors/stages/cel.jsonl")
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

func TestVectorEstimates(t *testing.T) {
	compared := 0
	for _, v := range readVectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			schema, err := structural.Parse(v.Schema)
			if err != nil {
				t.Fatal(err)
			}
			costs := map[string]celrules.RuleCost{}
			for _, c := range celrules.Costs(schema) {
				costs[fmt.Sprintf("%s.x-kubernetes-validations[%d]", c.Path, c.Index)] = c
			}
			for _, want := range v.Estimates {
				got, ok := costs["openAPIV3Schema."+want.Path]
				if !ok {
					t.Errorf("no estimate for %s", want.Path)
					continue
				}
				compared++
				if got.MaxCost != want.MaxCost || got.Total != want.ExpressionCost || got.MessageCost != want.MessageExpressionMaxCost ||
					got.UsesOldSelf != want.UsesOldSelf || (got.Cardinality == nil) != (want.SchemaCardinality == nil) ||
					got.Cardinality != nil && *got.Cardinality != *want.SchemaCardinality {
					t.Errorf("%s\n got %+v\nwant %+v", want.Path, got, want)
				}
			}
		})
	}
	if compared < 1000 {
		t.Errorf("%d estimates compared", compared)
	}
}

// checkVector is Check as it is called on a create, or on an update from the vector's old schema.
func checkVector(t *testing.T, v vector, root *field.Path) field.ErrorList {
	t.Helper()
	schema, err := structural.Parse(v.Schema)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.OldSchema) == 0 {
		return celrules.Check(schema, root)
	}
	old := string(v.OldSchema)
	stored := func(text string) bool {
		quoted, err := json.Marshal(text)
		return err == nil && strings.Contains(old, string(quoted))
	}
	choices := []celrules.CheckOption{celrules.WithStored(stored, stored)}
	if unstructured.Equal(decode(t, v.Schema), decode(t, v.OldSchema)) {
		choices = append(choices, celrules.WithoutRuleLimit())
	}
	return celrules.Check(schema, root, choices...)
}

// ofRules tells whether an error of a CRD is one of this package.
func ofRules(e vectorError) bool {
	if e.Detail == "must be empty to be structural" {
		return false
	}
	return strings.Contains(e.Field, ".x-kubernetes-validations") || strings.HasPrefix(e.Detail, "x-kubernetes-validations estimated rule cost total")
}

func TestVectorCompileErrors(t *testing.T) {
	root := field.NewPath("spec", "validation", "openAPIV3Schema")
	compared := 0
	for _, v := range readVectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			var want []string
			for _, e := range v.CompileErrors {
				if !ofRules(e) {
					return // rules are left out where the schema has other errors
				}
				want = append(want, e.Type+" "+e.Text)
			}
			compared++
			got := texts(checkVector(t, v, root))
			sort.Strings(want)
			sort.Strings(got)
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("\n got %q\nwant %q", got, want)
			}
		})
	}
	if compared < 1050 {
		t.Errorf("%d vectors compared", compared)
	}
}
