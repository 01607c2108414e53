package crdsem

import (
	"errors"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/metadata"
	"github.com/crdsem/crdsem/internal/normalize"
)

// admission is one request on its way through the pipeline.
type admission struct {
	*Version
	request
	draft
	decoded   decoded // the request's object, as decoded
	old       draft   // without an object on create
	same      bool    // all but the metadata of object and old is known to be equal
	unlike    string  // otherwise a field in which the two may differ
	validMeta bool    // the checks of a create find nothing in the metadata
	filled    bool    // the object took its resourceVersion from old
	patched   bool    // the object was made by a patch or an apply
	warned    map[string]bool
	result    Result
}

// admission begins a request; a deprecated version warns whatever comes of it.
func (v *Version) admission(options []Option) *admission {
	a := &admission{Version: v}
	a.choose(options)
	if v.deprecated != "" {
		a.warn(v.deprecated)
	}
	return a
}

// start takes an object as the body of a request and decodes it.
func (v *Version) start(object map[string]any, options []Option) (*admission, error) {
	a := v.admission(options)
	if root, ok := metadata.NormalRoot(object); ok && a.source != Applied && !hasTypeInOtherCase(object) {
		out, err := a.def.coerceUnchecked(&root, object, fromRequest, normalize.Twin{})
		return a, a.accept(object, nil, out, err)
	}
	if err := checkValues(object); err != nil {
		return a, err
	}
	if hasPlainType(object) {
		return a, a.decode(object, nil)
	}
	data, err := jsonvalue.EncodeJSON(object)
	if err != nil {
		return a, &ValueError{err}
	}
	a.format = JSON
	return a, a.decodeBody(data)
}

// startBytes takes bytes as the body of a request and decodes it.
func (v *Version) startBytes(data []byte, options []Option) (*admission, error) {
	a := v.admission(options)
	return a, a.decodeBody(data)
}

func (a *admission) decodeBody(data []byte) error {
	object, strict, err := a.parse(data, &a.request)
	if err != nil {
		return err
	}
	return a.decode(object, strict)
}

// decode does the decode step of a request and sees to what field validation says of it. strict holds what the decoder of the body
// objects to.
func (a *admission) decode(object map[string]any, strict []error) error {
	out, err := a.take(object)
	return a.accept(object, strict, out, err)
}

// accept goes on with what came of the decode step.
func (a *admission) accept(object map[string]any, strict []error, out decoded, err error) error {
	if _, foreign := err.(*ValueError); foreign {
		return err
	}
	if err != nil {
		return a.unhandled(claimOf(object), err)
	}
	a.decoded = out
	a.draft = newDraft(out.object, out.normal)
	a.result.tell(&a.decoded)
	if err := a.validateFields(strict, &a.decoded); err != nil {
		return err
	}
	if !a.isTypeOf(&a.decoded) {
		return badRequest("the API version in the data (%s) does not match the expected API version (%s)", out.groupVersion(), a.apiVersion)
	}
	return nil
}

// take does the decode step of a request, which there is not for a merged object.
func (a *admission) take(object map[string]any) (decoded, error) {
	if a.source != Applied {
		return a.def.coerce(object, fromRequest)
	}
	a.patched = true
	return decoded{typeMeta: claimOf(object), object: object}, nil
}

// claimOf is the type that an object claims to have, as far as it can be read.
func claimOf(object map[string]any) typeMeta {
	kind, _ := object["kind"].(string)
	apiVersion, _ := object["apiVersion"].(string)
	group, version, found := strings.Cut(apiVersion, "/")
	if !found {
		group, version = "", apiVersion
	}
	return typeMeta{group, version, kind}
}

// validateFields refuses or warns of duplicate and unknown fields (PIPE-006).
func (a *admission) validateFields(strict []error, out *decoded) error {
	if objections := a.objections(strict, out); a.fieldValidation == Strict && len(objections) > 0 {
		return a.unhandled(out.typeMeta, strictError(objections))
	}
	return nil
}

// objections lists what field validation has to say of an object, nothing at the level Ignore. It warns of them unless the level is Strict.
func (a *admission) objections(strict []error, out *decoded) []string {
	if a.fieldValidation == Ignore || len(strict)+len(out.unknown) == 0 {
		return nil
	}
	texts := make([]string, 0, len(strict)+len(out.unknown))
	for _, err := range strict {
		texts = append(texts, err.Error())
	}
	for _, path := range out.unknown {
		texts = append(texts, `unknown field "`+path+`"`)
	}
	if a.fieldValidation != Strict {
		for _, text := range texts {
			a.warn(jsonvalue.SplitYAMLErrors(text)...)
		}
	}
	return texts
}

func strictError(objections []string) error {
	return errors.New("strict decoding error: " + strings.Join(objections, ", "))
}

// warn adds warnings; the server sends each once.
func (a *admission) warn(texts ...string) {
	for _, text := range texts {
		if text == "" || a.warned[text] {
			continue
		}
		if a.warned == nil {
			a.warned = map[string]bool{}
		}
		a.warned[text] = true
		a.result.Warnings = append(a.result.Warnings, text)
	}
}
