package crdsem_test

import (
	"errors"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/requests"
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
