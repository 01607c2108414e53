package v1beta1_test

import (
	"encoding/json"
	"testing"

	"github.com/crdsem/crdsem/internal/belowstructural/crd/v1beta1"
)

// Types that are shared with v1 have the names of v1beta1 in errors, except for
// those of metadata.
func TestErrorText(t *testing.T) {
	const field = "json: cannot unmarshal number into Go struct field X.spec.scope of type "
	for text, want := range map[string]string{
		"unexpected end of JSON input":      "unexpected end of JSON input",
		"a text that names v1.Scope":        "a text that names v1.Scope",
		" of type v1.ResourceScope":         " of type v1beta1.ResourceScope",
		field + "v1.ResourceScope":          field + "v1beta1.ResourceScope",
		field + "[]v1.ServiceReference":     field + "[]v1beta1.ServiceReference",
		field + "string":                    field + "string",
		field + "v1.ObjectMeta":             field + "v1.ObjectMeta",
		field + "[]v1.OwnerReference":       field + "[]v1.OwnerReference",
		field + "v1.ManagedFieldsEntry":     field + "v1.ManagedFieldsEntry",
		field + "v1.Time":                   field + "v1.Time",
		"field v1.X of type a of type v1.Y": "field v1.X of type a of type v1beta1.Y",
	} {
		if got := v1beta1.ErrorText(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Older types lack fields, so that these are unknown.
func TestFormerTypes(t *testing.T) {
	const text = `{"spec": {"version": "v1", "selectableFields": [{"jsonPath": ".a"}],
"versions": [{"name": "v1", "selectableFields": [{"jsonPath": ".b"}]}]},
"status": {"observedGeneration": 3, "conditions": [{"type": "A", "observedGeneration": 4}]}}`
	for name, c := range map[string]struct {
		made any
		want string
	}{
		"before 1.35": {v1beta1.Before35(), `{"observed":0,"fields":1,"versionFields":1}`},
		"now":         {new(v1beta1.CustomResourceDefinition), `{"observed":3,"fields":1,"versionFields":1}`},
	} {
		if err := json.Unmarshal([]byte(text), c.made); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(c.made)
		if err != nil {
			t.Fatal(err)
		}
		var read struct {
			Spec struct {
				Version          string
				SelectableFields []any
				Versions         []struct{ SelectableFields []any }
			}
			Status struct{ ObservedGeneration int }
		}
		if err := json.Unmarshal(again, &read); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(struct {
			Observed int `json:"observed"`
			Fields   int `json:"fields"`
			Versions int `json:"versionFields"`
		}{read.Status.ObservedGeneration, len(read.Spec.SelectableFields),
			len(read.Spec.Versions[0].SelectableFields)})
		if err != nil || string(got) != c.want || read.Spec.Version != "v1" {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, c.want)
		}
	}
}
