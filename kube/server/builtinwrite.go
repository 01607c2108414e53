package server

import (
	"fmt"
	"maps"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kube/server/internal/builtin"
	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

// draft is a write to a built-in kind on its way.
type draft struct {
	*request
	choices
	old     *storage.Object // nil on a create
	live    map[string]any  // old in the version of the request
	sent    map[string]any  // as it was sent, with defaults
	managed []any           // of an apply
	crd     *definition.CRD // of a definition that is valid as it is
}

// createBuiltIn answers a POST of a built-in kind.
func (r *request) createBuiltIn() (*answer, error) {
	chosen, err := r.createOptions()
	if err != nil {
		return nil, err
	}
	object, err := r.decoded(r.body, r.media(), chosen)
	if err != nil {
		return nil, err
	}
	return (&draft{request: r, choices: chosen, sent: object}).create()
}

// create stores a new object.
func (d *draft) create() (*answer, error) {
	object, err := d.prepared()
	if err != nil {
		return nil, err
	}
	return d.insert(object)
}

// prepared returns a new object as it is inserted.
func (d *draft) prepared() (map[string]any, error) {
	object := d.sent
	if err := d.inNamespace(object); err != nil {
		return nil, err
	}
	for _, key := range []string{
		"uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink",
	} {
		object = withMeta(object, key, nil)
	}
	if d.http.Method == http.MethodPut { // of what is not there
		object = withMeta(object, "resourceVersion", nil)
	}
	if metaText(object, "resourceVersion") != "" && !d.dryRun {
		return nil, unclassified("resourceVersion should not be set on objects to be created")
	}
	if base := metaText(object, "generateName"); base != "" && metaText(object, "name") == "" {
		object = withMeta(object, "name", base[:min(len(base), 58)]+d.server.suffix())
	}
	if d.builtin.HasGeneration() {
		object = withMeta(object, "generation", int64(1))
	}
	if d.builtin.Resource.Has(builtin.Status) && d.names.Kind != "Node" {
		object = maps.Clone(object)
		if _, ok := object["status"]; ok {
			object["status"] = map[string]any{}
		}
		d.builtin.Default(object)
	}
	return d.admitted(object)
}

// inNamespace puts an object into the namespace of the request. That of an
// object of a kind without namespaces is cleared.
func (r *request) inNamespace(object map[string]any) error {
	switch namespace := metaText(object, "namespace"); {
	case !r.namespaced && namespace != "":
		delete(metaOf(object), "namespace")
	case namespace == "" && r.namespaced:
		metadata := metaOf(object)
		if metadata == nil {
			metadata = map[string]any{}
			object["metadata"] = metadata
		}
		metadata["namespace"] = r.namespace
	case namespace != r.namespace:
		return apierrors.NewBadRequest("the namespace of the provided object does not match " +
			"the namespace sent on the request")
	}
	return nil
}

// admitted completes an object, asks admission and validates it. What completes
// it has no manager.
func (d *draft) admitted(object map[string]any) (map[string]any, error) {
	by := builtin.Manager{Name: d.choices.manager, Subresource: d.trackedSubresource()}
	managed := d.managed
	if managed == nil {
		tracked, err := d.builtin.Track(d.live, d.tracked(object), by)
		if err != nil {
			return nil, apierrors.NewInternalError(err)
		}
		managed, _ = metaOf(tracked)["managedFields"].([]any)
	}
	object = withManagers(d.completed(object), managed)
	if !d.admits() {
		return object, d.valid(object)
	}
	w := d.admissionWrite(object, d.live)
	if err := d.server.admission.Mutate(d.ctx, w); err != nil {
		return nil, err
	}
	if !isSame(w.Object, object) {
		var err error
		if object, _, err = d.builtin.Normalize(w.Object); err != nil {
			return nil, apierrors.NewInternalError(err)
		}
		d.builtin.Default(object)
		w.Object = object
	}
	if err := d.valid(object); err != nil || d.live == nil { // insert asks for new objects
		return object, err
	}
	return object, d.server.admission.Validate(d.ctx, w)
}

// trackedSubresource is the subresource that managedFields name.
func (r *request) trackedSubresource() string {
	if r.subresource == finalize {
		return ""
	}
	return r.subresource
}

// tracked returns an object with the fields that can have managers, and with
// its managers. The versions of a new definition have one manager as a whole.
func (d *draft) tracked(object map[string]any) map[string]any {
	if d.live == nil && d.resource == definitions {
		object, _ = builtin.WithoutSchemas(object)
	}
	return d.withSentManagers(object)
}

// withSentManagers returns an object with the managedFields that the client
// sent, which an update may change, or with those of the live object.
func (d *draft) withSentManagers(object map[string]any) map[string]any {
	if managed, ok := metaOf(d.sent)["managedFields"].([]any); ok {
		return withManagers(object, managed)
	}
	return withMeta(object, "managedFields", metaOf(d.live)["managedFields"])
}

// valid returns the error of an object that is not valid.
func (d *draft) valid(object map[string]any) error {
	errs := d.builtin.Validate(object, d.live)
	if d.live != nil && d.subresource == "" {
		errs = append(errs, d.builtin.ValidateChange(object, d.live)...)
	}
	if len(errs) == 0 {
		if err := d.check(object); err != nil {
			return err
		}
		errs = d.builtin.ValidateStructure(d.ctx, object)
	}
	if len(errs) > 0 {
		gvk := d.groupVersion().WithKind(d.names.Kind)
		return apierrors.NewInvalid(gvk.GroupKind(), metaText(object, "name"), errs)
	}
	d.warnOfPart()
	return nil
}

// warnOfPart warns of the first write of a kind that a server validates by more
// than this one knows.
func (d *draft) warnOfPart() {
	c := d.server.cluster
	if c.quiet || !d.builtin.IsPartial() {
		return
	}
	if _, told := c.told.LoadOrStore(d.names.Kind, true); !told {
		d.warn(fmt.Sprintf("crdsem-server validates objects of kind %s in part: a cluster may "+
			"refuse what is accepted here", d.names.Kind))
	}
}
