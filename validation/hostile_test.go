package validation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

func nested(open, inner, closing string, depth int) string {
	return strings.Repeat(open, depth) + inner + strings.Repeat(closing, depth)
}

const million = 1_000_000

// A set of a million items is checked: what compares each with each would not
// end.
func TestMillionItems(t *testing.T) {
	schema := testschema.Schema(
		t,
		`{"type":"object","properties":{"set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"integer"}},
		"map":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","properties":{"k":{"type":"integer"}}}}}}`,
	)
	set, byKey := make([]any, million), make([]any, million)
	for i := range set {
		set[i] = int64(i)
		byKey[i] = map[string]any{"k": int64(i)}
	}
	v := validation.Compile(schema)
	o := map[string]any{"set": set, "map": byKey}
	if errs := v.Validate(t.Context(), o); errs != nil {
		t.Error(errs)
	}
	set[million-1], byKey[million-1] = int64(0), map[string]any{"k": int64(7)}
	errs := v.ListTypes(t.Context(), o)
	if len(errs) != 2 || errs[1].Field != "set[999999]" || errs[0].Field != "map[999999]" {
		t.Errorf("errors %v", errs)
	}
}

// A hundred thousand errors come out: each of its own text, and all of one.
func TestManyErrors(t *testing.T) {
	v := validation.Compile(
		testschema.Schema(
			t,
			`{"type":"object","properties":{"list":{"type":"array","items":{"type":"string","anyOf":[{"minLength":1},{"pattern":"x"}]}}}}`,
		),
	)
	list := make([]any, 100_000)
	for i := range list {
		list[i] = int64(1)
	}
	o := map[string]any{"list": list}
	if errs := v.Values(t.Context(), nil, o); len(errs) != len(list) {
		t.Errorf("%d errors", len(errs))
	}
	errs, ratcheted := v.ValuesUpdate(t.Context(), o, o)
	if len(errs) != 0 || len(ratcheted) != len(list) {
		t.Errorf("%d errors, %d ratcheted", len(errs), len(ratcheted))
	}
}

// Objects and schemas 5,000 levels deep are answered.
func TestDeep(t *testing.T) {
	// The decoder takes at most 10,000 levels of JSON; a schema needs two for
	// each.
	const depth = 4900
	deepSchema := testschema.Schema(
		t,
		nested(
			`{"type":"object","required":["b"],"properties":{"a":`,
			`{"type":"string"}`,
			`}}`,
			depth,
		),
	)
	flatSchema := testschema.Schema(
		t,
		`{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"a":{"type":"array","x-kubernetes-list-type":"set","items":{"x-kubernetes-preserve-unknown-fields":true}}}}`,
	)
	o := testschema.Object(t, nested(`{"a":`, `1`, `}`, depth))
	if errs := validation.Compile(deepSchema).Validate(t.Context(), o); len(errs) != depth+1 {
		t.Errorf("%d errors", len(errs))
	}
	errs, ratcheted := validation.Compile(deepSchema).ValuesUpdate(t.Context(), o, o)
	if len(errs) != 0 || len(ratcheted) != depth+1 {
		t.Errorf("%d errors, %d ratcheted", len(errs), len(ratcheted))
	}
	items := fmt.Sprintf(`{"a":[%[1]s,%[1]s]}`, nested(`[`, `1`, `]`, 9000))
	flat := validation.Compile(flatSchema)
	if errs := flat.Validate(t.Context(), testschema.Object(t, items)); len(
		errs,
	) != 1 {
		t.Errorf("errors %d", len(errs))
	}
}

// Junctors in junctors cost as much as the schema is long, not two to the power
// of their depth; wide ones are linear too.
func TestJunctors(t *testing.T) {
	for name, text := range map[string]string{
		"deep anyOf": nested(`{"anyOf":[{"minimum":5},`, `{"type":"string"}`, `]}`, 1000),
		"deep oneOf": nested(`{"oneOf":[{"minimum":5},`, `{"type":"string"}`, `]}`, 1000),
		"deep not":   nested(`{"not":`, `{"type":"string"}`, `}`, 1000),
		"deep mixed": nested(`{"allOf":[{"anyOf":[{"oneOf":[`, `{"minimum":5}`, `]}]}]}`, 400),
		"wide anyOf": `{"anyOf":[` + strings.TrimSuffix(strings.Repeat(`{"minimum":5,"anyOf":[{"minimum":6},{"minimum":7}]},`, 50_000), ",") + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			schema := testschema.Schema(
				t,
				`{"type":"object","properties":{"a":{"type":"array","items":`+text+`}}}`,
			)
			v := validation.Compile(schema)
			o := map[string]any{"a": []any{int64(1), 2.5, "x", nil, true}}
			if errs := v.Validate(t.Context(), o); errs == nil {
				t.Error("no error")
			}
		})
	}
}

// Patterns of every shape are run in time that is linear in the string: what
// backtracks would not end.
func TestPatterns(t *testing.T) {
	for pattern, matches := range map[string]bool{
		`^(a+)+$`: false, `(a|a)*b`: false, `((a{1,50}){1,20})`: true, `(?:a?){30}a{30}`: true, `(?i)\p{Greek}+`: false,
		`[`: false, `\C`: false, `a{1001}`: false, // these do not compile
	} {
		schema := testschema.Schema(
			t,
			fmt.Sprintf(
				`{"type":"object","properties":{"a":{"type":"string","pattern":%q}}}`,
				pattern,
			),
		)
		v := validation.Compile(schema)
		errs := v.Validate(t.Context(), map[string]any{"a": strings.Repeat("a", 10_000) + "!"})
		if (len(errs) == 0) != matches {
			t.Errorf("%s: %.300v", pattern, errs)
		}
	}
}

// Values of Go types that JSON does not have are answered, not panicked on.
func TestForeignTypes(t *testing.T) {
	v := validation.Compile(testschema.Schema(t, everythingSchema))
	for _, foreign := range []any{
		1, float32(1), []string{"a"}, map[string]string{}, func() {}, struct{}{}, new(int),
	} {
		for _, name := range []string{
			"name", "count", "set", "map", "labels", "kind", "port", "pod", "one",
		} {
			o := map[string]any{"spec": map[string]any{name: foreign}, "status": foreign}
			if errs := v.Validate(t.Context(), o); len(errs) == 0 && name != "pod" {
				t.Errorf("%s: %T is valid", name, foreign)
			}
			v.ValidateUpdate(t.Context(), o, o)
			spec := map[string]any{name: []any{foreign, foreign}}
			v.Validate(t.Context(), map[string]any{"spec": spec})
		}
	}
}

// A nil validator and a nil schema find nothing.
func TestNoSchema(t *testing.T) {
	o := map[string]any{"spec": []any{int64(1)}, "status": nil}
	var none *validation.Validator
	nilSchema, emptySchema := validation.Compile(nil), validation.Compile(&structural.Schema{})
	for _, v := range []*validation.Validator{none, nilSchema, emptySchema} {
		errs, ratcheted := v.ValidateUpdate(t.Context(), o, nil)
		statusErrs, statusRatcheted := v.ValidateStatusUpdate(t.Context(), o, nil)
		errs = append(errs, v.Validate(t.Context(), o)...)
		if len(errs)+len(ratcheted)+len(statusErrs)+len(statusRatcheted) > 0 {
			t.Error("an error without a schema")
		}
	}
}
