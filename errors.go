package crdsem

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/fieldtext"
)

// The HTTP statuses of refusals. The constants of net/http would link it.
const (
	statusBadRequest            = 400
	statusNotFound              = 404
	statusConflict              = 409
	statusRequestEntityTooLarge = 413
	statusUnsupportedMediaType  = 415
	statusUnprocessableEntity   = 422
	statusInternalServerError   = 500
)

// StatusError is the answer of a server to a request that it refuses. It holds
// the fields of the server's Status that say why (PIPE-015).
type StatusError struct {
	// Code is the HTTP status and Reason the status reason, e.g. 422 and
	// Invalid. Before validation they are 400 BadRequest, 404 NotFound or
	// 409 Conflict. A patch can also give 413 RequestEntityTooLarge,
	// 415 UnsupportedMediaType and 500 InternalError. Errors that the server
	// does not classify are 500 without a reason, e.g. a resourceVersion that
	// is not a number.
	Code   int
	Reason string
	// Message is the server's text, in one line.
	Message string
	// Name, Group and Kind are what the answer names in its details, e.g.
	// my-cron, stable.example.com and CronTab. The Kind of a conflict is the
	// plural name, e.g. crontabs. They are empty if the answer names nothing.
	Name, Group, Kind string
	// Rule is the id of the rule of the specification that refused the request,
	// e.g. PIPE-013 (see conformance/spec). Each of Errors has a rule of its
	// own, see [Result.Findings]; then Rule is that of the first.
	Rule string
	// Causes are the details of the answer: one for each finding of
	// validation, or for each conflict of a server-side apply.
	Causes []Cause
	// Errors are the findings of validation. They are nil for a request that
	// was refused before.
	Errors field.ErrorList
	// Err is what the server does not say about a refused patch: a
	// *field.Error that holds the patched object, or, in words of this
	// library, the operation that failed. It is nil otherwise.
	Err error
}

// Error returns the message.
func (e *StatusError) Error() string { return e.Message }

// Unwrap returns Err.
func (e *StatusError) Unwrap() error { return e.Err }

// Cause is one cause in a [StatusError]. For a finding of validation Reason is
// the type of the error, e.g. FieldValueRequired, and Message its text without
// the field. Its JSON is that of a metav1.StatusCause.
type Cause struct {
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	Field   string `json:"field,omitempty"`
}

// badRequest is the answer to a request that breaks a rule, e.g. PIPE-013.
func badRequest(rule, format string, args ...any) error {
	return &StatusError{
		Code:    statusBadRequest,
		Reason:  "BadRequest",
		Message: fmt.Sprintf(format, args...),
		Rule:    rule,
	}
}

// subject is the kind and group, or the resource and group, of an answer.
type subject struct{ kind, group string }

// String returns both as the server writes them, e.g. CronTab.example.com.
func (s subject) String() string {
	if s.group == "" {
		return s.kind
	}
	return s.kind + "." + s.group
}

func conflict(resource subject, name string) error {
	const text = "Operation cannot be fulfilled on %s %q: the object has been modified; " +
		"please apply your changes to the latest version and try again"
	return &StatusError{
		Code:    statusConflict,
		Reason:  "Conflict",
		Message: fmt.Sprintf(text, resource, name),
		Name:    name,
		Group:   resource.group,
		Kind:    resource.kind,
		Rule:    "PIPE-016",
	}
}

// notServed is the answer to a request for a subresource that the version does
// not have. The server writes it as if the object did not exist.
func notServed(rule string, resource subject, object map[string]any) error {
	meta, _ := object["metadata"].(map[string]any)
	name, _ := meta["name"].(string)
	return &StatusError{
		Code:    statusNotFound,
		Reason:  "NotFound",
		Message: fmt.Sprintf("%s %q not found", resource, name),
		Name:    name,
		Group:   resource.group,
		Kind:    resource.kind,
		Rule:    rule,
	}
}

// internal is the answer to an error that the server calls internal. The error
// is also its cause.
func internal(rule string, err error) error {
	return &StatusError{
		Code: statusInternalServerError, Reason: "InternalError",
		Message: "Internal error occurred: " + err.Error(), Rule: rule,
		Causes: []Cause{{Message: err.Error()}},
	}
}

// unclassified is the answer to an error that the server does not classify.
func unclassified(rule, text string) error {
	return &StatusError{Code: statusInternalServerError, Message: text, Rule: rule}
}

// ruledError is an error of decoding that breaks a rule of its own.
type ruledError struct {
	error
	rule string
}

func (e ruledError) Unwrap() error { return e.error }

// ruleOf returns the rule of an error of decoding: its own or, if it has none,
// the given one.
func ruleOf(err error, rule string) string {
	if e, ok := errors.AsType[*field.Error](err); ok && e.Origin != "" {
		return e.Origin
	}
	if e, ok := errors.AsType[ruledError](err); ok {
		return e.rule
	}
	if _, ok := errors.AsType[missingKindError](err); ok {
		return "PIPE-010"
	}
	return rule
}

// ValueError is the error of an object that is not JSON: it holds a value that
// is not map[string]any, []any, string, bool, int64, float64 or nil, a number
// or a string that JSON does not have (NaN, bytes that are not UTF-8), or it is
// nested deeper than the server's decoder allows. It is also the error of a nil
// old object where one is needed.
type ValueError struct{ Err error }

// Error returns the reason. For a value it names the path, e.g. spec.list[0].n.
func (e *ValueError) Error() string { return fmt.Sprint(e.Err) }

// Unwrap returns the reason.
func (e *ValueError) Unwrap() error { return e.Err }

// StoredError is the error of an old object that a request cannot start from:
// it does not decode, or does not convert to the version of the request.
type StoredError struct{ Err error }

// Error returns the reason after "old object".
func (e *StoredError) Error() string { return fmt.Sprintf("old object: %v", e.Err) }

// Unwrap returns the reason.
func (e *StoredError) Unwrap() error { return e.Err }

// LimitError is the error of a request that needs more memory than this library
// gives it. The server would go on.
type LimitError struct{ Limit int64 }

// Error names the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the defaults of the object take more than %d bytes", e.Limit)
}

// OptionError is the error of a choice with an unknown text: of an option, or
// of a field of a [Request].
type OptionError struct {
	// Option is the function of the option and Value its text, e.g.
	// crdsem.FieldValidation and "strict".
	Option, Value string
	// Known lists the texts that the option can have.
	Known string
}

// Error names the option, its text and the known ones.
func (e *OptionError) Error() string {
	return fmt.Sprintf("unknown %s %q: want one of %s", e.Option, e.Value, e.Known)
}

// Err returns nil if and only if the object was admitted, read or stored
// without an error. Where a server would have answered, the error is a
// *[StatusError]. Errors that a server would not produce are a *[StoredError]
// about the old object, a *[ValueError], a *[LimitError], an *[OptionError], a
// *[RequestError] or the error of the context. For [Version.Read] and
// [Definition.Store] the error can also be plain, with the server's text, if
// the object does not decode or convert.
//
//	if err := v.Create(ctx, object).Err(); err != nil {
//		status, ok := errors.AsType[*crdsem.StatusError](err)
//		...
//	}
func (r *Result) Err() error {
	if r.Stage != StageInvalid {
		return r.err
	}
	list, text := causes(r.Errors, r.Omitted.Errors)
	return &StatusError{
		Code: statusUnprocessableEntity, Reason: "Invalid",
		Message: fmt.Sprintf("%s %q is invalid: %s", r.subject, r.name, text),
		Name:    r.name, Group: r.subject.group, Kind: r.subject.kind,
		Causes: list, Errors: r.Errors, Rule: r.Errors[0].Origin,
	}
}

// maxTexts is the number of bytes of the texts of one refusal. A finding holds
// the value that it is about, so that 300 findings about a string of 300 KB are
// 90 MB. The server has no limit.
const maxTexts = 32 << 20

// omitted stands in the place of texts beyond maxTexts.
const omitted = "(not shown: the errors are longer than 32 MiB)"

// causes returns the causes of errors, and all of them as one text: each text
// once, several in brackets. more is the number of further errors.
func causes(errs field.ErrorList, more int) (list []Cause, joined string) {
	list = make([]Cause, len(errs))
	seen := make(map[string]bool, len(errs))
	texts := make([]string, 0, len(errs))
	size := 0
	for i, err := range errs {
		c := Cause{Reason: string(err.Type), Message: omitted, Field: err.Field}
		if size < maxTexts {
			c.Message = fieldtext.Body(err)
		}
		list[i] = c
		text := c.Field + ": " + c.Message
		if c.Message == omitted {
			text = omitted
		}
		if !seen[text] {
			seen[text] = true
			texts = append(texts, text)
			size += len(text)
		}
	}
	if more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	if len(texts) == 1 {
		return list, texts[0]
	}
	return list, "[" + strings.Join(texts, ", ") + "]"
}
