package crdsem

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/jsonpatch"
)

// PatchType is the language of a patch: the media type that a request names.
type PatchType string

// The languages of patches (PIPE-019).
const (
	// JSONPatch is a list of operations (RFC 6902).
	JSONPatch PatchType = "application/json-patch+json"
	// MergePatch is an object whose fields replace the stored ones, null removing one (RFC 7386).
	MergePatch PatchType = "application/merge-patch+json"
)

// maxOperations is how many operations a JSON patch may have.
const maxOperations = 10000

// Patch says what the server does with a patch of a stored object (PIPE-019): the object is read as by [Version.Read], patched as JSON, decoded as the
// body of a request, and updated as by [Version.Update]. Neither the patch nor the object is changed. A resourceVersion in the patch must be the
// object's, whatever the [Concurrency]. A patch of another type than those above is refused as of an unknown media type.
func (v *Version) Patch(ctx context.Context, patch []byte, patchType PatchType, stored map[string]any, options ...Option) *Result {
	a := v.admission(options)
	return a.run(ctx, a.patch(ctx, &patchBody{patch, patchType}, stored), a.update)
}

// PatchStatus is Patch for the status subresource: only the status of the patched object counts, as in [Version.UpdateStatus] (PIPE-030).
func (v *Version) PatchStatus(ctx context.Context, patch []byte, patchType PatchType, stored map[string]any, options ...Option) *Result {
	a := v.admission(options)
	if !v.model.HasStatus {
		return a.run(ctx, notFound(), a.updateStatus)
	}
	return a.run(ctx, a.patch(ctx, &patchBody{patch, patchType}, stored), a.updateStatus)
}

// patch makes the object that the patch of a stored one asks for.
func (a *admission) patch(ctx context.Context, patch *patchBody, stored map[string]any) error {
	if err := patch.check(); err != nil {
		return err
	}
	out, err := a.read(ctx, stored)
	if err != nil {
		return err
	}
	a.settle(&out)
	a.patched = true
	a.concurrency = Unconditional // what has no resourceVersion cannot ask for one
	if metaString(out.object, "resourceVersion") != "" {
		a.concurrency = RequireResourceVersion
	}
	doc, err := jsonvalue.EncodeStored(out.object)
	if err != nil {
		return &ValueError{err}
	}
	text, strict, err := patch.apply(doc, a.fieldValidation)
	if err != nil {
		return err
	}
	return a.decodePatched(text, strict)
}

// decodePatched decodes a patched object as the body of a request. strict holds what a strict decoder objects to in the patch.
func (a *admission) decodePatched(text []byte, strict []error) error {
	object, duplicates, err := parsePatched(text)
	if err != nil {
		return invalidPatch(text, err)
	}
	out, err := a.def.coerce(object, fromRequest)
	if err != nil {
		return invalidPatch(text, err)
	}
	a.draft = newDraft(out.object, out.normal)
	a.result.tell(&out)
	if objections := a.objections(append(strict, duplicates...), &out); a.fieldValidation == Strict && len(objections) > 0 {
		return invalidPatch(text, strictError(objections))
	}
	return nil
}

// parsePatched parses a patched object. Its second result is what a strict decoder objects to; its error has the server's text.
func parsePatched(text []byte) (map[string]any, []error, error) {
	value, duplicates, err := jsonvalue.DecodeJSON(text)
	if object, ok := value.(map[string]any); ok && err == nil && hasPlainType(object) {
		return object, duplicates, nil
	}
	if _, err := interpret(text); err != nil {
		return nil, nil, err
	}
	var object map[string]any
	if duplicates, err = kjson.UnmarshalStrict(text, &object); err != nil {
		return nil, nil, err
	}
	if kind, _ := object["kind"].(string); kind == "" {
		return nil, nil, missingKindError(text)
	}
	return object, duplicates, nil
}

// invalidPatch is the error of a patch that leaves something that cannot be decoded.
func invalidPatch(text []byte, err error) error {
	invalid := field.Invalid(field.NewPath("patch"), string(text), err.Error())
	list := field.ErrorList{invalid}
	return &StatusError{
		Code: statusUnprocessableEntity, Reason: "Invalid", Message: fmt.Sprintf(` "" is invalid: %v`, invalid),
		Causes: causes(list), Errors: list, Err: invalid,
	}
}

// patchBody is the body of a patch request.
type patchBody struct {
	data      []byte
	patchType PatchType
}

// check refuses what the server refuses before it reads the object.
func (p *patchBody) check() error {
	if p.patchType != JSONPatch && p.patchType != MergePatch {
		const text = "the body of the request was in an unknown format - accepted media types include: " +
			"application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"
		return &StatusError{Code: statusUnsupportedMediaType, Reason: "UnsupportedMediaType", Message: text}
	}
	if !json.Valid(p.data) {
		return badRequest("invalid JSON patch")
	}
	return nil
}

// apply patches a document. Its second result is what a strict decoder objects to in the patch itself; nothing at the level Ignore.
func (p *patchBody) apply(doc []byte, level FieldValidation) ([]byte, []error, error) {
	var strict []error
	if level != Ignore {
		var err error
		if strict, err = p.strict(); err != nil {
			return nil, nil, badRequest("error decoding patch: %v", err)
		}
	}
	if p.patchType == MergePatch {
		text, err := jsonpatch.Merge(doc, p.data)
		if err != nil {
			return nil, nil, badRequest("%v", err)
		}
		return text, strict, nil
	}
	text, err := p.operate(doc)
	return text, strict, err
}

// jsonPatchOp is an operation as the server's strict decoder knows it. Its errors tell the name of the type.
type jsonPatchOp struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	From  string `json:"from"`
	Value any    `json:"value"`
}

// strict returns what a strict decoder objects to in the patch, and fails with the server's text where it cannot decode it at all.
func (p *patchBody) strict() ([]error, error) {
	if p.patchType == MergePatch {
		return kjson.UnmarshalStrict(p.data, &map[string]any{})
	}
	strict, err := kjson.UnmarshalStrict(p.data, &[]jsonPatchOp{})
	if err != nil {
		return nil, errors.New(strings.Replace(err.Error(), "crdsem.jsonPatchOp", "handlers.jsonPatchOp", 1))
	}
	for i, objection := range strict {
		strict[i] = fmt.Errorf("json patch %w", objection)
	}
	return strict, nil
}

// operate carries out a JSON patch.
func (p *patchBody) operate(doc []byte) ([]byte, error) {
	patch, err := jsonpatch.Decode(p.data)
	if err != nil {
		return nil, badRequest("%v", err)
	}
	if n := len(patch); n > maxOperations {
		return nil, &StatusError{Code: statusRequestEntityTooLarge, Reason: "RequestEntityTooLarge", Message: fmt.Sprintf(
			"Request entity too large: The allowed maximum operations in a JSON patch is %d, got %d", maxOperations, n)}
	}
	text, err := patch.Apply(doc)
	switch {
	case errors.Is(err, jsonpatch.ErrCrash):
		const text = "This request caused apiserver to panic. Look in the logs for details."
		return nil, &StatusError{Code: statusInternalServerError, Reason: "InternalError", Message: text, Err: err}
	case err != nil:
		const text = "the server rejected our request due to an error in our request"
		return nil, &StatusError{Code: statusUnprocessableEntity, Reason: "Invalid", Message: text, Err: err}
	}
	return text, nil
}
