package crdsem

import "github.com/crdsem/crdsem/celrules"

// Option is a choice made for one request: [FieldValidation], [Namespace], [Concurrency], [Source], [Format] or [Detail]. Of several of one
// kind the last counts, but every Detail does; nil chooses nothing.
type Option interface{ apply(*request) }

// FieldValidation says what is done about unknown and duplicate fields of a request; the zero value, as any other text, is Warn.
type FieldValidation string

// The levels of field validation (PIPE-006).
const (
	// Strict refuses the request.
	Strict FieldValidation = "Strict"
	// Warn sends a warning for each.
	Warn FieldValidation = "Warn"
	// Ignore says nothing. They are removed all the same, and told in [Result.Pruned].
	Ignore FieldValidation = "Ignore"
)

func (f FieldValidation) apply(r *request) { r.fieldValidation = f }

// Namespace is the namespace that a request is sent to. Without this option it is the object's own, or "default" if that has none.
type Namespace string

func (n Namespace) apply(r *request) { r.namespace = string(n) }

// Concurrency says what an update must tell of the state that it starts from.
type Concurrency string

const (
	// Unconditional takes a missing resourceVersion from the old object, as clients do that read before they write.
	Unconditional Concurrency = "Unconditional"
	// RequireResourceVersion is the server's own rule: an update must have a resourceVersion, and it must be the old object's.
	RequireResourceVersion Concurrency = "RequireResourceVersion"
)

func (c Concurrency) apply(r *request) { r.concurrency = c }

// Source says where the object of a request comes from. Without this option a client sent it.
type Source string

// Applied is for what a server-side apply makes of a stored object: what package merge has merged, with its defaults (merge.Hooks) and its managedFields. It is
// not decoded any more: nothing is pruned, no null removed, no metadata read, no default filled in; it is prepared and validated as any other (PIPE-019). Update
// with it what was stored, as [RequireResourceVersion], or create it if nothing was.
const Applied Source = "Applied"

func (s Source) apply(r *request) { r.source = s }

// FieldManager is the name of the manager that applies, e.g. "kubectl".
// [Version.Apply] requires it.
type FieldManager string

func (m FieldManager) apply(r *request) { r.manager = m }

// Conflicts selects what [Version.Apply] does about fields that another manager
// owns with another value. Without this option they are an error.
type Conflicts string

// Force takes over the fields in conflict.
const Force Conflicts = "Force"

func (c Conflicts) apply(r *request) { r.conflicts = c }

// Format is the language of a request's body. Without this option, or with one
// that is none of those below, text that starts with { is JSON and any other is YAML.
type Format string

// The formats of bodies.
const (
	JSON Format = "json"
	YAML Format = "yaml"
)

func (f Format) apply(r *request) { r.format = f }

// Detail is what a result tells of the validation rules besides their verdict.
type Detail string

const (
	// RuleCosts fills in [Result.RuleCosts].
	RuleCosts Detail = "RuleCosts"
	// Explain fills in [Result.Explanations]: it takes time and memory, so ask for it only if a person will read it.
	Explain Detail = "Explain"
)

func (d Detail) apply(r *request) {
	switch d {
	case RuleCosts:
		r.ruleDetails = append(r.ruleDetails, celrules.ObserveCosts())
	case Explain:
		r.ruleDetails = append(r.ruleDetails, celrules.Explain())
	}
}

// request holds the choices.
type request struct {
	ruleDetails     []celrules.ValidateOption
	format          Format
	fieldValidation FieldValidation
	namespace       string
	concurrency     Concurrency
	source          Source
	manager         FieldManager
	conflicts       Conflicts
}

// choose makes the choices.
func (r *request) choose(options []Option) {
	r.fieldValidation, r.concurrency = Warn, Unconditional
	for _, o := range options {
		if o != nil {
			o.apply(r)
		}
	}
	if r.fieldValidation == "" {
		r.fieldValidation = Warn
	}
}
