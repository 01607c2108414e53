package crdsem

import (
	"bytes"
	"context"
	"fmt"
	"slices"
)

// Request is a request of a client for an object of one version. [Version.Do]
// makes it.
//
// What is sent is in Object or Body, or in Scale, and what is stored in Old or
// OldBody. The fields that a request needs depend on the verb:
//
//	Verb    Subresource         what is sent       what is stored
//	create                      Object or Body
//	update  "" or status        Object or Body     required
//	update  scale               Scale              required
//	patch   "" or status        Body, PatchType    required
//	apply   "" or status        Object or Body     absent if nothing is stored
//	read    "" or status                           required
//
// Of these fields, those that a verb does not need must be empty. The fields
// from FieldValidation on are choices, and a verb ignores those that it does
// not need. A choice that is not one of the constants, e.g.
// Strictness("strict"), makes the request fail with an *[OptionError], an
// unknown verb with a *[RequestError], and a missing Old with a *[ValueError].
//
// The zero value creates an object from an empty body, which is refused.
type Request struct {
	// Verb is what to do. The zero value creates the object if there is no Old,
	// and otherwise updates it.
	Verb Verb
	// Subresource is the part of the object that is written. The zero value is
	// the object itself, without its status if that is a subresource.
	Subresource Subresource
	// Object is the object that is sent, or the configuration of an apply. It
	// is not changed. A float64 without a fraction is the integer that a
	// client's JSON has for it, where the schema says integer, unless Decoded
	// is set.
	Object map[string]any
	// Decoded says that Object is a body as a server decodes it (see [Decode]):
	// a float64 without a fraction was sent as 1.0 or 1e3, which is no integer
	// for a rule.
	Decoded bool
	// Body is sent if Object is nil: JSON or YAML (see Format), or a patch. The
	// body of an apply is YAML, whatever its first letter. One of more than 3
	// MiB is refused.
	Body []byte
	// PatchType is the language of the patch in Body.
	PatchType PatchType
	// Scale is sent to the subresource scale in place of Object.
	Scale *Scale
	// Old is the object as it is stored (see [Definition.Store]), in any
	// version of the definition. It is not changed.
	Old map[string]any
	// OldBody is the JSON or YAML of the stored object, in place of Old. If it
	// does not decode, the request fails with a *[StoredError]. A null stands
	// for no object, as in the oldObject of an AdmissionReview for a create.
	OldBody []byte

	// FieldValidation selects what happens to a request with unknown or
	// duplicate fields. The zero value is [Warn]. A read and an update of the
	// scale ignore it, and an apply minds the repeated keys of a Body only.
	FieldValidation Strictness
	// Namespace is the namespace that a request is sent to. If it is empty, it
	// is the object's own, or "default" if the object has none.
	Namespace string
	// Concurrency selects how a write checks metadata.resourceVersion. The zero
	// value is [Unconditional]. A patch and an apply ignore it: they check a
	// resourceVersion that they set.
	Concurrency Locking
	// FieldManager is the name of the manager that applies, e.g. "kubectl". An
	// apply requires it.
	FieldManager string
	// Force makes an apply take over the fields that another manager owns with
	// another value. Otherwise it is refused with 409 Conflict.
	Force bool
	// Format is the language of Body. If it is empty, a body that starts with {
	// is JSON and any other is YAML. It is ignored where an object or a patch
	// is sent.
	Format Encoding
	// MaxFindings limits each list of the [Result] about the object: its
	// errors, its warnings, what was changed, and explanations. The verdict is
	// the same, [Result.Omitted] says how much more there is, and so do the
	// texts of an error. If it is 0, only memory bounds the lists.
	MaxFindings int
	// ObserveCosts fills in [Result.RuleCosts].
	ObserveCosts bool
	// Explain fills in [Result.Explanations].
	Explain Explain
}

// Verb is what a [Request] does.
type Verb string

// The verbs of requests.
const (
	VerbCreate Verb = "create"
	VerbUpdate Verb = "update"
	VerbPatch  Verb = "patch"
	VerbApply  Verb = "apply"
	VerbRead   Verb = "read"
)

var verbs = []Verb{VerbCreate, VerbUpdate, VerbPatch, VerbApply, VerbRead}

// Subresource is a part of an object with a URL of its own.
type Subresource string

// The subresources of custom resources.
const (
	SubresourceStatus Subresource = "status"
	SubresourceScale  Subresource = "scale"
)

// Do says what the server does with a request. It is the way to make one; the
// methods of [Version] named after a verb, e.g. [Version.UpdateStatus], are one
// line each that fills in a [Request], for programs that know the verb when
// they are written. They describe the verbs: [Version.Create],
// [Version.Update], [Version.UpdateStatus], [Version.UpdateScale],
// [Version.Patch], [Version.Apply] and [Version.Read].
//
// A request whose fields do not fit its verb is a *[RequestError].
func (v *Version) Do(ctx context.Context, request Request) *Result {
	if string(bytes.TrimSpace(request.OldBody)) == "null" {
		request.OldBody = nil
	}
	if request.Verb == "" {
		request.Verb = VerbUpdate
		if request.Old == nil && request.OldBody == nil {
			request.Verb = VerbCreate
		}
	}
	fault := request.check()
	if fault == nil {
		fault = request.decodeOld()
	}
	r := v.newRequest(&request)
	if fault != nil {
		r.result.err = fault
	}
	if r.result.err != nil {
		return r.finish(ctx, false)
	}
	if request.Verb == VerbRead {
		return r.read(ctx, &request)
	}
	return r.serve(ctx, r.take(ctx, &request), request.strategy())
}

// With returns the request with the choices of options.
func (q Request) With(options ...Option) Request {
	if len(options) == 0 {
		return q
	}
	chosen := q
	for _, o := range options {
		if o != nil {
			o.set(&chosen)
		}
	}
	return chosen
}

// decodeOld sets Old if the stored object is given as text.
func (q *Request) decodeOld() error {
	if q.OldBody == nil {
		return nil
	}
	old, err := Decode(q.OldBody)
	if err != nil {
		return &StoredError{err}
	}
	q.Old = old
	return nil
}

// maxBody is the number of bytes that a server takes as the body of a request.
const maxBody = 3 << 20

// tooLarge is the answer to a body that is larger than a server takes.
func tooLarge() error {
	return &StatusError{
		Code: statusRequestEntityTooLarge, Reason: "RequestEntityTooLarge", Rule: "PIPE-002",
		Message: fmt.Sprintf("Request entity too large: limit is %d", maxBody),
	}
}

// take is the input of a request.
func (r *request) take(ctx context.Context, q *Request) error {
	switch {
	case len(q.Body) > maxBody:
		return tooLarge()
	case q.Subresource == SubresourceScale:
		return r.takeScale(ctx, q.Old, *q.Scale)
	case q.Verb == VerbPatch:
		return r.takePatch(ctx, q)
	case q.Verb == VerbApply:
		return r.takeConfig(ctx, q)
	}
	r.given, r.body, r.stored, r.exact = q.Object, q.Body, q.Old, q.Decoded
	if q.Object == nil {
		r.source = fromBody
	}
	return nil
}

// strategy returns how the object is prepared and validated.
func (q *Request) strategy() strategy {
	switch {
	case q.Subresource == SubresourceStatus:
		return updatingStatus{}
	case q.Verb == VerbCreate, q.Verb == VerbApply && q.Old == nil:
		return creating{}
	}
	return updating{}
}

// needsStatus returns the answer to a request for the status subresource of a
// version that has none.
func (v *Version) needsStatus(q *Request, object map[string]any) error {
	if q.Subresource != SubresourceStatus || v.model.HasStatus {
		return nil
	}
	return notServed("PIPE-031", v.def.resource(), object)
}

// RequestError is the error of a [Request] whose fields do not fit its verb,
// e.g. a create with an old object.
type RequestError struct {
	// Field is the name of a field, e.g. Old.
	Field string
	// Reason says what is wrong with it, in words of this library.
	Reason string
}

// Error names the field and says what is wrong with it.
func (e *RequestError) Error() string {
	return fmt.Sprintf("field %s of crdsem.Request: %s", e.Field, e.Reason)
}

// check returns a *[RequestError], or nil if the fields of a request fit its
// verb. An old object that is missing has another error, which says what the
// server needs it for.
func (q *Request) check() error {
	sends := q.Verb == VerbCreate || q.Verb == VerbApply ||
		q.Verb == VerbUpdate && q.Subresource != SubresourceScale
	if !slices.Contains(verbs, q.Verb) {
		return &RequestError{"Verb",
			fmt.Sprintf("unknown verb %q: want one of %v", q.Verb, verbs)}
	}
	if reason := q.subresourceFault(); reason != "" {
		return &RequestError{"Subresource", reason}
	}
	for _, unused := range []struct {
		field string
		given bool
	}{
		{"Old", q.Old != nil && q.Verb == VerbCreate},
		{"OldBody", q.OldBody != nil && q.Verb == VerbCreate},
		{"Object", q.Object != nil && !sends},
		{"Body", q.Body != nil && !sends && q.Verb != VerbPatch},
		{"PatchType", q.PatchType != "" && q.Verb != VerbPatch},
		{"Scale", q.Scale != nil && q.Subresource != SubresourceScale},
	} {
		if unused.given {
			return &RequestError{unused.field, fmt.Sprintf("must be empty for %s", q.name())}
		}
	}
	return q.clash()
}

// clash returns the error of two fields that do not go together, or of one that
// is missing.
func (q *Request) clash() error {
	switch {
	case q.Object != nil && q.Body != nil:
		return &RequestError{"Body", "must be empty if Object is given"}
	case q.Old != nil && q.OldBody != nil:
		return &RequestError{"OldBody", "must be empty if Old is given"}
	case q.Subresource == SubresourceScale && q.Scale == nil:
		return &RequestError{"Scale", "is missing in an update of the scale"}
	}
	return nil
}

// subresourceFault says why the verb does not fit the subresource. It is empty
// if it does.
func (q *Request) subresourceFault() string {
	switch {
	case q.Subresource == "",
		q.Subresource == SubresourceStatus && q.Verb != VerbCreate,
		q.Subresource == SubresourceScale && q.Verb == VerbUpdate:
		return ""
	case q.Subresource == SubresourceStatus:
		return "a create has no subresource: the object is created first"
	case q.Subresource == SubresourceScale && q.Verb == VerbRead:
		return "the scale is not an object of the version: call Version.Scale"
	case q.Subresource == SubresourceScale:
		return fmt.Sprintf("the scale takes no %s: send it as an update", q.Verb)
	}
	return fmt.Sprintf("unknown subresource %q: want one of %v", q.Subresource,
		[]Subresource{SubresourceStatus, SubresourceScale})
}

// name returns the verb with its article and subresource, for an error.
func (q *Request) name() string {
	article := "a"
	if q.Verb == VerbUpdate || q.Verb == VerbApply {
		article = "an"
	}
	name := article + " " + string(q.Verb)
	if q.Subresource != "" {
		name += " of the " + string(q.Subresource)
	}
	return name
}
