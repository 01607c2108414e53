package crdtest

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/minors"
)

type fields = map[string]any

func ofKind(metadata any) fields { return fields{"kind": "K", "metadata": metadata} }

// What the body of a step lacks of a name is filled in: with that of the stored
// object or, for a new one, with one to generate.
func TestBodies(t *testing.T) {
	made := fields{"generateName": "test-"}
	stored := fields{"name": "n", "namespace": "s", "uid": "u"}
	for _, c := range []struct {
		verb               Verb
		stored, body, want any // metadata
	}{
		{Create, stored, nil, made}, {Create, nil, fields{}, made},
		{Create, nil, fields{"name": "a"}, fields{"name": "a"}},
		{Create, nil, fields{"generateName": "a"}, fields{"generateName": "a"}},
		{Create, nil, fields{"labels": nil}, fields{"labels": nil, "generateName": "test-"}},
		{Create, nil, "x", "x"}, {Create, nil, []any{}, []any{}},
		{Update, stored, fields{}, fields{"name": "n", "namespace": "s"}},
		{Update, stored, nil, fields{"name": "n", "namespace": "s"}},
		{UpdateStatus, stored, fields{"name": "m"}, fields{"name": "m", "namespace": "s"}},
		{Update, stored, fields{"namespace": "t"}, fields{"name": "n", "namespace": "t"}},
		{Update, fields{"name": "n"}, fields{}, fields{"name": "n"}},
		{Update, fields{}, fields{}, fields{}},
	} {
		p := &play{server: newServer(nil, "", nil), stored: ofKind(c.stored)}
		body, err := p.body(&Step{Verb: c.verb, Object: ofKind(c.body)})
		if diff := cmp.Diff(ofKind(c.want), body); diff != "" || err != nil {
			t.Errorf("%s %v of %v: %v\n%s", c.verb, c.body, c.stored, err, diff)
		}
	}
	for _, c := range []struct{ stored, want fields }{
		{nil, nil}, {ofKind(fields{"name": "a"}), ofKind(fields{"name": "a"})},
		{ofKind(nil), ofKind(fields{"name": "test"})},
		{fields{"n": 1, "f": 1.0}, fields{"n": int64(1), "f": int64(1), "metadata": fields{"name": "test"}}},
		{fields{"f": 1.0}, fields{"f": 1.0, "metadata": fields{"name": "test"}}},
	} {
		p := &play{stored: ofKind("other")}
		err := p.start(&Case{Stored: c.stored})
		if diff := cmp.Diff(c.want, p.stored); diff != "" || err != nil {
			t.Errorf("%v: %v\n%s", c.stored, err, diff)
		}
	}
}

// An outcome is compared with each thing that is stated.
func TestCompare(t *testing.T) {
	four, five := int64(4), int64(5)
	object := fields{"a": int64(1), "metadata": fields{"name": "n"}}
	finding := field.Required(field.NewPath("a"), "")
	got := outcome{object: object, result: &crdsem.Result{Cost: 5, Warnings: []string{"w"},
		Ratcheted: field.ErrorList{finding}}}
	for _, c := range []struct {
		refusal error
		want    Want
		text    string
	}{
		{nil, Want{}, ""},
		{nil, Want{Cost: &five, Warnings: []string{"w"}, Ratcheted: []string{finding.Error()},
			Object: fields{"a": 1}}, ""},
		{nil, Want{Cost: &four}, "the rules cost 5, want 4"},
		{nil, Want{Warnings: []string{}}, "warnings (-want +got):\n  []string{\n+ \t\"w\",\n  }\n"},
		{nil, Want{Ratcheted: []string{}},
			"ratcheted (-want +got):\n  []string{\n+ \t\"a: Required value\",\n  }\n"},
		{nil, Want{Object: fields{"a": 1, "metadata": fields{"name": "n"}}, Cost: &four},
			"the rules cost 5, want 4"},
		{nil, Want{Object: fields{}}, "object (-want +got):\n  map[string]any{\n" +
			"+ \t\"a\": int64(1),\n  }\n"},
		{nil, Want{Refused: true, Cost: &four}, "admitted, want it refused"},
		{errors.New("r"), Want{Refused: true, Object: fields{}}, ""},
		{errors.New("r"), Want{Refused: true, Cost: &four}, "the rules cost 5, want 4"},
	} {
		got.err = c.refusal
		text := ""
		if err := got.compare(&c.want); err != nil {
			text = err.Error()
		}
		if text != c.text {
			t.Errorf("%+v: %q, want %q", c.want, text, c.text)
		}
	}
}

// A text may be that of an earlier server, whole.
func TestSaidBefore(t *testing.T) {
	path := field.NewPath("a")
	text := field.Invalid(path, "x", "d").WithOrigin("CEL-092")
	other := field.Invalid(path, struct{}{}, "d").WithOrigin("CEL-092")
	for _, c := range []struct {
		errors   field.ErrorList
		refusal  string
		yes, not []string
	}{
		{field.ErrorList{text}, `K "n" is invalid: …`,
			[]string{`K "n" is invalid: a: Invalid value: "string": d`, `a: Invalid value: "": d`},
			[]string{"…", "[", `"object"`}},
		{field.ErrorList{other}, "x", []string{`a: Invalid value: "object": d`,
			`a: Invalid value: "array": d`, `a: Invalid value: "": d`}, []string{"x", `"string"`}},
		{field.ErrorList{text, field.Required(path, "")}, "K is invalid: ",
			[]string{`K is invalid: [a: Invalid value: "string": d, a: Required value]`}, nil},
	} {
		o := &outcome{err: errors.New(c.refusal), result: &crdsem.Result{Errors: c.errors}}
		for _, said := range c.yes {
			if !o.saidBefore(said) {
				t.Errorf("%s: %s is not said", c.refusal, said)
			}
		}
		for _, said := range c.not {
			if o.saidBefore(said) {
				t.Errorf("%s: %s is said", c.refusal, said)
			}
		}
	}
}

// Errors of the library are no answers of a server.
func TestIsServers(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{&crdsem.StatusError{}, true}, {errors.New("a"), true}, {&crdsem.StoredError{}, false},
		{&crdsem.ValueError{}, false}, {&crdsem.LimitError{}, false}, {&crdsem.OptionError{}, false},
		{fmt.Errorf("a: %w", crdsem.ErrNoWebhook), false},
	} {
		if got := isServers(c.err); got != c.want {
			t.Errorf("%T: %t", c.err, got)
		}
	}
}

// Servers made of another one keep what they have of it.
func TestServers(t *testing.T) {
	a, b, c := &CRD{File: "a"}, &CRD{File: "b"}, &CRD{File: "c"}
	cache := &crdsem.Cache{}
	s := newServer([]*CRD{a, b}, "v1", cache).of("1.34").replaced(b, c)
	if len(s.crds) != 2 || s.crds[0] != a || s.crds[1] != c || s.only != "v1" ||
		s.cache != cache || s.minorOrNewest() != "1.34" {
		t.Errorf("%+v", s)
	}
	if of := newServer(nil, "", cache).minorOrNewest(); of != minors.Newest() {
		t.Errorf("without a minor: %s", of)
	}
	for text, want := range map[string]string{
		"": "no minor", "1.31": "1.31", "1.31-1.33": "1.31-1.33", "1.31-1.32": "1.31-1.32",
		"1.30,1.32": "1.30,1.32", "1.30-1.31,1.33": "1.30,1.31,1.33",
	} {
		all, err := minorsOf(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := rangeOf(all); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// A definition that was given is the one in the file of the same name, by its
// place in the file.
func TestGivenDefinitions(t *testing.T) {
	list := `{"kind": "List", "apiVersion": "v1", "items": [%, %]}`
	const crd = `{"kind": "CustomResourceDefinition", "apiVersion": "apiextensions.k8s.io/v1"}`
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"docs.yaml": "% \n---\n%\n", "list.json": list,
	} {
		if err := os.WriteFile(name, []byte(strings.ReplaceAll(text, "%", crd)),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	given, err := ReadCRDs("./docs.yaml", "./list.json")
	if err != nil || len(given) != 4 {
		t.Fatal(len(given), err)
	}
	cases := []Case{{Name: "c"}}
	for i, j := range Jobs(given, []*Suite{
		{CRDFiles: []string{"docs.yaml"}, Cases: cases}, {CRDFiles: []string{"list.json"}, Cases: cases},
	}) {
		if crds := j.CRDs(); len(crds) != 2 || crds[0] != given[2*i] || crds[1] != given[2*i+1] {
			t.Errorf("%d: read again: %v", i, crds)
		}
	}
}
