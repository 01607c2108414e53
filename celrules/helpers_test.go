package celrules_test

import (
	"context"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/structural"
)

// inside is the option for the schema of a node inside a resource.
var inside = ruleoptions.ForCompile(func(o *ruleoptions.Compile) { o.Inner = true })

// watching is an option that users do not have.
func watching(set func(*ruleoptions.Validate)) celrules.ValidateOption {
	return watch{set: set}
}

type watch struct {
	celrules.ValidateOption
	set func(*ruleoptions.Validate)
}

func (w watch) ForValidate(s *ruleoptions.Validate) { w.set(s) }

func mustParse(t testing.TB, text string) *structural.Schema {
	t.Helper()
	schema, err := structural.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func schemaOf(t testing.TB, v *vectors.Vector) *structural.Schema {
	t.Helper()
	schema, err := structural.Parse(vectors.JSON(t, v.Req.Schema))
	if err != nil {
		t.Fatalf("%s: %v", v.ID, err)
	}
	return schema
}

// validate is Rules.Validate without a context.
func validate(
	r *celrules.Rules, object, old any, choices ...celrules.ValidateOption,
) celrules.Result {
	return r.Validate(context.Background(), object, old, choices...)
}

// lines returns errors as a server prints them.
func lines(errs field.ErrorList) string {
	out := make([]string, len(errs))
	for i, e := range errs {
		out[i] = e.Error()
	}
	return strings.Join(out, "\n")
}

// texts returns errors with their types.
func texts(list field.ErrorList) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = string(e.Type) + " " + e.Error()
	}
	return out
}
