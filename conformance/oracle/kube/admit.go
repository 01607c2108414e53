package kube

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/crdsem/crdsem/internal/app/protocol"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/handlers"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
	"k8s.io/apiserver/pkg/warning"
)

// defaultNamespace is the namespace of a request whose object has none.
const defaultNamespace = "default"

// admit answers with the decoders of decoder.go and the registry's strategies,
// in the order of the server's create and update handlers.
func admit(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	crd, err := servedDefinition(req.CRD)
	if err != nil {
		return nil, err
	}
	res, err := newResource(crd, req.Version)
	if err != nil {
		return nil, err
	}
	return res.admit(ctx, req)
}

func (r *resource) admit(
	ctx context.Context, req *protocol.Request,
) (protocol.Result, error) {
	a := &admission{resource: r, req: req, recorder: &warnings{}}
	a.ctx = warning.WithWarningRecorder(ctx, a.recorder)
	if text := r.deprecation(); text != "" {
		a.recorder.AddWarning("", text)
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	stage, errs, err := a.run()
	if err != nil {
		return nil, err
	}
	result := protocol.Admitted{
		Stage:         stage,
		UnknownFields: a.unknown,
		Errors:        errs,
		Warnings:      a.recorder.texts,
	}
	if stage != protocol.StageDecode {
		result.Object = a.shown()
	}
	return result, nil
}

// admission is the state of one request.
type admission struct {
	*resource
	ctx      context.Context
	req      *protocol.Request
	recorder *warnings

	object  *unstructured.Unstructured
	old     *unstructured.Unstructured
	unknown []string
	filled  bool // the object took its resourceVersion from old
}

// check rejects requests that a server could not get.
func (a *admission) check() error {
	switch {
	case !slices.Contains([]string{"", "Strict", "Warn", "Ignore"}, a.req.FieldValidation):
		return fmt.Errorf("fieldValidation %q is not known", a.req.FieldValidation)
	case !slices.Contains([]string{"", "status"}, a.req.Subresource):
		return fmt.Errorf("subresource %q is not known", a.req.Subresource)
	case a.req.Subresource != "" && a.status == nil:
		return fmt.Errorf("version %q has no status subresource", a.req.Version)
	case a.req.Subresource != "" && !a.req.Old.Given():
		return errors.New(`missing input "old" of a status update`)
	}
	return nil
}

// load decodes the stored object of an update. The server reads it after
// decoding the request.
func (a *admission) load() error {
	if !a.req.Old.Given() {
		return nil
	}
	doc, err := jsonOf(a.req.Old)
	if err == nil {
		a.old, err = a.decodeStored(doc)
	}
	if err != nil {
		return fmt.Errorf("old does not decode: %w", err)
	}
	a.prepareOld()
	return nil
}

// run decodes, prepares and validates. Errors in the last result are faults.
func (a *admission) run() (string, []protocol.FieldError, error) {
	if err := a.decode(); err != nil {
		return protocol.StageDecode, pseudoError(protocol.DecodeError, err.Error()), nil
	}
	if err := a.load(); err != nil {
		return "", nil, err
	}
	errs, err := a.validated()
	switch {
	case errors.As(err, new(*requestError)):
		return protocol.StageDecode, pseudoError(protocol.DecodeError, err.Error()), nil
	case err != nil:
		return "", nil, err
	case len(errs) > 0:
		return protocol.StageInvalid, fieldErrors(errs), nil
	}
	return protocol.StageAdmitted, nil, nil
}

// decode decodes the request's body as the handlers do, field validation
// included.
func (a *admission) decode() error {
	doc, format := a.req.Object.Document()
	_, _, unknown, _ := a.decodeRequest(doc, format, fromStrictRequest, newObject(a.kind))
	a.unknown = append([]string{}, unknown...)
	sort.Strings(a.unknown)
	from := fromStrictRequest
	if a.req.FieldValidation == "Ignore" {
		from = fromRequest
	}
	original := newObject(a.kind)
	object, gvk, _, err := a.decodeRequest(doc, format, from, original)
	strict, isStrict := runtime.AsStrictDecodingError(err)
	if isStrict && object != nil && a.req.FieldValidation != "Strict" {
		a.recorder.addStrict(strict.Errors())
		err = nil
	}
	if err != nil {
		return undecoded(err, original, gvk, doc)
	}
	a.object = object
	if gvk.GroupVersion() != a.kind.GroupVersion() {
		return fmt.Errorf(
			"the API version in the data (%s) does not match the expected API version (%s)",
			gvk.GroupVersion(),
			a.kind.GroupVersion(),
		)
	}
	return nil
}

// undecoded words the error of a body that does not decode into original, as
// the handlers do. They ask the original object for its kind, and a strict
// error leaves there what the body has.
func undecoded(
	err error, original *unstructured.Unstructured, gvk *schema.GroupVersionKind, doc []byte,
) error {
	kinds, _, typeErr := crdserverscheme.NewUnstructuredObjectTyper().ObjectKinds(original)
	if typeErr != nil {
		return typeErr
	}
	if gvk != nil && gvk.Kind != "" {
		return fmt.Errorf("%s in version %q cannot be handled as a %s: %w", gvk.Kind, gvk.Version,
			kinds[0].Kind, err)
	}
	return fmt.Errorf("the object provided is unrecognized (must be of type %s): %w (%s)",
		kinds[0].Kind, err, summary(doc))
}

// summary returns the start of a body.
func summary(doc []byte) string {
	const most = 30
	switch {
	case len(doc) == 0:
		return "<empty>"
	case doc[0] == '{' && len(doc) > most:
		return string(doc[:most]) + " ..."
	case doc[0] == '{':
		return string(doc)
	case len(doc) > most:
		return fmt.Sprintf("%x ...", doc[:most])
	}
	return fmt.Sprintf("%x", doc)
}

// requestError is an error that the server finds before validation.
type requestError struct{ err error }

func (e *requestError) Error() string { return e.err.Error() }

// namespaced reports whether the objects are namespaced.
func (r *resource) namespaced() bool { return r.crd.Spec.Scope == v1.NamespaceScoped }

// placed returns the context of a request in a namespace.
func (a *admission) placed(namespace string) context.Context {
	return genericrequest.WithNamespace(a.ctx, namespace)
}

// namespaceOf returns the namespace of the request for an object.
func (a *admission) namespaceOf(object *unstructured.Unstructured) string {
	switch {
	case !a.namespaced():
		return metav1.NamespaceNone
	case object.GetNamespace() == metav1.NamespaceNone:
		return defaultNamespace
	}
	return object.GetNamespace()
}

// create prepares and validates a new object.
func (a *admission) create() (field.ErrorList, error) {
	namespace := a.namespaceOf(a.object)
	rest.WipeObjectMetaSystemFields(a.object)
	if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(namespace, a.object); err != nil {
		return nil, &requestError{err}
	}
	a.dedupOwners()
	a.object.SetManagedFields(nil)
	rest.FillObjectMetaSystemFields(a.object)
	generated := a.object.GetGenerateName() != "" && a.object.GetName() == ""
	if generated {
		a.object.SetName(fixedNames{}.GenerateName(a.object.GetGenerateName()))
	}
	ctx := a.placed(namespace)
	if err := rest.BeforeCreate(preparing{a.main}, ctx, a.object); err != nil && !invalid(err) {
		return nil, &requestError{err}
	}
	// Values that the server has just generated would appear in the texts of
	// errors.
	a.object.SetUID("")
	a.object.SetCreationTimestamp(metav1.Time{})
	errs := validateCreate(ctx, a.object, a.main)
	if len(errs) == 0 {
		a.recorder.addAll(a.main.WarningsOnCreate(ctx, a.object))
	}
	return errs, nil
}

// prepareOld adds to the stored object the metadata that every stored object
// has, e.g. a uid.
func (a *admission) prepareOld() {
	if a.namespaced() && a.old.GetNamespace() == "" {
		a.old.SetNamespace(defaultNamespace)
	}
	if a.old.GetResourceVersion() == "" {
		a.old.SetResourceVersion("1")
	}
	a.old.SetManagedFields(nil)
}

// update prepares and validates a new state of the old object.
func (a *admission) update(strategy rest.RESTUpdateStrategy) (field.ErrorList, error) {
	namespace := a.namespaceOf(a.old)
	if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(namespace, a.object); err != nil {
		return nil, &requestError{err}
	}
	if err := a.checkName(); err != nil {
		return nil, &requestError{err}
	}
	a.dedupOwners()
	a.object.SetManagedFields(nil)
	if a.filled = a.object.GetResourceVersion() == ""; a.filled {
		a.object.SetResourceVersion(a.old.GetResourceVersion())
	}
	ctx := a.placed(namespace)
	if err := rest.BeforeUpdate(preparingUpdate{strategy}, ctx, a.object, a.old); err != nil &&
		!invalid(err) {
		return nil, &requestError{err}
	}
	errs := validateUpdate(ctx, a.object, a.old, strategy)
	if len(errs) == 0 {
		a.recorder.addAll(strategy.WarningsOnUpdate(ctx, a.object, a.old))
	}
	return errs, nil
}

// checkName compares the object's name with the name in the URL, which is the
// old object's.
func (a *admission) checkName() error {
	name, url := a.object.GetName(), a.old.GetName()
	switch name {
	case "":
		return fmt.Errorf(
			"the name of the object (%s based on URL) was undeterminable: name must be provided",
			url,
		)
	case url:
		return nil
	}
	return fmt.Errorf("the name of the object (%s) does not match the name on the URL (%s)", name,
		url)
}

// dedupOwners removes duplicate owner references.
func (a *admission) dedupOwners() {
	var kept []metav1.OwnerReference
	var uids []string
	for _, ref := range a.object.GetOwnerReferences() {
		if slices.ContainsFunc(kept,
			func(other metav1.OwnerReference) bool { return sameOwner(ref, other) }) {
			uids = append(uids, string(ref.UID))
			continue
		}
		kept = append(kept, ref)
	}
	if len(uids) > 0 {
		a.recorder.AddWarning("",
			fmt.Sprintf(handlers.DuplicateOwnerReferencesWarningFormat, joined(uids)))
		a.object.SetOwnerReferences(kept)
	}
}

// shown returns the object without fields that only the server writes.
func (a *admission) shown() map[string]any {
	object := a.object.DeepCopy().Object
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return object
	}
	for _, name := range []string{"uid", "creationTimestamp", "managedFields", "generation"} {
		delete(metadata, name)
	}
	if a.filled {
		delete(metadata, "resourceVersion")
	}
	return object
}

// fixedNames generates the same name in every run.
type fixedNames struct{}

// GenerateName implements names.NameGenerator.
func (fixedNames) GenerateName(base string) string {
	const suffix = "00000"
	random := names.SimpleNameGenerator.GenerateName(base)
	return random[:len(random)-len(suffix)] + suffix
}
