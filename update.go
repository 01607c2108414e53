package crdsem

import (
	"context"
	"errors"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/metadata"
)

// update prepares and validates an object that replaces old.
func (a *admission) update(ctx context.Context) (field.ErrorList, error) {
	if errs, err := a.meet(); err != nil || len(errs) > 0 {
		return errs, err
	}
	a.setGeneration(a.old.generation())
	if a.model.HasStatus && !a.same {
		if status, ok := a.old.object["status"]; ok {
			a.set("status", status)
		} else {
			a.remove("status")
		}
	}
	if !a.same && !a.sameContent() {
		a.setGeneration(a.old.generation() + 1)
	}
	a.inherit()
	errs := append(a.validateCommon(), a.validateUpdate(ctx)...)
	if len(errs) == 0 {
		a.warn(metadata.FinalizerWarnings(a.object, a.old.object)...)
	}
	a.hideVersion()
	return errs, nil
}

// updateStatus prepares and validates an object that has old's everything but its own status.
func (a *admission) updateStatus(ctx context.Context) (field.ErrorList, error) {
	if !a.model.HasStatus {
		return nil, notFound()
	}
	if errs, err := a.meet(); err != nil || len(errs) > 0 {
		return errs, err
	}
	a.name(&a.result) // by the object that was sent
	status, ok := a.object["status"]
	managers, managed := a.meta["managedFields"].([]any)
	a.draft = newDraft(a.old.object, a.old.normal) // which owns nothing yet
	if managed {
		a.setMeta("managedFields", managers)
	}
	if ok {
		a.set("status", status)
	} else {
		a.remove("status")
	}
	errs := append(a.validateCommon(), a.validateStatusUpdate(ctx)...)
	a.hideVersion()
	return errs, nil
}

// inherit gives the object what an update can neither change nor leave out.
func (a *admission) inherit() {
	old := a.old.meta
	if a.metaText("uid") == "" {
		a.setMetaString("uid", a.old.metaText("uid"))
	}
	for _, key := range [...]string{"creationTimestamp", "deletionTimestamp"} {
		if time, _ := old[key].(string); time != "" {
			a.setMeta(key, old[key])
		}
	}
	const grace = "deletionGracePeriodSeconds"
	if seconds, ok := old[grace].(int64); ok {
		if _, has := a.meta[grace].(int64); !has {
			a.setMeta(grace, seconds)
		}
	}
}

func (a *admission) setGeneration(n int64) {
	if n == 0 {
		a.removeMeta("generation")
		return
	}
	a.setMeta("generation", n)
}

// load takes what is stored into the request, unless that failed already.
func (a *admission) load(ctx context.Context, old map[string]any, err error) error {
	if err != nil {
		return err
	}
	out, err := a.read(ctx, old)
	if err == nil {
		a.settle(&out)
	}
	return err
}

// read decodes what is stored.
func (a *admission) read(ctx context.Context, old map[string]any) (decoded, error) {
	if old == nil {
		return decoded{}, &ValueError{errors.New("an update needs the old object")}
	}
	out, err := a.def.loadBeside(ctx, old, a.Version, &a.decoded)
	if err != nil {
		return decoded{}, &StoredError{err}
	}
	return out, nil
}

// settle takes an object that was read as the old one, with what a server's objects have and without what is left out here.
func (a *admission) settle(out *decoded) {
	stored := newDraft(out.object, out.normal)
	if a.def.scope == metadata.Namespaced && stored.metaText("namespace") == "" {
		stored.setMeta("namespace", defaultNamespace)
	}
	if stored.metaText("resourceVersion") == "" {
		stored.setMeta("resourceVersion", "1")
	}
	stored.removeMeta("managedFields")
	a.old, a.same, a.unlike = stored, out.asTwin, out.unlike
}

// meet brings the object and the old one together: same namespace, same name, same resourceVersion.
func (a *admission) meet() (field.ErrorList, error) {
	if err := a.place(&a.old); err != nil {
		return nil, err
	}
	name, url := a.metaText("name"), a.old.metaText("name")
	switch {
	case name == "":
		return nil, badRequest("the name of the object (%s based on URL) was undeterminable: name must be provided", url)
	case name != url:
		return nil, badRequest("the name of the object (%s) does not match the name on the URL (%s)", name, url)
	}
	a.dedupOwners()
	a.dropManagers()
	errs, err := a.meetVersion(name)
	if len(errs) == 0 && err == nil && claimOf(a.object).version == "" { // a patch can remove it
		err = internal(missingVersionError("object has no apiVersion field"))
	}
	return errs, err
}

// dropManagers leaves the managedFields out, but those that a merge brings.
func (a *admission) dropManagers() {
	if a.source != Applied {
		a.removeMeta("managedFields")
	}
}

// meetVersion sees to the resourceVersion, which an update must have (PIPE-016). The server compares numbers.
func (a *admission) meetVersion(name string) (field.ErrorList, error) {
	version, stored := a.metaText("resourceVersion"), a.old.metaText("resourceVersion")
	if a.concurrency != RequireResourceVersion {
		if version == "" {
			a.filled = true
			a.setMeta("resourceVersion", stored)
		}
		return nil, nil
	}
	if version == stored {
		return nil, nil
	}
	number, err := revision(version)
	switch current, _ := revision(stored); {
	case err != nil:
		return nil, unclassified(err.Error())
	case number == 0:
		a.result.subject = a.def.resource() // where others have the kind
		path := field.NewPath("metadata", "resourceVersion")
		return field.ErrorList{field.Invalid(path, uint64(0), "must be specified for an update")}, nil
	case number != current:
		return nil, conflict(a.def.resource(), name)
	}
	return nil, nil
}

// revision is the number that a resourceVersion tells, 0 for none.
func revision(version string) (uint64, error) {
	if version == "" {
		return 0, nil
	}
	return strconv.ParseUint(version, 10, 64)
}

// hideVersion takes a resourceVersion away that came from the old object.
func (a *admission) hideVersion() {
	if a.filled {
		a.removeMeta("resourceVersion")
	}
}

// sameContent tells whether the object and the old one are the same but for their metadata. It looks first where they may not be.
func (a *admission) sameContent() bool {
	return jsonvalue.EqualSemantic(a.object[a.unlike], a.old.object[a.unlike]) && sameContent(a.object, a.old.object)
}

// sameContent tells whether two objects are the same but for their metadata: absent and empty containers are equal, integers and floats are
// not (PIPE-017).
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
