package crdsem_test

import (
	"errors"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// An option with an unknown text makes the request fail; the zero value is the
// default.
func TestUnknownOptions(t *testing.T) {
	v := requests.Version(t, "v1")
	object := requests.Object(t, `{`+requests.Head+`,"spec":{}}`)
	for want, option := range map[string]crdsem.Option{
		`unknown crdsem.FieldValidation "strict": want one of [Warn Strict Ignore]`:          crdsem.FieldValidation("strict"),
		`unknown crdsem.Concurrency "x": want one of [Unconditional RequireResourceVersion]`: crdsem.Concurrency("x"),
		`unknown crdsem.Conflicts "x": want one of [Refuse Force]`:                           crdsem.Conflicts("x"),
		`unknown crdsem.Format "x": want one of [json yaml]`:                                 crdsem.Format("x"),
		`unknown crdsem.Detail "x": want one of [NameFailures RuleCosts Explain]`:            crdsem.Detail("x"),
	} {
		r := v.Create(t.Context(), object, option)
		if _, ok := errors.AsType[*crdsem.OptionError](r.Err()); !ok || r.Err().Error() != want ||
			r.Stage != crdsem.StageDecode {
			t.Errorf("%s %v, want %s", r.Stage, r.Err(), want)
		}
	}
	for _, option := range []crdsem.Option{
		crdsem.FieldValidation(""), crdsem.Concurrency(""), crdsem.Conflicts(""), crdsem.Format(""), crdsem.Detail(""),
	} {
		if err := v.Create(t.Context(), object, option).Err(); err != nil {
			t.Errorf("the zero value of %T: %v", option, err)
		}
	}
}
