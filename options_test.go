package crdsem_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/belowfacade/facadeoptions"
	"github.com/crdsem/crdsem/internal/test/requests"
	"github.com/crdsem/crdsem/structural"
)

// A limit below 1 is 1.
func TestLeastFindings(t *testing.T) {
	object := requests.Object(t, `{`+requests.Head+`,"spec":{"x":1,"y":2,"z":3}}`)
	for _, most := range []int{-1, 0, 1} {
		r := requests.Version(t, "v1").Create(t.Context(), object, crdsem.MaxFindings(most))
		if len(r.Pruned) != 1 || r.Omitted.Pruned != 2 {
			t.Errorf("%d: %v, and %d more", most, r.Pruned, r.Omitted.Pruned)
		}
	}
}

// Of more errors than are listed, the message says how many.
func TestMoreErrors(t *testing.T) {
	object := requests.Object(t, `{`+requests.Head+`,"spec":{"a":"long"}}`)
	const first = "spec.a: Too long: may not be more than 3 bytes"
	const second = "<nil>: Invalid value: null: some validation rules were not checked because " +
		"the object was invalid; correct the existing errors to complete validation"
	for most, want := range map[int]string{1: first + ", and 1 more", 2: first + ", " + second} {
		r := requests.Version(t, "v1").Create(t.Context(), object, crdsem.MaxFindings(most))
		if want = `K.g.io "n" is invalid: [` + want + `]`; r.Err() == nil || r.Err().Error() != want {
			t.Errorf("%d: %v, want %s", most, r.Err(), want)
		}
	}
}

// What the options of a definition choose.
func TestDefinitionOptions(t *testing.T) {
	for name, c := range map[string]struct {
		option crdsem.DefinitionOption
		want   facadeoptions.Definition
	}{
		"Stored":             {crdsem.Stored(), facadeoptions.Definition{Stored: true}},
		"DefaultsMemory(5)":  {crdsem.DefaultsMemory(5), facadeoptions.Definition{DefaultsMemory: 5}},
		"DefaultsMemory(0)":  {crdsem.DefaultsMemory(0), facadeoptions.Definition{DefaultsMemory: 1}},
		"DefaultsMemory(-1)": {crdsem.DefaultsMemory(-1), facadeoptions.Definition{DefaultsMemory: 1}},
		"another":            {crdsem.RuleMemory(5), facadeoptions.Definition{}},
	} {
		var got facadeoptions.Definition
		got.Choose([]crdsem.DefinitionOption{nil, c.option})
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	cache := new(crdsem.Cache)
	minor, in := structural.Common(crdsem.Kubernetes("1.30"), nil, crdsem.RuleMemory(5),
		crdsem.InCache(cache), crdsem.Kubernetes("1.33"))
	if minor != "1.33" || in != cache {
		t.Errorf("%s, %p", minor, in)
	}
}

// Defaults end at their limit, whatever the verb.
func TestDefaultsMemory(t *testing.T) {
	const text = "the defaults of the object take more than 1 bytes"
	object := requests.Object(t, `{`+requests.Head+`,"spec":{}}`)
	for limit, want := range map[int64]string{1: text, 1 << 20: "<nil>"} {
		def, err := crdsem.Parse([]byte(requests.DefinitionText), crdsem.DefaultsMemory(limit))
		if err != nil {
			t.Fatal(err)
		}
		v, err := def.Version("v1")
		if err != nil {
			t.Fatal(err)
		}
		old := crdsem.Request{Verb: crdsem.VerbRead, Old: object}
		for i, request := range []crdsem.Request{
			{Object: object}, {Body: []byte(`{` + requests.Head + `,"spec":{}}`)}, old,
		} {
			_, isLimit := errors.AsType[*crdsem.LimitError](v.Do(t.Context(), request).Err())
			if got := fmt.Sprint(v.Do(t.Context(),
				request).Err()); got != want || isLimit != (limit == 1) {
				t.Errorf("%d, %d: %s, want %s", i, limit, got, want)
			}
		}
	}
}

// Rules that fail are explained as far as is asked for.
func TestExplanations(t *testing.T) {
	object := requests.Object(t, `{`+requests.Head+`,"spec":{"replicas":100}}`)
	for name, c := range map[string]struct {
		options []crdsem.Option
		want    int
		terms   bool
	}{
		"none": {nil, 0, false}, "names": {[]crdsem.Option{crdsem.NameFailures()}, 1, false},
		"explained": {[]crdsem.Option{crdsem.ExplainFailures()}, 1, true},
		"the later": {[]crdsem.Option{crdsem.ExplainFailures(), crdsem.NameFailures()}, 1, false},
	} {
		got := requests.Version(t, "v1").Create(t.Context(), object, c.options...).Explanations
		if len(got) != c.want ||
			c.want == 1 && (got[0].Field != "spec" || len(got[0].Terms) > 0 != c.terms) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// An option with an unknown text makes the request fail; the zero value is the
// default.
func TestUnknownOptions(t *testing.T) {
	v := requests.Version(t, "v1")
	object := requests.Object(t, `{`+requests.Head+`,"spec":{}}`)
	for want, option := range map[string]crdsem.Option{
		`unknown crdsem.FieldValidation "strict": want one of [Warn Strict Ignore]`:          crdsem.FieldValidation("strict"),
		`unknown crdsem.Concurrency "x": want one of [Unconditional RequireResourceVersion]`: crdsem.Concurrency("x"),
		`unknown crdsem.Format "x": want one of [json yaml]`:                                 crdsem.Format("x"),
	} {
		r := v.Create(t.Context(), object, option)
		if _, ok := errors.AsType[*crdsem.OptionError](r.Err()); !ok || r.Err().Error() != want ||
			r.Stage != crdsem.StageDecode {
			t.Errorf("%s %v, want %s", r.Stage, r.Err(), want)
		}
	}
	if v.Create(t.Context(), object, nil, crdsem.Format("x")).Err() == nil {
		t.Error("an option after a nil one does not count")
	}
	for name, option := range map[string]crdsem.Option{
		"FieldValidation": crdsem.FieldValidation(""), "Concurrency": crdsem.Concurrency(""),
		"Format": crdsem.Format(""), "nil": nil,
	} {
		if err := v.Create(t.Context(), object, option).Err(); err != nil {
			t.Errorf("the zero value of %s: %v", name, err)
		}
	}
}
