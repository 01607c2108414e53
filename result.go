package crdsem

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/structural"
)

// Stage is how far an object came.
type Stage string

// The stages.
const (
	// StageDecode: the request was refused before validation, or its context
	// ended before there was a verdict; [Result.Err] says why. There is no
	// object.
	StageDecode Stage = "decode"
	// StageInvalid: the object was decoded and refused; [Result.Errors] says
	// why.
	StageInvalid Stage = "invalid"
	// StageAdmitted: the object would have been stored.
	StageAdmitted Stage = "admitted"
	// StageRead: the object was read from storage, which validates nothing.
	StageRead Stage = "read"
	// StageStored: the object is as it would be written to storage.
	StageStored Stage = "stored"
)

// RulesOutcome is what happened to the validation rules
// (x-kubernetes-validations).
type RulesOutcome string

// The values of [RulesOutcome].
const (
	// RulesNone: the schema has no rule, or the object was not validated.
	RulesNone RulesOutcome = ""
	// RulesEvaluated: they were evaluated; failures are in [Result.Errors].
	RulesEvaluated RulesOutcome = "evaluated"
	// RulesBlocked: they were not evaluated because of earlier errors, which is
	// an error of its own (PIPE-012).
	RulesBlocked RulesOutcome = "blocked"
)

// Action is what was done to a field. It is an alias of structural.Action.
type Action = structural.Action

// Change says what was done to a field, and which schema node caused it: its
// fields are Action, Path, e.g. `spec.ports[0].name`, Pointer, Value, and
// Schema, e.g. `openAPIV3Schema.properties[spec]`. It is an alias of
// structural.Change, which packages prune, defaulting and objectmeta return.
// [Version.SchemaPath] says where Schema is in the definition.
type Change = structural.Change

// The actions of a [Change].
const (
	// Pruned: a field that the schema does not specify was removed with all
	// that is below it.
	Pruned = structural.Pruned
	// MetadataPruned: a field that object metadata does not have was removed
	// from a metadata.
	MetadataPruned = structural.MetadataPruned
	// MetadataCoerced: a metadata was written in its normal form, or a
	// malformed field of a resource's apiVersion, kind or metadata was removed.
	MetadataCoerced = structural.MetadataCoerced
	// NullDropped: a null was removed from a field that is not nullable and has
	// no default.
	NullDropped = structural.NullDropped
	// Defaulted: a field was absent, or null and not nullable, and got its
	// default.
	Defaulted = structural.Defaulted
	// StatusDropped: a status was sent where the version has the status
	// subresource. A create stores no status, and an update keeps the old one.
	StatusDropped = structural.StatusDropped
)

// Result is the server's verdict on one object. [Result.Err] is the first thing
// to look at.
type Result struct {
	Stage Stage
	// Object is the object that was validated and would be stored, in the
	// version of the request; nil at StageDecode. It shares unchanged parts
	// with the objects that were given: copy it before you change it.
	Object map[string]any
	// Pruned lists the unknown fields that were removed, also of a request that
	// was refused: of the metadata, of
	// the object, of embedded metadata, each in byte order (PIPE-006).
	Pruned []string
	// Defaulted lists the fields that got a default, in byte order.
	Defaulted []string
	// Provenance lists for each field that decoding removed, filled in or
	// rewrote what happened to it and why: first the resource's own metadata,
	// then by step and path. A status that was sent and is not stored comes
	// last; nothing else is listed below it except unknown fields.
	Provenance []Change
	// Omitted says how much more there is than the lists of the result have.
	Omitted Omitted
	// Errors are the findings of validation, in the server's order of checks.
	Errors field.ErrorList
	// Ratcheted are the findings that do not fail an update, because the values
	// did not change.
	Ratcheted field.ErrorList
	// Warnings are the warnings of the answer, in the server's order.
	Warnings []string
	// Rules is what happened to the validation rules, and Cost what that cost
	// in the server's units.
	Rules RulesOutcome
	Cost  int64
	// RuleCosts holds the cost of each rule, with [Request.ObserveCosts].
	RuleCosts []celrules.ObservedCost
	// Explanations say why rules failed, with [Request.Explain].
	Explanations []celrules.Explanation

	// err is why the request was refused before validation, or why a get of an
	// object that was read fails.
	err error
	// objections are why a strict request was refused.
	objections []Finding
	subject    subject // of an invalid object
	name       string  // of an invalid object
}

// Omitted are numbers of what the lists of a [Result] do not have: they end at
// [MaxFindings], and those of changes where their paths would take more than 32
// MiB. An error or a warning of unknown fields has the number of those that it
// does not name.
type Omitted struct {
	Errors, Ratcheted, Warnings, Explanations int
	// Changes were made and are not in Provenance, Pruned and Defaulted not in
	// the lists of these names.
	Changes, Pruned, Defaulted int
}

// omission counts the changes that decoding made and does not list.
type omission struct{ changes, pruned, defaulted int }

// add adds the changes of another step.
func (o *omission) add(other omission) {
	o.changes += other.changes
	o.pruned += other.pruned
	o.defaulted += other.defaulted
}

// bound shortens the lists of changes, findings and explanations.
func (r *Result) bound(most int) {
	r.Pruned = shortened(r.Pruned, most, &r.Omitted.Pruned)
	r.Defaulted = shortened(r.Defaulted, most, &r.Omitted.Defaulted)
	r.Provenance = shortened(r.Provenance, most, &r.Omitted.Changes)
	r.Errors = shortened(r.Errors, most, &r.Omitted.Errors)
	r.Ratcheted = shortened(r.Ratcheted, most, &r.Omitted.Ratcheted)
	r.Explanations = shortened(r.Explanations, most, &r.Omitted.Explanations)
}

// shortened returns the start of a list, without the memory of the rest, and
// counts the rest.
func shortened[L ~[]E, E any](list L, most int, omitted *int) L {
	if len(list) <= most {
		return list
	}
	*omitted += len(list) - most
	return slices.Clone(list[:most])
}

// Admitted reports whether the object would have been stored.
func (r *Result) Admitted() bool { return r.Stage == StageAdmitted }
