package crdsem

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/jsonpatch"
	"github.com/crdsem/crdsem/internal/belowfacade/jsonpatch/handlers"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// PatchType is the language of a patch. It is the media type of the request.
type PatchType string

// The languages of patches (PIPE-019).
const (
	// JSONPatch is a list of operations (RFC 6902).
	JSONPatch PatchType = "application/json-patch+json"
	// MergePatch is an object whose fields replace the stored ones. A null
	// removes a field (RFC 7386).
	MergePatch PatchType = "application/merge-patch+json"
)

// ErrPatchTest is wrapped by the error of a patch whose operation "test" finds
// another value.
var ErrPatchTest = jsonpatch.ErrTest

// Check returns why a text is no patch of the language. A patch that passes can
// still fail to fit an object.
func (t PatchType) Check(patch []byte) error {
	var err error
	switch t {
	case JSONPatch:
		_, err = jsonpatch.Decode(patch)
	case MergePatch:
		_, err = jsonpatch.Merge([]byte("{}"), patch)
	default:
		err = fmt.Errorf("unknown type of patch %q: want %s or %s", string(t),
			JSONPatch, MergePatch)
	}
	return err
}

// Apply returns an object after a patch, as a server computes it, and nothing
// more: [Version.Patch] judges the result. The arguments are not changed. The
// error is that of [PatchType.Check], the reason why an operation cannot be
// carried out, e.g. [ErrPatchTest], the context's error, or a *[ValueError] if
// the result is no object.
func (t PatchType) Apply(
	ctx context.Context, object map[string]any, patch []byte,
) (map[string]any, error) {
	if err := t.Check(patch); err != nil {
		return nil, err
	}
	text, err := Encode(object)
	if err != nil {
		return nil, err
	}
	if t == MergePatch {
		text, err = jsonpatch.Merge(text, patch)
	} else {
		text, err = operate(ctx, text, patch)
	}
	if err != nil {
		return nil, err
	}
	out, _, err := JSON.Decode(text)
	if err != nil {
		return nil, &ValueError{err}
	}
	return out, nil
}

// ApplyText returns the JSON of an object after a patch, with the errors that a
// server refuses the patch with: it is [PatchType.Apply] for a server whose
// objects are not of a definition. The list strict has what a strict decoder
// rejects in the patch itself, nothing at the level Ignore. The arguments are
// not changed.
func (t PatchType) ApplyText(
	ctx context.Context, object, patch []byte, level Strictness,
) (patched []byte, strict []error, err error) {
	p := patchBody{patch, t}
	if err := p.check(profile.Latest()); err != nil {
		return nil, nil, err
	}
	return p.apply(ctx, object, level)
}

// operate does the operations of a JSON patch.
func operate(ctx context.Context, doc, patch []byte) ([]byte, error) {
	operations, err := jsonpatch.Decode(patch)
	if err != nil {
		return nil, err
	}
	return operations.Apply(ctx, doc)
}

// patchRule is the rule of patches that are refused.
const patchRule = "PIPE-019"

// maxOperations is the server's limit of operations in a JSON patch
// (maxJSONPatchOperations of k8s.io/apiserver/pkg/endpoints/handlers).
const maxOperations = 10000

// takePatch is the input of a patch: the JSON of the stored object, patched.
func (r *request) takePatch(ctx context.Context, q *Request) error {
	if err := r.version.needsStatus(q, q.Old); err != nil {
		return err
	}
	patch := patchBody{q.Body, q.PatchType}
	if err := patch.check(r.version.def.profile); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	out, err := r.readOld(ctx, q.Old)
	if err != nil {
		return err
	}
	r.source = fromPatch
	r.setOld(&out)
	r.matchLive(out.object)
	doc, err := jsonvalue.EncodeStored(out.object)
	if err != nil {
		return &ValueError{err}
	}
	r.body, r.strict, err = patch.apply(ctx, doc, r.choices.fieldValidation)
	return err
}

// matchLive requires the resourceVersion of the live object, if it has one, of
// what was made from it. An object without one cannot ask for it.
func (r *request) matchLive(live map[string]any) {
	r.choices.concurrency = Unconditional
	if metaString(live, "resourceVersion") != "" {
		r.choices.concurrency = RequireResourceVersion
	}
}

// decodePatched decodes the patched document as the body of a request.
func (r *request) decodePatched() bool {
	object, duplicates, err := r.version.def.parsePatched(r.body)
	r.decoded = newDecoded(object)
	r.strict = append(r.strict, duplicates...)
	return r.refuseBody("PIPE-002", err)
}

// parsePatched parses a patched object. The second result is what a strict
// decoder objects to. The error has the server's text.
func (d *Definition) parsePatched(text []byte) (map[string]any, []error, error) {
	value, duplicates, err := jsonvalue.DecodeJSON(text)
	if object, ok := value.(map[string]any); ok && err == nil && hasPlainType(object) {
		return object, duplicates, nil
	}
	if _, err := d.interpret(text); err != nil {
		return nil, nil, err
	}
	var object map[string]any
	if duplicates, err = jsonvalue.UnmarshalStrict(text, &object); err != nil {
		return nil, nil, err
	}
	if kind, _ := object["kind"].(string); kind == "" {
		return nil, nil, missingKindError(text)
	}
	return object, duplicates, nil
}

// invalidPatch is the error of a patched document that cannot be decoded.
func invalidPatch(rule string, text []byte, err error) error {
	invalid := field.Invalid(field.NewPath("patch"), string(text), err.Error()).WithOrigin(rule)
	list := field.ErrorList{invalid}
	causes, message := causes(list, 0)
	return &StatusError{
		Code: statusUnprocessableEntity, Reason: "Invalid", Rule: rule,
		Message: ` "" is invalid: ` + message, Causes: causes, Errors: list, Err: invalid,
	}
}

// patchBody is the body of a patch request.
type patchBody struct {
	data      []byte
	patchType PatchType
}

// check returns the error of a patch that the server of a minor refuses before
// it reads the object.
func (p *patchBody) check(of *profile.Profile) error {
	if p.patchType != JSONPatch && p.patchType != MergePatch {
		const text = "the body of the request was in an unknown format - " +
			"accepted media types include: application/json-patch+json, " +
			"application/merge-patch+json, application/apply-patch+yaml"
		return &StatusError{
			Code: statusUnsupportedMediaType, Reason: "UnsupportedMediaType", Message: text,
			Rule: patchRule,
		}
	}
	if of.EncodedPatches && !json.Valid(p.data) {
		return badRequest(patchRule, "invalid JSON patch")
	}
	return nil
}

// apply patches a document. The second result is what a strict decoder objects
// to in the patch itself; nothing at the level Ignore.
func (p *patchBody) apply(
	ctx context.Context, doc []byte, level Strictness,
) ([]byte, []error, error) {
	var strict []error
	if level != Ignore {
		var err error
		if strict, err = p.strict(); err != nil {
			return nil, nil, badRequest(patchRule, "error decoding patch: %v", err)
		}
	}
	if p.patchType == MergePatch {
		text, err := jsonpatch.Merge(doc, p.data)
		if err != nil {
			return nil, nil, badRequest(patchRule, "%v", err)
		}
		return text, strict, nil
	}
	text, err := p.operate(ctx, doc)
	return text, strict, err
}

// strict returns what a strict decoder objects to in the patch. The error has
// the server's text.
func (p *patchBody) strict() ([]error, error) {
	if p.patchType == MergePatch {
		value, duplicates, err := jsonvalue.DecodeJSON(p.data)
		if _, ok := value.(map[string]any); ok && err == nil {
			return duplicates, nil
		}
		return jsonvalue.UnmarshalStrict(p.data, &map[string]any{})
	}
	return handlers.Strict(p.data)
}

// operate does the operations of a JSON patch.
func (p *patchBody) operate(ctx context.Context, doc []byte) ([]byte, error) {
	patch, err := jsonpatch.Decode(p.data)
	if err != nil {
		return nil, badRequest(patchRule, "%v", err)
	}
	if n := len(patch); n > maxOperations {
		const text = "Request entity too large: " +
			"The allowed maximum operations in a JSON patch is %d, got %d"
		return nil, &StatusError{
			Code: statusRequestEntityTooLarge, Reason: "RequestEntityTooLarge",
			Message: fmt.Sprintf(text, maxOperations, n), Rule: patchRule,
		}
	}
	text, err := patch.Apply(ctx, doc)
	switch {
	case errors.Is(err, jsonpatch.ErrCrash):
		const text = "This request caused apiserver to panic. Look in the logs for details."
		return nil, &StatusError{
			Code: statusInternalServerError, Reason: "InternalError", Message: text,
			Rule: patchRule, Err: err,
		}
	case err != nil:
		const text = "the server rejected our request due to an error in our request"
		return nil, &StatusError{
			Code: statusUnprocessableEntity, Reason: "Invalid", Message: text, Rule: patchRule,
			Err: err,
		}
	}
	return text, nil
}
