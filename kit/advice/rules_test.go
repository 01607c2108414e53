package advice_test

import (
	"os"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/kit/advice"
	"github.com/crdsem/crdsem/structural"
)

// A hint can be asked about an error of any rule, whatever is known.
func TestAnyRule(t *testing.T) {
	ids, err := os.ReadFile("../../conformance/vectors/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for rule := range strings.FieldsSeq(string(ids)) {
		for _, path := range []string{"", "<nil>", "spec.versions[0].name", "spec.a[b].c"} {
			e := &field.Error{Type: field.ErrorTypeInvalid, Field: path, Origin: rule}
			(&advice.Object{}).Hint(t.Context(), e)
			(&advice.Definition{}).Hint(t.Context(), e)
		}
		asked++
	}
	if asked < 300 {
		t.Errorf("%d rules asked", asked)
	}
}

// A hint on a failed rule shows the rule that the error names, by its message
// or by its text.
func TestFailedRule(t *testing.T) {
	schema, err := structural.Parse([]byte(`{"type": "object", "properties": {"spec": {
		"type": "object", "x-kubernetes-validations": [
			{"rule": "10 / self.b > 1", "message": "ratio"}, {"rule": "self.a > 5"},
			{"rule": "self.a > 50"}, {"rule": "1 > self.c", "messageExpression": "'c ' + 'high'"}],
		"properties": {"a": {"type": "integer"}, "b": {"type": "integer"},
			"c": {"type": "integer"}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	object := advice.Object{
		Schema: schema,
		Object: map[string]any{"spec": map[string]any{"a": int64(1), "b": int64(0), "c": int64(7)}},
	}
	for _, rule := range []string{"10 / self.b > 1", "self.a > 5", "self.a > 50", "1 > self.c"} {
		object.Explanations = append(object.Explanations,
			celrules.Explanation{Field: "spec", Rule: rule})
	}
	terms := []celrules.Term{
		{Text: "self", Value: "{a: 1}"}, {Text: "oldSelf.b[0]", Value: "x"}, {Text: "1 + 1", Value: "2"},
		{Text: "oldSelf.b[0]", Value: "x"}, {Text: "oldSelf", Value: "{b: 1}"},
		{Text: "self.c", Value: "no such key", Failed: true},
	}
	for _, name := range strings.Split("defghijk", "") {
		terms = append(terms, celrules.Term{Text: name, Value: "1"})
	}
	object.Explanations = append(object.Explanations,
		celrules.Explanation{Field: "spec", Rule: "oldSelf.b", Terms: terms},
		celrules.Explanation{Field: "spec", Rule: "sole", Terms: terms[:1]})
	for _, c := range []struct{ detail, origin, want string }{
		{"division by zero evaluating rule: ratio", "CEL-091", "the rule `10 / self.b > 1` fails"},
		{"ratio", "CEL-092", "the rule `10 / self.b > 1` does not hold"},
		{"failed rule: self.a > 5", "CEL-092", "the rule `self.a > 5` does not hold"},
		{"failed rule: self.a > 50", "CEL-092", "the rule `self.a > 50` does not hold"},
		{"c high", "CEL-092", "the rule `1 > self.c` does not hold"},
		{"failed rule: sole", "CEL-092", "the rule `sole` does not hold: `self` is {a: 1}"},
		{"failed rule: oldSelf.b", "CEL-092", "the rule `oldSelf.b` does not hold: " +
			"`oldSelf.b[0]` is x, " +
			"`self.c` fails: no such key, `d` is 1, `e` is 1, `f` is 1, `g` is 1, `h` is 1, `i` is 1; a " +
			"transition rule compares with the stored object, where `oldSelf` is the old value"},
	} {
		err := &field.Error{Field: "spec", Detail: c.detail, Origin: c.origin}
		if got := object.Hint(t.Context(), err); got != c.want {
			t.Errorf("%s: %q, want %q", c.detail, got, c.want)
		}
	}
}

// The explanation of an error is that of the rule which reports it: at the
// rule's field with its message, or at the path that the rule names.
func TestExplanations(t *testing.T) {
	schema, err := structural.Parse([]byte(`{"type": "object", "x-kubernetes-validations": [
		{"rule": "root", "message": " at the root "}, {"rule": "path", "message": "below", "fieldPath": "['a'].b"},
		{"rule": "silent", "fieldPath": ".a.b"}, {"rule": "said", "messageExpression": "'x'"}],
		"properties": {"a": {"type": "object", "properties": {"b": {"type": "integer"}},
			"x-kubernetes-validations": [{"rule": "inner", "message": "inner", "fieldPath": ".b"},
				{"rule": "other", "message": "inner", "fieldPath": ".b"}, {"rule": "plain"}, {"rule": "first", "messageExpression": "'x'"},
				{"rule": "last", "messageExpression": "'y'"}, {"rule": "noted", "message": "note"}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	object := advice.Object{Schema: schema}
	object.Object = map[string]any{"a": map[string]any{"b": int64(1)}}
	for _, at := range []string{
		"<nil> root", "<nil> path", "<nil> said", "a inner", "a plain", "a first", "a last", "a noted", "a unknown",
	} {
		where, rule, _ := strings.Cut(at, " ")
		object.Explanations = append(object.Explanations,
			celrules.Explanation{Field: where, Rule: rule})
	}
	object.Explanations = append(object.Explanations, celrules.Explanation{Rule: "silent"})
	const whole = "a rule of the schema does not hold: the error has its message"
	does := func(rule string) string { return "the rule `" + rule + "` does not hold" }
	for _, c := range []struct{ at, detail, want string }{
		{"", "at the root", does("root")}, {"a.b", "at the root", whole},
		{"[a].b", "below", does("path")}, {"a.b", "below", whole}, {"", "below", does("said")},
		{"a.b", "inner", does("inner")}, {"a", "inner", does("last")}, {"a", "x", does("last")},
		{"a", "failed rule: plain", does("plain")}, {"a", "failed rule: note", does("noted")},
		{"a", "failed rule: inner", does("inner")}, {"a.b", "failed rule: plain",
			"the rule is a condition in CEL, which must be true: `self` is the value at the field"},
		{"a.b", "", does("silent")}, {"a", "", does("noted")}, {"a", "failed rule: unknown", does("unknown")},
		{"c", "inner", whole},
	} {
		err := &field.Error{Field: c.at, Detail: c.detail, Origin: "CEL-092"}
		got := object.Hint(t.Context(), err)
		if got != c.want {
			t.Errorf("%q at %q: %s, want %s", c.detail, c.at, got, c.want)
		}
	}
	object.Explanations = nil
	for detail, want := range map[string]string{
		"note": does("noted"), "inner": does("inner"), "": whole, "else": whole,
	} {
		got := object.Hint(t.Context(), &field.Error{Field: "a", Detail: detail, Origin: "CEL-092"})
		if got != want {
			t.Errorf("%q without explanations: %s, want %s", detail, got, want)
		}
	}
}

// Names that a rule cannot use: functions of newer minors, reserved words, and
// properties that YAML reads as booleans.
func TestNamesInRules(t *testing.T) {
	properties := map[string]any{"namespace": map[string]any{}, "true": map[string]any{}}
	node := map[string]any{
		"properties": properties, "x-kubernetes-validations": []any{map[string]any{"rule": "?"}},
	}
	definition := advice.Definition{Document: node}
	for detail, want := range map[string]string{
		"undeclared reference to 'isIP'":   "`isIP` can be used since Kubernetes 1.31",
		"undeclared reference to 'ip'":     "`ip` can be used since Kubernetes 1.31",
		"undeclared reference to 'format'": "`format` can be used since Kubernetes 1.32",
		"undeclared reference to 'isSure'": "a rule knows `self`, in transition rules `oldSelf`, and the functions of " +
			"the CEL libraries; text must be in quotes",
		"undeclared reference to 'true'": "fields belong to `self`: write `self.true`",
		"undeclared reference to 'siez'": "did you mean `size`?", "undeclared reference to 'sizes'": "did you mean `size`?",
		"undefined field 'namespace'": "`namespace` is a reserved word of CEL: write `__namespace__`; Kubernetes before " +
			"1.32 knows the field by this name only",
		"undefined field 'package'": "`self` has the fields `namespace`, `__true__`",
		"undefined field 'y'":       "`y` is the boolean true in YAML 1.1: write the property in quotes in the schema",
		"undefined field 'n'":       "`self` has the fields `namespace`, `__true__`",
	} {
		err := &field.Error{
			Field: "x-kubernetes-validations[0].rule", Origin: "CRD-210",
			Detail: "compilation failed: ERROR: <input>:1:1: " + detail,
		}
		if got := definition.Hint(t.Context(), err); got != want {
			t.Errorf("%s: %q, want %q", detail, got, want)
		}
	}
}
