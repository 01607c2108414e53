package crdtest

import (
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
)

// A refusal is compared with what is stated: any, some texts, or none.
func TestCompareErrors(t *testing.T) {
	refusal := errors.New(`K "a" is invalid: spec.n: Required value`)
	for _, c := range []struct {
		name string
		err  error
		want Want
		text string // begin of the error
	}{
		{"admitted", nil, Want{}, ""},
		{"admitted, any refusal is wanted", nil, Want{Refused: true}, "admitted, want it refused"},
		{"admitted, an error is wanted", nil, Want{Errors: []string{"x"}},
			`admitted, want the error ["x"]`},
		{"admitted, a refusal with an error is wanted", nil,
			Want{Refused: true, Errors: []string{"x"}}, `admitted, want the error ["x"]`},
		{"refused", refusal, Want{}, "refused, want it admitted: K"},
		{"refused as wanted", refusal, Want{Refused: true}, ""},
		{"refused with its text", refusal, Want{Errors: []string{"spec.n", "Required"}}, ""},
		{"refused with its text, by any error", refusal,
			Want{Refused: true, Errors: []string{"Required"}}, ""},
		{"refused with another text", refusal, Want{Errors: []string{"spec.n", "other"}},
			"the refusal lacks a stated error (-want +got):"},
	} {
		o := &outcome{result: &crdsem.Result{}, err: c.err}
		err := o.compareErrors(&c.want)
		if (err == nil) != (c.text == "") || err != nil && !strings.HasPrefix(err.Error(), c.text) {
			t.Errorf("%s: %v, want %s", c.name, err, c.text)
		}
	}
}

// Before 1.35 the texts of findings had other values.
func TestTextBefore(t *testing.T) {
	path := field.NewPath("a")
	rule := func(value any) *field.Error {
		return field.Invalid(path, value, "d").WithOrigin("CEL-092")
	}
	for _, c := range []struct {
		err             *field.Error
		composite, want string
	}{
		{rule("x"), "object", `a: Invalid value: "string": d`},
		{rule(true), "array", `a: Invalid value: "boolean": d`},
		{rule(int64(1)), "object", `a: Invalid value: "integer": d`},
		{rule(1.5), "object", `a: Invalid value: "number": d`},
		{rule("x"), "", `a: Invalid value: "": d`},
		{rule(nil), "object", `a: Invalid value: "null": d`},
		{rule(map[string]any{"b": "c"}), "object",
			`a: Invalid value: map[string]interface {}{"b":"c"}: d`},
		{rule([]any{"b"}), "array", `a: Invalid value: []interface {}{"b"}: d`},
		{field.Invalid(path, "x", "d"), "object", `a: Invalid value: "x": d`},
		{field.Invalid(path, nil, ""), "object", `a: Invalid value: "null"`},
		{field.Invalid(path, []any{}, "d"), "", `a: Invalid value: []interface {}{}: d`},
		{field.Required(path, "d"), "object", "a: Required value: d"},
		{field.NotSupported(path, "x", []string{"y"}), "object",
			`a: Unsupported value: "x": supported values: "y"`},
	} {
		if got := textBefore(c.err, c.composite); got != c.want {
			t.Errorf("%v, %q: got %s, want %s", c.err, c.composite, got, c.want)
		}
	}
}

// Of an object's metadata only what is stated is compared, or what a server
// does not write.
func TestForComparison(t *testing.T) {
	object := map[string]any{"spec": 1, "metadata": map[string]any{"name": "a", "uid": "u"}}
	stated := map[string]any{"metadata": map[string]any{"uid": "v"}}
	for _, c := range []struct {
		object, stated map[string]any
		want           map[string]any // metadata
	}{
		{object, nil, nil},
		{object, stated, map[string]any{"uid": "u"}},
		{map[string]any{"metadata": map[string]any{"labels": "l", "name": "a"}}, nil,
			map[string]any{"labels": "l"}},
	} {
		got := forComparison(c.object, c.stated)
		diff := diffOf(c.want, asMap(got["metadata"]))
		if diff != "" || got["spec"] != c.object["spec"] {
			t.Errorf("%v with %v: %s", c.object, c.stated, diff)
		}
	}
	if got := forComparison(map[string]any{"metadata": "x"}, nil); got["metadata"] != "x" {
		t.Errorf("got %v", got)
	}
	if object["metadata"].(map[string]any)["name"] != "a" {
		t.Error("the object was changed")
	}
}

func asMap(value any) map[string]any {
	m, _ := value.(map[string]any)
	return m
}

// A definition that is no JSON has no patches.
func TestPatchesOfNoJSON(t *testing.T) {
	out, err := applyPatches(map[string]any{"a": func() {}}, nil)
	const want = "a: a value of type func() is not one of map[string]any, []any, string, bool, " +
		"int64, float64, nil"
	if out != nil || err == nil || err.Error() != want {
		t.Errorf("%v, %v, want %s", out, err, want)
	}
}
