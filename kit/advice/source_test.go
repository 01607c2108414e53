package advice_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/kit/advice"
	"github.com/crdsem/crdsem/structural"
)

// A value is named only if its text is known: 1.10 and 1.1 are one value.
func TestQuotedValue(t *testing.T) {
	schema, err := structural.Parse([]byte(
		`{"type": "object", "properties": {"image": {"type": "string"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	const start = "the value 1.1 is of type number, the schema wants string; write it in quotes"
	for want, text := range map[string]string{start: "", start + ": `\"1.10\"`": "1.10"} {
		o := advice.Object{
			Schema: schema, Object: map[string]any{"image": 1.1},
			Source: func(path string) (string, bool) { return text, path == "image" && text != "" },
		}
		err := &field.Error{Field: "image", Origin: "VAL-020"}
		if got := o.Hint(t.Context(), err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		d := advice.Definition{
			Document: map[string]any{"type": "string", "default": 1.1},
			Source: func(path string) (string, bool) {
				return text, path == "default" && text != ""
			},
		}
		wrong := &field.Error{Field: "default", Origin: "CRD-300", Type: field.ErrorTypeTypeInvalid}
		want := strings.Replace(want, "the value", "the default", 1)
		if got := d.Hint(t.Context(), wrong); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if o.Source = nil; o.Hint(t.Context(), err) != start {
			t.Errorf("without a source: %q, want %q", o.Hint(t.Context(), err), start)
		}
	}
}
