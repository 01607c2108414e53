package fieldtext_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/fieldtext"
)

func TestBody(t *testing.T) {
	for want, err := range map[string]*field.Error{
		"Too few: 1: must have at least 2 items": {
			Type: fieldtext.TooFew, BadValue: 1, Detail: "must have at least 2 items",
		},
		"Too short: must be at least 2 characters": {
			Type: fieldtext.TooShort, BadValue: "a", Detail: "must be at least 2 characters",
		},
		`Invalid value: "a": bad`: field.Invalid(nil, "a", "bad"),
	} {
		if got := fieldtext.Body(err); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
