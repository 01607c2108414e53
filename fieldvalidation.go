package crdsem

import (
	"errors"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// validateFields refuses or warns of unknown and duplicate fields (PIPE-006),
// and refuses an object of another version than that of the URL (step 7).
func (r *request) validateFields() bool {
	if r.source.isDecoded() {
		return true
	}
	objections := r.objections()
	if r.choices.fieldValidation == Strict && len(objections) > 0 {
		if more := len(objections) - r.choices.most; more > 0 {
			objections = append(objections[:r.choices.most], fmt.Sprintf("and %d more", more))
		}
		r.result.objections = r.strictFindings()
		err := errors.New("strict decoding error: " + strings.Join(objections, ", "))
		if claim := claimOf(r.decoded.object); r.source != fromPatch && claim.kind != "" {
			// The server has the object by now, and asks it for its type.
			if claim.groupVersion() == "" {
				missing := missingVersionError("object has no apiVersion field")
				return r.refuse(badRequest(strictRule, "%v", missing))
			}
			return r.refuse(unhandledAs(strictRule, claim, claim.kind, err))
		}
		return r.refuseBody(strictRule, err)
	}
	if r.source != fromPatch && !r.version.isTypeOf(r.decoded.typeMeta) {
		return r.refuse(r.version.wrongVersion(r.decoded.typeMeta))
	}
	return true
}

// objections lists the unknown and duplicate fields of the object; nothing at
// the level Ignore. It warns of them unless the level is Strict.
func (r *request) objections() []string {
	level, unknown := r.choices.fieldValidation, r.decoded.unknown
	more := r.decoded.omitted.pruned
	if level == Ignore || len(r.strict)+len(unknown)+more == 0 {
		return nil
	}
	texts := make([]string, 0, len(r.strict)+len(unknown))
	for _, err := range r.strict {
		texts = append(texts, err.Error())
	}
	for _, path := range unknown {
		texts = append(texts, `unknown field "`+path+`"`)
	}
	if more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more unknown fields", more))
	}
	if level != Strict {
		for _, text := range texts {
			r.warn(jsonvalue.SplitYAMLErrors(text)...)
		}
	}
	return texts
}

// isTypeOf reports whether an object claims to be of the version.
func (v *Version) isTypeOf(t typeMeta) bool {
	return v.def.group != "" && t.group == v.def.group && t.version == v.name ||
		t.groupVersion() == v.apiVersion
}

// wrongVersion is the error of an object of another version.
func (v *Version) wrongVersion(t typeMeta) error {
	const text = "the API version in the data (%s) does not match the expected API version (%s)"
	return badRequest("PIPE-013", text, t.groupVersion(), v.apiVersion)
}
