package crdsem

import (
	"context"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// updating is the strategy of an update.
type updating struct{}

// prepare is the server's PrepareForUpdate and what comes with it: the object
// gets what an update cannot change from the old object, and the generation
// grows if anything but metadata changed.
func (updating) prepare(ctx context.Context, r *request) bool {
	if !r.loadOld(ctx) || !r.match() {
		return false
	}
	r.object.SetGeneration(r.old.Generation())
	if r.version.model.HasStatus {
		r.keepStatus()
	}
	if !sameContent(r.object.Fields(), r.old.Fields()) {
		r.object.SetGeneration(r.old.Generation() + 1)
	}
	r.inherit()
	return true
}

// updatingStatus is the strategy of an update of the status subresource.
type updatingStatus struct{}

// prepare is the server's PrepareForUpdate of the status: everything but the
// status, and managedFields that a merge set, is that of the old object.
func (updatingStatus) prepare(ctx context.Context, r *request) bool {
	if !r.loadOld(ctx) {
		return false
	}
	if !r.version.model.HasStatus {
		return r.refuse(notServed("PIPE-031", r.version.def.resource(), r.old.Fields()))
	}
	if !r.match() {
		return false
	}
	r.nameObject() // by the object that was sent
	status, ok := r.object.Fields()["status"]
	managers, managed := r.object.Meta("managedFields").([]any)
	r.object = r.old.Share()
	if managed {
		r.object.SetMeta("managedFields", managers)
	}
	if ok {
		r.object.Set("status", status)
	} else {
		r.object.Remove("status")
	}
	return true
}

// keepStatus gives the object the status of the old one. The same status stays,
// so that the object need not be copied.
func (r *request) keepStatus() {
	status, ok := r.old.Fields()["status"]
	if !ok {
		r.dropStatus()
		return
	}
	switch own, has := r.object.Fields()["status"]; {
	case !has:
		r.object.Set("status", status)
	case !jsonvalue.EqualExactly(own, status):
		r.recordDroppedStatus()
		r.object.Set("status", status)
	}
}

// inherit gives the object the metadata that an update can neither change nor
// leave out.
func (r *request) inherit() {
	if r.object.MetaText("uid") == "" {
		r.object.SetMetaText("uid", r.old.MetaText("uid"))
	}
	for _, key := range [...]string{"creationTimestamp", "deletionTimestamp"} {
		if time := r.old.MetaText(key); time != "" {
			r.object.SetMeta(key, r.old.Meta(key))
		}
	}
	const grace = "deletionGracePeriodSeconds"
	if _, ok := r.old.Meta(grace).(int64); ok {
		if _, has := r.object.Meta(grace).(int64); !has {
			r.object.SetMeta(grace, r.old.Meta(grace))
		}
	}
}

// match brings the object and the old one together: same namespace, same name,
// same resourceVersion.
func (r *request) match() bool {
	if err := r.setNamespace(&r.old); err != nil {
		return r.refuse(err)
	}
	name, url := r.object.MetaText("name"), r.old.MetaText("name")
	switch {
	case name == "":
		return r.refuse(badRequest(
			"PIPE-016",
			"the name of the object (%s based on URL) was undeterminable: name must be provided",
			url,
		))
	case name != url:
		return r.refuse(badRequest("PIPE-016", otherName, name, url))
	}
	r.dedupOwnerReferences()
	r.dropManagers()
	if !r.matchVersion(name) {
		return false
	}
	if claimOf(r.object.Fields()).version == "" { // a patch can remove it
		missing := missingVersionError("object has no apiVersion field")
		return r.refuse(internal("PIPE-019", missing))
	}
	return true
}

// matchVersion checks the resourceVersion, which an update must have
// (PIPE-016). The server compares numbers.
func (r *request) matchVersion(name string) bool {
	version, stored := r.object.MetaText("resourceVersion"), r.old.MetaText("resourceVersion")
	if r.choices.concurrency != RequireResourceVersion {
		if version == "" {
			r.filled = true
			r.object.SetMeta("resourceVersion", stored)
		}
		return true
	}
	if version == stored {
		return true
	}
	number, err := revision(version)
	switch current, _ := revision(stored); {
	case err != nil:
		return r.refuse(unclassified("PIPE-016", err.Error()))
	case number == 0:
		r.result.subject = r.version.def.resource() // where other answers have the kind
		path := field.NewPath("metadata", "resourceVersion")
		err := field.Invalid(path, uint64(0), "must be specified for an update")
		r.result.Errors = field.ErrorList{err.WithOrigin("PIPE-016")}
		return false
	case number != current:
		return r.refuse(conflict(r.version.def.resource(), name))
	}
	return true
}

// revision returns a resourceVersion as a number, 0 if it is empty.
func revision(version string) (uint64, error) {
	if version == "" {
		return 0, nil
	}
	return strconv.ParseUint(version, 10, 64)
}

// sameContent reports whether two objects are equal except for their metadata
// (PIPE-017).
func sameContent(a, b map[string]any) bool {
	if contentLen(a) != contentLen(b) {
		return false
	}
	for key, value := range a {
		if key == "metadata" {
			continue
		}
		if other, ok := b[key]; !ok || !jsonvalue.EqualSemantic(value, other) {
			return false
		}
	}
	return true
}

func contentLen(object map[string]any) int {
	if _, ok := object["metadata"]; ok {
		return len(object) - 1
	}
	return len(object)
}
