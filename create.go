package crdsem

import (
	"context"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
)

// creating is the strategy of a create.
type creating struct{}

// prepare is the server's PrepareForCreate and what comes with it: what only
// the server sets is removed, and so is the status if it is a subresource; the
// generation is 1.
func (creating) prepare(_ context.Context, r *request) bool {
	for _, key := range [...]string{
		"uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink",
	} {
		r.object.RemoveMeta(key)
	}
	r.dropManagers()
	if err := r.setNamespace(&r.object); err != nil {
		return r.refuse(err)
	}
	r.dedupOwnerReferences()
	if err := r.checkRevision(); err != nil {
		return r.refuse(err)
	}
	if base := r.object.MetaText("generateName"); base != "" && r.object.MetaText("name") == "" {
		r.object.SetMeta("name", generatedName(base))
	}
	if r.version.model.HasStatus {
		r.dropStatus()
	}
	r.object.SetMeta("generation", int64(1))
	return true
}

// checkRevision refuses a new object of an apply with a resourceVersion that is
// no number (PIPE-016). That of a create is looked at in the end.
func (r *request) checkRevision() error {
	if r.source != fromMerge {
		return nil
	}
	if _, err := revision(r.object.MetaText("resourceVersion")); err != nil {
		return unclassified("PIPE-016", err.Error())
	}
	return nil
}

// dropStatus removes the status and records that it is not stored.
func (r *request) dropStatus() {
	if _, has := r.object.Fields()["status"]; has {
		r.recordDroppedStatus()
		r.object.Remove("status")
	}
}

// recordDroppedStatus records that the status of the decoded object is not
// stored, unless it is a default. Changes below it are no longer listed, except
// unknown fields, which the server warns of.
func (r *request) recordDroppedStatus() {
	sent := true
	below := func(c Change) bool {
		in := c.Path == "status" || strings.HasPrefix(c.Path, "status.")
		sent = sent && (c.Action != Defaulted || c.Path != "status")
		return in && c.Action != Pruned && c.Action != MetadataPruned
	}
	r.result.Provenance = slices.DeleteFunc(r.result.Provenance, below)
	r.result.Defaulted = slices.DeleteFunc(r.result.Defaulted, func(path string) bool {
		return path == "status" || strings.HasPrefix(path, "status.")
	})
	if sent {
		r.result.Provenance = append(r.result.Provenance,
			Change{Action: StatusDropped, Path: "status", Schema: "openAPIV3Schema",
				Pointer: "/status", Value: r.object.Fields()["status"]})
	}
}

// generatedName returns a name as the server makes it from a generateName, with
// a suffix that is always the same.
func generatedName(base string) string {
	const suffix, longest = "00000", 63
	return base[:min(len(base), longest-len(suffix))] + suffix
}

// defaultNamespace is the namespace of requests that do not name one.
const defaultNamespace = "default"

// setNamespace puts the object into the namespace of the request. Without the
// option [Namespace] this is that of resident, the old or the new object.
func (r *request) setNamespace(resident *sharedObject) error {
	namespace := r.object.MetaText("namespace")
	if r.version.def.scope == metadata.ClusterScoped {
		r.object.RemoveMeta("namespace")
		return nil
	}
	expected := r.choices.namespace
	if expected == "" {
		expected = resident.MetaText("namespace")
	}
	if expected == "" {
		expected = defaultNamespace
	}
	switch namespace {
	case expected:
	case "":
		r.object.SetMeta("namespace", expected)
	default:
		return badRequest("PIPE-011", otherNamespace)
	}
	return nil
}

// Texts about an object that was sent to the URL of another one.
const (
	otherNamespace = "the namespace of the provided object does not match " +
		"the namespace sent on the request"
	otherName = "the name of the object (%s) does not match the name on the URL (%s)"
)

// dropManagers removes managedFields, unless a merge set them.
func (r *request) dropManagers() {
	if r.source != fromMerge {
		r.object.RemoveMeta("managedFields")
	}
}

// dedupOwnerReferences removes repeated owner references and warns of them.
func (r *request) dedupOwnerReferences() {
	refs, _ := r.object.Meta("ownerReferences").([]any)
	if len(refs) < 2 {
		return
	}
	kept, repeated := metadata.DistinctOwnerReferences(refs)
	if len(repeated) == 0 {
		return
	}
	when := ""
	// The server looks at patched and merged objects only after admission.
	if r.source == fromPatch || r.source == fromMerge {
		when = " after mutating admission happens"
	}
	r.warn(".metadata.ownerReferences contains duplicate entries" + when +
		"; API server dedups owner references in 1.20+, and may reject such requests as early as " +
		"1.24; please fix your requests; duplicate UID(s) observed: " +
		strings.Join(repeated, ", "))
	r.object.SetMeta("ownerReferences", kept)
}
