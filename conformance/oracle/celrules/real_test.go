package celrules_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	realschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	realcel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/warning"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/structural"
)

// both is one schema in the real code's form and in ours.
type both struct {
	name       string
	schema     []byte
	structural *realschema.Structural
	validator  *realcel.Validator
	ours       *structural.Schema
	rules      *celrules.Rules
	one        bool // there is only one rule
}

func realStructural(t testing.TB, schema []byte) *realschema.Structural {
	t.Helper()
	var v1 apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(schema, &v1); err != nil {
		t.Fatal(err)
	}
	var internal apiextensions.JSONSchemaProps
	err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1,
		&internal, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := realschema.NewStructural(&internal)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newBoth(t testing.TB, name string, schema []byte) *both {
	t.Helper()
	b := &both{name: name, schema: schema, structural: realStructural(t, schema)}
	b.validator = realcel.NewValidator(b.structural, true, celrules.PerCallLimit)
	var err error
	if b.ours, err = structural.Parse(schema); err != nil {
		t.Fatal(err)
	}
	b.rules = celrules.Compile(b.ours)
	return b
}

// verdict is the result of running rules on an object, in a comparable form.
type verdict struct {
	errors, warnings []string
	cost             int64 // -1: over budget
}

var madeUpType = regexp.MustCompile(`selfType\d+`)

func (v verdict) String() string {
	return fmt.Sprintf("cost %d\nerrors:\n  %s\nwarnings:\n  %s", v.cost,
		strings.Join(v.errors, "\n  "), strings.Join(v.warnings, "\n  "))
}

func sortedTexts(list field.ErrorList) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = string(e.Type) + " " + madeUpType.ReplaceAllString(e.Error(), "selfType")
	}
	slices.Sort(out)
	return out
}

type recorder struct{ texts []string }

func (r *recorder) AddWarning(_, text string) { r.texts = append(r.texts, text) }

const budget = celrules.Budget

func (b *both) real(object, old any) verdict {
	if b.validator == nil {
		return verdict{}
	}
	var opts []realcel.Option
	if old != nil {
		opts = append(
			opts,
			realcel.WithRatcheting(
				common.NewCorrelatedObject(object, old,
					&model.Structural{Structural: b.structural}),
			),
		)
	}
	r := &recorder{}
	ctx := warning.WithWarningRecorder(context.Background(), r)
	errs, left := b.validator.Validate(ctx, nil, b.structural, object, old, budget, opts...)
	v := verdict{errors: sortedTexts(errs), cost: budget - left}
	if left < 0 {
		v.cost = -1
	}
	slices.Sort(r.texts)
	v.warnings = slices.Compact(r.texts)
	return v
}

func (b *both) our(object, old any) verdict {
	result := b.rules.Validate(context.Background(), object, old)
	v := verdict{errors: sortedTexts(result.Errors), cost: result.Cost}
	if result.OutOfBudget {
		v.cost = -1
	}
	for _, e := range result.Ratcheted {
		v.warnings = append(v.warnings, e.Error())
	}
	slices.Sort(v.warnings)
	v.warnings = slices.Compact(v.warnings)
	return v
}

// attempts is how often the real code is asked again if its answer may differ
// from run to run.
const attempts = 40

// compare returns how the answers differ, or "". If the real code's answer
// varies, rules are compared one by one.
func (b *both) compare(t testing.TB, object, old any) string {
	difference := b.compareAll(object, old)
	if difference == "" || b.one {
		return difference
	}
	for _, single := range b.singles(t) {
		if found := single.compareAll(object, old); found != "" {
			return difference + "\nof which " + string(single.schema) + ":\n" + found
		}
	}
	return ""
}

// compareAll compares all rules together. Over budget it compares nothing else,
// because the set of rules that ran is random.
func (b *both) compareAll(object, old any) string {
	ours := b.our(object, old)
	var first verdict
	for i := range attempts {
		real := b.real(object, old)
		if real.String() == ours.String() || real.cost < 0 && ours.cost < 0 {
			return ""
		}
		if i == 0 {
			first = real
		}
	}
	return fmt.Sprintf("real: %v\nours: %v", first, ours)
}

// singles returns a schema for each rule in it, with that rule only.
func (b *both) singles(t testing.TB) []*both {
	var out []*both
	for n := 0; ; n++ {
		var schema map[string]any
		if err := json.Unmarshal(b.schema, &schema); err != nil {
			t.Fatal(err)
		}
		left := n
		if !keepRule(schema, &left) {
			return out
		}
		text, err := json.Marshal(schema)
		if err != nil {
			t.Fatal(err)
		}
		single := newBoth(t, b.name, text)
		single.one = true
		out = append(out, single)
	}
}

// keepRule removes all rules but one. Rules are counted in the order of keys.
// It reports whether there is such a rule.
func keepRule(schema map[string]any, left *int) bool {
	kept := false
	for _, key := range slices.Sorted(maps.Keys(schema)) {
		switch v := schema[key].(type) {
		case map[string]any:
			kept = keepRule(v, left) || kept
		case []any:
			if key == "x-kubernetes-validations" {
				if *left >= 0 && *left < len(v) {
					schema[key] = v[*left : *left+1]
					kept = true
				} else {
					delete(schema, key)
				}
				*left -= len(v)
			}
		}
	}
	return kept
}
