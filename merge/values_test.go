package merge_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/merge"
)

// Values that are not JSON are rejected in every argument. An object that
// contains itself would exhaust the stack otherwise.
func TestValuesOutsideJSON(t *testing.T) {
	cyclic := map[string]any{"apiVersion": "g.io/v1", "kind": "Foo"}
	cyclic["spec"] = []any{cyclic}
	typ := merge.Compile(nil)
	manager, err := merge.NewFieldManager("Foo",
		[]merge.Version{{APIVersion: "g.io/v1", Type: typ}}, merge.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	good := map[string]any{"apiVersion": "g.io/v1", "kind": "Foo"}
	request := merge.Request{APIVersion: "g.io/v1", Manager: "m"}
	foreign := map[string]any{"apiVersion": "g.io/v1", "kind": "Foo", "spec": func() {}}
	for name, bad := range map[string]map[string]any{"cyclic": cyclic, "foreign": foreign} {
		for call, do := range map[string]func() error{
			"Validate": func() error { return typ.Validate(bad) },
			"Compare old": func() error {
				_, err := typ.Compare(bad, good)
				return err
			},
			"Compare new": func() error {
				_, err := typ.Compare(good, bad)
				return err
			},
			"Merge": func() error {
				_, err := typ.Merge(good, bad)
				return err
			},
			"Fields": func() error {
				_, err := typ.Fields(bad)
				return err
			},
			"Extract": func() error {
				_, err := typ.Extract(bad, merge.FieldSet{})
				return err
			},
			"Apply": func() error {
				_, err := manager.Apply(t.Context(), nil, bad, request)
				return err
			},
			"Apply live": func() error {
				_, err := manager.Apply(t.Context(), bad, good, request)
				return err
			},
			"Update": func() error {
				_, err := manager.Update(t.Context(), nil, bad, request)
				return err
			},
			"Update live": func() error {
				_, err := manager.Update(t.Context(), bad, good, request)
				return err
			},
		} {
			var refused *merge.TypeError
			if err := do(); !errors.As(err, &refused) || strings.HasPrefix(err.Error(), ":") {
				t.Errorf("%s of a %s object: %v, want a *TypeError", call, name, err)
			}
		}
	}
}
