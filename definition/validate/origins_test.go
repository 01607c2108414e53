package validate_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/conformance/spec"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/internal/test/vectors"
)

// tally counts errors by the rules that are their origins.
type tally struct {
	testing.TB
	rules map[string]int
}

func newTally(t testing.TB) tally { return tally{t, map[string]int{}} }

// add fails the test for an error whose origin is no rule of the specification.
func (c tally) add(id string, errs field.ErrorList) {
	c.Helper()
	for _, err := range errs {
		c.count(id, err.Origin, err.Error())
	}
}

func (c tally) count(id, rule, text string) {
	c.Helper()
	if _, ok := spec.Find(rule); !ok {
		c.Errorf("%s: rule %q of %s", id, rule, text)
	}
	c.rules[rule]++
}

// Every error of a definition in a vector or a case names its rule.
func TestErrorsNameTheirRule(t *testing.T) {
	all := newTally(t)
	for _, v := range vectors.Eval(t, protocol.OpCRD) {
		crd, strict, err := definition.Parse(document(v.Req.CRD))
		if err != nil {
			all.count(v.ID, err.(*definition.DecodeError).Rule, err.Error())
			continue
		}
		for _, found := range judged(t, crd, strict, v.Req.Old).Errors {
			all.count(v.ID, found.Rule, found.Text)
		}
	}
	type answer struct {
		Errors []protocol.FieldError `json:"errors"`
		Texts  []string              `json:"texts"`
	}
	for _, kind := range [...]string{
		"unpreparedDefinition", "definitionStatus", "definitionOrder",
	} {
		for _, c := range vectors.Cases[crds, answer](t, kind) {
			crd := decode(t, document(c.Input.CRD))
			if !c.Input.Old.Given() {
				all.add(c.ID, validate.Create(t.Context(), crd).Errors)
				continue
			}
			old := decode(t, document(c.Input.Old))
			all.add(c.ID, validate.Update(t.Context(), crd, old).Errors)
			all.add(c.ID, validate.StatusUpdate(crd, old))
		}
	}
	if len(all.rules) < 90 {
		t.Errorf("the vectors break only %d rules", len(all.rules))
	}
}

// Every error of a real definition that was damaged names its rule.
func TestErrorsOfDamagedDefinitionsNameTheirRule(t *testing.T) {
	const largest, rounds = 30_000, 4
	all, random := newTally(t), rand.New(rand.NewPCG(1, 2))
	for _, file := range corpus.Definitions(t) {
		if len(file.Text) > largest {
			continue
		}
		for range rounds {
			object, _, err := jsonvalue.DecodeYAML(file.Text)
			if err != nil {
				t.Fatalf("%s: %v", file.Name(), err)
			}
			damage(random, object)
			crd, _, err := definition.FromMap(object.(map[string]any))
			if err != nil {
				continue
			}
			all.add(file.Name(), validate.Create(t.Context(), crd.ForCreate()).Errors)
		}
	}
	t.Logf("%d rules: %v", len(all.rules), all.rules)
	if len(all.rules) < 40 {
		t.Errorf("the damage breaks only %d rules", len(all.rules))
	}
}

// damage changes a thirtieth of the objects in a value: a member is removed, or
// one is added that does not fit.
func damage(random *rand.Rand, value any) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			damage(random, item)
		}
	case map[string]any:
		keys := slices.Sorted(maps.Keys(value))
		for _, key := range keys {
			damage(random, value[key])
		}
		if len(keys) == 0 || random.IntN(30) > 0 {
			return
		}
		if random.IntN(2) == 0 {
			delete(value, keys[random.IntN(len(keys))])
			return
		}
		misfit := misfits[random.IntN(len(misfits))]
		value[misfit.keyword] = jsonvalue.DeepCopy(misfit.value)
	}
}

// misfits are keywords that few schemas can have.
var misfits = []struct {
	keyword string
	value   any
}{
	{"type", "array"},
	{"default", map[string]any{"unknown": "x"}},
	{"nullable", true},
	{"pattern", "(?=x)"},
	{"x-kubernetes-list-type", "map"},
	{"x-kubernetes-map-type", "nosuch"},
	{"x-kubernetes-embedded-resource", true},
	{"x-kubernetes-preserve-unknown-fields", false},
	{"x-kubernetes-int-or-string", true},
	{"additionalProperties", true},
	{"uniqueItems", true},
	{"$ref", "#/x"},
	{"anyOf", []any{map[string]any{"type": "string"}}},
	{"not", map[string]any{"properties": map[string]any{"nosuch": map[string]any{}}}},
	{"x-kubernetes-validations", []any{map[string]any{"rule": "self.nosuch"}}},
}
