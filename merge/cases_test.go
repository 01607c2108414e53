package merge_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/merge"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// managedInput is the input of a case of kind managedObject.
type managedInput struct {
	CRD   protocol.Input `json:"crd"`
	Steps []struct {
		Version     string         `json:"version"`
		Manager     string         `json:"manager"`
		Apply       bool           `json:"apply"`
		Force       bool           `json:"force"`
		Subresource string         `json:"subresource"`
		Object      map[string]any `json:"object"`
	} `json:"steps"`
}

type managedAnswer struct {
	Object map[string]any `json:"object"`
	Error  string         `json:"error"`
}

// Applies and updates, one after the other, of each minor (MRG-001 to MRG-025).
func TestManagedCases(t *testing.T) {
	for _, c := range vectors.Cases[managedInput, managedAnswer](t, "managedObject") {
		t.Run(c.ID, func(t *testing.T) {
			for _, minor := range minors.All() {
				got := runCase(t, c.Input, minor)
				if diff := cmp.Diff(c.For(minor.String()), got); diff != "" {
					t.Errorf("%s: %s (-want +got):\n%s", minor, c.Description, diff)
				}
			}
		})
	}
}

func runCase(t *testing.T, in managedInput, minor minors.Minor) managedAnswer {
	t.Helper()
	manager := newCaseManager(t, in.CRD, minor)
	var live map[string]any
	for _, s := range in.Steps {
		request := merge.Request{
			APIVersion:  "g.io/" + s.Version,
			Manager:     s.Manager,
			Subresource: s.Subresource,
			Force:       s.Force,
		}
		run := manager.Update
		if s.Apply {
			run = manager.Apply
		}
		var err error
		if live, err = run(t.Context(), live, s.Object, request); err != nil {
			return managedAnswer{Error: err.Error()}
		}
	}
	return managedAnswer{Object: withoutTimes(live)}
}

// newCaseManager returns the field manager of a definition, with a clock that
// goes on by a second each time.
func newCaseManager(
	t *testing.T, crd protocol.Input, minor minors.Minor,
) *merge.FieldManager {
	t.Helper()
	document, _ := crd.Document()
	decoded, _, err := definition.Parse(document)
	if err != nil {
		t.Fatal(err)
	}
	model, err := definition.Compile(decoded)
	if err != nil {
		t.Fatal(err)
	}
	var versions []merge.Version
	for _, v := range model.Versions() {
		versions = append(versions, merge.Version{
			APIVersion: model.Group() + "/" + v.Name,
			Type:       merge.Compile(v.Schema(), structural.Kubernetes(minor)),
			HasStatus:  v.HasStatus,
		})
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	hooks := merge.Hooks{Now: func() time.Time {
		now = now.Add(time.Second)
		return now
	}}
	manager, err := merge.NewFieldManager(model.Names().Kind, versions, hooks)
	if err != nil {
		t.Fatal(err)
	}
	return manager
}

// withoutTimes removes the times of managedFields.
func withoutTimes(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	for _, entry := range entries {
		if entry, ok := entry.(map[string]any); ok {
			delete(entry, "time")
		}
	}
	return object
}
