package crdsem

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
)

// The road of a request. A verb (Create, Update, Patch, ...) is an input and a
// strategy: the input takes what the caller gave, and the strategy prepares and
// validates the object. Everything between is the same for all. Each step is in
// a file of its name. A step that reports false has put its error into the
// result, and the request ends there. The old object of an update is read in
// step 8, by loadOld in read.go. What a server does with an admitted object
// after that is in storage.go.

// serve takes a request through the nine steps of the package documentation.
// err is the error of the input.
func (r *request) serve(ctx context.Context, err error, s strategy) *Result {
	r.strategy = s
	ok := r.refuse(err) &&
		r.decode() && //                1
		r.goesOn(ctx) &&
		r.readMetadata() && //          2
		r.normalize( //                 one walk over the object
			normalize.Prune,          // 3
			normalize.DropNulls,      // 4
			normalize.CoerceMetadata, // 5
			normalize.Default,        // 6
		) &&
		r.goesOn(ctx) &&
		r.validateFields() && //        7
		r.prepare(ctx) && //            8
		r.validate(ctx) //              9
	return r.finish(ctx, ok)
}

// request is one request on its way.
type request struct {
	version  *Version
	choices  choices
	strategy strategy

	given  map[string]any // the object of a request that sends one
	exact  bool           // given was decoded from a body
	body   []byte         // the bytes of a request that sends them, or the patched document
	stored map[string]any // the old object as the caller gave it
	source source
	// validMeta is set by validateCommon if the metadata has no errors of its
	// own. validateMetaUpdate reads it, so as not to look for them again.
	validMeta bool
	// filled is set by matchVersion if the object took its resourceVersion from
	// the old object. finishUpdate reads it and removes the resourceVersion.
	filled bool

	strict  []error      // what a strict decoder objects to, set by decode
	decoded decoded      // the object in steps 2 to 6
	object  sharedObject // the object from step 7 on
	old     sharedObject // the old object; the zero value on a create

	warned map[string]bool
	result Result
}

// source is where the object of a request comes from.
type source uint8

const (
	fromObject source = iota // given as a Go value
	fromBody                 // decoded from bytes
	fromPatch                // decoded from the patched document
	fromMerge                // merged by a server-side apply; not decoded
	fromScale                // the old object with other replicas; not decoded
)

// isDecoded reports whether steps 1 to 7 have nothing to do.
func (s source) isDecoded() bool { return s >= fromMerge }

// strategy is what differs between the verbs after decoding. It has the words
// of the server's registry: PrepareForCreate, PrepareForUpdate, Validate,
// ValidateUpdate.
type strategy interface {
	// prepare makes the object ready to be validated. It reports false after
	// it has put an error into the result.
	prepare(ctx context.Context, r *request) bool
	// validate returns the findings.
	validate(ctx context.Context, r *request) field.ErrorList
}

// newRequest begins a request. A deprecated version warns whatever follows.
func (v *Version) newRequest(q *Request) *request {
	r := &request{version: v}
	r.choices, r.result.err = q.choices()
	r.warn(v.deprecated)
	return r
}

// refuse ends the request before validation, unless err is nil.
func (r *request) refuse(err error) bool {
	r.result.err = err
	return err == nil
}

// prepare makes the object ready to be validated (step 8).
func (r *request) prepare(ctx context.Context) bool {
	return r.goesOn(ctx) && r.strategy.prepare(ctx, r)
}

// goesOn ends the request if its context has ended.
func (r *request) goesOn(ctx context.Context) bool { return r.refuse(ctx.Err()) }

// finish fills in how far the request came. What was found under a context that
// has ended is no verdict: rules may not have run to their end.
func (r *request) finish(ctx context.Context, admitted bool) *Result {
	result := &r.result
	r.version.def.profile.Show(result.Errors)
	result.bound(r.choices.most)
	if err := ctx.Err(); err != nil && (result.err == nil || isErrorOf(ctx, result.err)) {
		*result = Result{Stage: StageDecode, err: err}
		return result
	}
	switch {
	case len(result.Errors) > 0:
		result.Stage = StageInvalid
		r.nameObject()
	case !admitted:
		result.Stage = StageDecode
		return result
	default:
		result.Stage = StageAdmitted
	}
	result.Object = r.object.Fields()
	return result
}

// isErrorOf reports whether an error is that of the context or its cause.
func isErrorOf(ctx context.Context, err error) bool {
	return errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))
}

// nameObject records the kind, group and name that the server names in the
// answer to an invalid object.
func (r *request) nameObject() {
	r.result.name = r.object.MetaText("name")
	if r.result.subject == (subject{}) {
		claim := claimOf(r.object.Fields()) // a patch can change the group
		r.result.subject = subject{claim.kind, claim.group}
	}
}

// warn adds warnings, but no empty ones. The server sends each text once.
func (r *request) warn(texts ...string) {
	for _, text := range texts {
		if text == "" || r.warned[text] {
			continue
		}
		if r.warned == nil {
			r.warned = map[string]bool{}
		}
		r.warned[text] = true
		if len(r.result.Warnings) == r.choices.most {
			r.result.Omitted.Warnings++
			continue
		}
		r.result.Warnings = append(r.result.Warnings, text)
	}
}
