package server

import (
	"errors"
	"fmt"
	"maps"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/kube/server/internal/builtin"
)

// updateBuiltIn answers a PUT of a built-in kind.
func (r *request) updateBuiltIn() (*answer, error) {
	chosen, err := r.updateOptions()
	if err != nil {
		return nil, err
	}
	object, err := r.decoded(r.body, r.media(), chosen)
	if err != nil {
		return nil, err
	}
	if err := r.inNamespace(object); err != nil {
		return nil, err
	}
	if err := r.isOfURL(object); err != nil {
		return nil, err
	}
	d := &draft{request: r, choices: chosen, sent: object}
	if err := d.load(); apierrors.IsNotFound(err) && r.createsByUpdate() {
		return d.create()
	} else if err != nil {
		return nil, err
	}
	return d.update(object)
}

// createsByUpdate reports whether a PUT creates an object of the kind: the
// AllowCreateOnUpdate of its strategy.
func (r *request) createsByUpdate() bool {
	switch r.names.Kind {
	case "ClusterRole", "ClusterRoleBinding", "Endpoints", "Event", "Lease", "LeaseCandidate",
		"LimitRange", "Role", "RoleBinding", "RuntimeClass", "Service":
		return r.subresource == ""
	}
	return false
}

// needsRevision reports whether a PUT of the kind names the resourceVersion
// that it replaces: the AllowUnconditionalUpdate of its strategy.
func (r *request) needsRevision() bool {
	switch r.resource.Group {
	case "admissionregistration.k8s.io", "apiregistration.k8s.io", definitionGroup,
		"coordination.k8s.io", "internal.apiserver.k8s.io", "node.k8s.io",
		"storagemigration.k8s.io":
		return true
	}
	switch r.resource.Resource {
	case "clustertrustbundles", "compositepodgroups", "csidrivers", "csinodes",
		"csistoragecapacities", "podcertificaterequests", "poddisruptionbudgets", "podgroups",
		"resourcepoolstatusrequests", "volumeattachments", "workloads":
		return true
	}
	return false
}

// isOfURL refuses an object of another name than that of the URL.
func (r *request) isOfURL(object map[string]any) error {
	switch name := metaText(object, "name"); name {
	case r.name:
		return nil
	case "":
		return apierrors.NewBadRequest(fmt.Sprintf(
			"the name of the object (%s based on URL) was undeterminable: name must be provided",
			r.name))
	default:
		return apierrors.NewBadRequest(fmt.Sprintf(
			"the name of the object (%s) does not match the name on the URL (%s)", name, r.name))
	}
}

// load reads the stored object.
func (d *draft) load() (err error) {
	if d.old, err = d.request.live(); err != nil {
		return err
	}
	d.live, err = d.readForWrite(d.old)
	return err
}

// keepsUID refuses an object with the uid of another one. For a PUT that is a
// precondition, and what a patch changes is validated.
func (d *draft) keepsUID(object map[string]any) error {
	uid := metaText(object, "uid")
	if d.http.Method == http.MethodPut || uid == "" || uid == metaText(d.live, "uid") {
		return d.sameUID(uid, d.live)
	}
	of := schema.GroupKind{Group: d.resource.Group, Kind: d.names.Kind}
	return apierrors.NewInvalid(of, d.name, field.ErrorList{
		field.Invalid(field.NewPath("metadata", "uid"), uid, "field is immutable"),
	})
}

// update stores the object in place of the one that was read.
func (d *draft) update(object map[string]any) (*answer, error) {
	if err := d.keepsUID(object); err != nil {
		return nil, err
	}
	revision := metaText(object, "resourceVersion")
	if revision == "" && d.needsRevision() && d.http.Method == http.MethodPut {
		return nil, d.withoutRevision()
	}
	if revision != "" && revision != metaText(d.live, "resourceVersion") {
		return nil, apierrors.NewConflict(d.resource, d.name, errors.New("the object has been "+
			"modified; please apply your changes to the latest version and try again"))
	}
	object = d.merged(object)
	for _, key := range []string{
		"resourceVersion", "uid", "creationTimestamp", "deletionTimestamp",
		"deletionGracePeriodSeconds", "generation", "selfLink",
	} {
		object = withMeta(object, key, metaOf(d.live)[key])
	}
	if d.builtin.HasGeneration() && !isSameSpec(object, d.live) {
		generation, _ := metaOf(d.live)["generation"].(int64)
		object = withMeta(object, "generation", generation+1)
	}
	object, err := d.admitted(object)
	if err != nil {
		return nil, err
	}
	managed, _ := metaOf(object)["managedFields"].([]any)
	return d.replace(d.old, object, tracking{managed: managed})
}

// merged returns the part of an object that the request may write, with the
// rest of the live object.
func (d *draft) merged(object map[string]any) map[string]any {
	out := maps.Clone(d.live)
	switch d.subresource {
	case "":
		out = maps.Clone(object)
		if d.builtin.Resource.Has(builtin.Status) {
			delete(out, "status")
			if status, ok := d.live["status"]; ok {
				out["status"] = status
			}
		}
		return out
	case builtin.Status, approval:
		if d.resource == namespaces { // only its spec stays
			out["metadata"] = object["metadata"]
		}
		out["status"] = object["status"]
		for _, key := range []string{"annotations", "finalizers", "labels"} {
			if key != "labels" || d.names.Kind == "Pod" { // whose labels may change
				out = withMeta(out, key, metaOf(object)[key])
			}
		}
	case finalize, "ephemeralcontainers", "resize":
		out["spec"] = object["spec"]
	}
	return out
}

// isSameSpec reports whether two objects differ in their metadata and status
// only.
func isSameSpec(a, b map[string]any) bool {
	strip := func(object map[string]any) map[string]any {
		out := maps.Clone(object)
		delete(out, "metadata")
		delete(out, "status")
		return out
	}
	return isSame(strip(a), strip(b))
}
