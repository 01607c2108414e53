package upgrade

import (
	"slices"
	"strings"
)

// Step is one step of the procedure by which the new definition replaces the
// old one.
type Step struct {
	// Text says what to do.
	Text string `json:"text"`
	// StoredVersions is status.storedVersions after the step.
	StoredVersions []string `json:"storedVersions"`
}

// steps returns the procedure for this pair that the Kubernetes documents
// describe: objects are written again before their version is removed, and
// status.storedVersions no longer names a version that is removed.
//
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#upgrade-existing-objects-to-a-new-stored-version
func (r *Report) steps() []Step {
	is := r.changed.model.StorageVersion()
	if is == nil {
		return nil
	}
	p := &procedure{stored: r.storedVersions()}
	removed := r.removed(p.stored)
	if len(removed) > 0 {
		p.store(is.Name)
		p.add("apply the new definition with " + versions(removed) + " kept and no longer served")
		p.migrate(is.Name)
	}
	p.store(is.Name)
	p.add("apply the new definition")
	if len(p.stored) > 1 {
		p.migrate(is.Name)
	}
	return p.steps
}

// storedVersions returns the stored versions of the old definition. Without a
// status it is the storage version.
func (r *Report) storedVersions() []string {
	stored := slices.Clone(r.old.model.StoredVersions())
	if v := r.old.model.StorageVersion(); v != nil && !slices.Contains(stored, v.Name) {
		stored = append(stored, v.Name)
	}
	return stored
}

// removed returns the stored versions that the new definition lacks.
func (r *Report) removed(stored []string) []string {
	var removed []string
	for _, name := range stored {
		if r.changed.model.Version(name) == nil {
			removed = append(removed, name)
		}
	}
	return removed
}

type procedure struct {
	stored []string
	steps  []Step
}

func (p *procedure) add(text string) {
	p.steps = append(p.steps, Step{text, slices.Clone(p.stored)})
}

// store notes that a definition with another storage version is applied.
func (p *procedure) store(version string) {
	if !slices.Contains(p.stored, version) {
		p.stored = append(p.stored, version)
	}
}

// migrate adds the steps after which all objects are stored in one version.
func (p *procedure) migrate(to string) {
	others := slices.DeleteFunc(slices.Clone(p.stored), func(v string) bool { return v == to })
	p.add("write every object again, so that none is stored in " + versions(others))
	p.stored = []string{to}
	p.add("set status.storedVersions of the definition to " + versions(p.stored))
}

func versions(list []string) string { return strings.Join(list, ", ") }
