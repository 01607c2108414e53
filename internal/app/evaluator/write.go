package evaluator

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/typemeta"
)

// write is a request that changes a stored object, or creates one by an apply.
type write struct {
	*evaluator
	req      *protocol.Request
	def      *crdsem.Definition
	version  *crdsem.Version
	stored   map[string]any // nil if there is none
	sent     crdsem.Request
	warnings []string
}

// written answers the ops update, status, patch and apply.
func (e *evaluator) written(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	w, err := e.begin(req)
	if err == nil {
		err = w.check()
	}
	if err == nil {
		err = w.fill()
	}
	if err != nil {
		return nil, err
	}
	ctx = w.managers.At(ctx, writeTime)
	result := w.version.Do(ctx, w.sent)
	w.warnings = result.Warnings
	if result.Stage != crdsem.StageDecode {
		if other := w.otherUID(); other != nil {
			w.warnings = w.deprecated(ctx)
			return w.refused(other)
		}
	}
	if err := result.Err(); err != nil {
		return w.refused(err)
	}
	object, err := w.managed(ctx, result.Object)
	if err != nil {
		return nil, err
	}
	return w.done(ctx, object)
}

// begin reads the definition, the version and the stored object of a request.
func (e *evaluator) begin(req *protocol.Request) (*write, error) {
	def, err := e.definitions.of(req.CRD, minorOf(req)).compiled()
	if err != nil {
		return nil, fmt.Errorf("crd is not usable: %w", err)
	}
	w := &write{evaluator: e, req: req, def: def}
	if w.version, err = def.Version(req.Version); err != nil {
		return nil, err
	}
	if !req.Stored.Given() {
		return w, nil
	}
	w.stored, err = decodeMap("stored", req.Stored)
	if err != nil {
		return nil, err
	}
	if metaText(w.stored, "resourceVersion") == "" {
		w.stored = typemeta.WithMetadata(w.stored, "resourceVersion", "1")
	}
	if metaText(w.stored, "namespace") == "" && def.Model().Scope() == definition.Namespaced {
		w.stored = typemeta.WithMetadata(w.stored, "namespace", "default")
	}
	return w, nil
}

// check rejects requests that a server could not get, and those that this
// program cannot answer.
func (w *write) check() error {
	levels := []string{"", "Strict", "Warn", "Ignore"}
	_, known := patchTypes[w.req.Type]
	switch {
	case !slices.Contains(levels, w.req.FieldValidation):
		return fmt.Errorf("fieldValidation %q is not known", w.req.FieldValidation)
	case w.req.Subresource != "" && w.req.Subresource != "status":
		return fmt.Errorf("subresource %q is not known", w.req.Subresource)
	case w.req.Op == protocol.OpPatch && !known:
		return fmt.Errorf("type of patch %q is not known", w.req.Type)
	case w.req.Op == protocol.OpApply && w.req.Subresource != "" && w.stored == nil:
		return errors.New(`missing input "stored" of an apply to the status`)
	case w.stored == nil && w.req.Op != protocol.OpApply:
		return errors.New("stored is null")
	}
	return nil
}

// patchTypes are the types of patches. A server does not know the strategic one
// for custom resources.
var patchTypes = map[string]crdsem.PatchType{
	protocol.PatchJSON:      crdsem.JSONPatch,
	protocol.PatchMerge:     crdsem.MergePatch,
	protocol.PatchStrategic: "application/strategic-merge-patch+json",
}

// fill makes the request that is asked for.
func (w *write) fill() error {
	body, format := w.req.Object.Document()
	w.sent = crdsem.Request{
		Verb: crdsem.VerbUpdate, Subresource: crdsem.Subresource(w.req.Subresource),
		Body: body, Format: crdsem.Encoding(format), Old: w.stored,
		FieldValidation: crdsem.Strictness(w.req.FieldValidation),
		Namespace:       metaText(w.stored, "namespace"),
		Concurrency:     crdsem.RequireResourceVersion,
		FieldManager:    w.req.Manager, Force: w.req.Force,
	}
	switch w.req.Op {
	case protocol.OpStatus:
		w.sent.Subresource = crdsem.SubresourceStatus
	case protocol.OpPatch:
		w.sent.Verb, w.sent.PatchType = crdsem.VerbPatch, patchTypes[w.req.Type]
		w.sent.Body, _ = w.req.Patch.Document()
	case protocol.OpApply:
		w.sent.Verb = crdsem.VerbApply
		return w.fillApply()
	}
	return nil
}

// fillApply rejects an apply that is not sent to a name.
func (w *write) fillApply() error {
	if w.stored != nil {
		return nil
	}
	object, err := decodeMap("object", w.req.Object)
	if err == nil && metaText(object, "name") == "" {
		err = errors.New("the object has no name, so that no URL is known")
	}
	return err
}

// otherUID is the store's answer to an update of another object of the name.
func (w *write) otherUID() error {
	if w.sent.Verb != crdsem.VerbUpdate || w.req.Op == protocol.OpScale {
		return nil
	}
	object, _, err := w.sent.Format.Decode(w.sent.Body)
	uid, stored := metaText(object, "uid"), metaText(w.stored, "uid")
	if err != nil || uid == "" || uid == stored {
		return nil
	}
	const text = "Operation cannot be fulfilled on %s %q: StorageError: invalid object, Code: 4, " +
		"Key: %s, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: " +
		"UID in precondition: %s, UID in object meta: %s"
	model, name := w.def.Model(), metaText(w.stored, "name")
	key := "/" + model.Group() + "/" + model.Names().Plural + "/"
	if namespace := metaText(w.stored, "namespace"); namespace != "" {
		key += namespace + "/"
	}
	resource := model.Names().Plural + "." + model.Group()
	return &crdsem.StatusError{
		Code: 409, Reason: "Conflict",
		Message: fmt.Sprintf(text, resource, name, key+name, uid, stored),
	}
}

// deprecated returns the warnings of every request, without those about the
// validated object.
func (w *write) deprecated(ctx context.Context) []string {
	return w.version.Read(ctx, w.stored).Warnings
}

// refused answers a request that is refused. An error that is not a server's is
// a fault.
func (w *write) refused(err error) (protocol.Result, error) {
	status, ok := errors.AsType[*crdsem.StatusError](err)
	if !ok {
		return nil, err
	}
	answer := protocol.Answered{
		Code: status.Code, Reason: status.Reason, Message: status.Message,
		Warnings: w.warnings, Rule: status.Rule,
	}
	for _, c := range status.Causes {
		answer.Causes = append(answer.Causes, protocol.Cause(c))
	}
	return answer, nil
}

// done stores an object and answers with what the client gets.
func (w *write) done(ctx context.Context, object map[string]any) (protocol.Result, error) {
	// The store drops selfLink.
	next := w.version.Write(ctx, typemeta.WithMetadata(object, "selfLink", nil))
	if err := next.Err(); err != nil {
		return nil, err
	}
	answer := protocol.Answered{Code: 200, Warnings: w.warnings}
	if w.stored == nil {
		answer.Code = 201
	}
	shown, stored := w.shown(next.Answer.Object), w.shown(next.Stored.Object)
	answer.Object = shown
	same, err := equalJSON(shown, stored)
	if !same {
		answer.Stored = stored
	}
	return answer, err
}

// equalJSON reports whether two objects have the same JSON.
func equalJSON(a, b map[string]any) (bool, error) {
	first, err := protocol.AppendValue(nil, a)
	if err != nil {
		return false, err
	}
	second, err := protocol.AppendValue(nil, b)
	return string(first) == string(second), err
}
