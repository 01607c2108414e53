package crdsem

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/chapter/normalize"
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

// Rules is what happened to the validation rules (x-kubernetes-validations).
type Rules string

// The values of [Rules].
const (
	// RulesNone: the schema has no rule, or the object was not validated.
	RulesNone Rules = ""
	// RulesEvaluated: they were evaluated; failures are in [Result.Errors].
	RulesEvaluated Rules = "evaluated"
	// RulesBlocked: they were not evaluated because of earlier errors, which is
	// an error of its own (PIPE-012).
	RulesBlocked Rules = "blocked"
)

// Action is what was done to a field.
type Action = normalize.Action

// Change says what was done to a field, and which schema node caused it.
type Change = normalize.Change

// ObservedCost is what one rule cost.
type ObservedCost = celrules.ObservedCost

// Explanation says why one rule failed at one value.
type Explanation = celrules.Explanation

// The actions of a [Change].
const (
	Pruned          = normalize.Pruned
	MetadataPruned  = normalize.MetadataPruned
	MetadataCoerced = normalize.MetadataCoerced
	NullDropped     = normalize.NullDropped
	Defaulted       = normalize.Defaulted
	StatusDropped   = normalize.StatusDropped
)

// Result is the server's verdict on one object. [Result.Err] is the first thing
// to look at.
type Result struct {
	Stage Stage
	// Object is the object that was validated and would be stored, in the
	// version of the request; nil at StageDecode. It shares unchanged parts
	// with the objects that were given: copy it before you change it.
	Object map[string]any
	// Pruned lists the unknown fields that were removed: of the metadata, of
	// the object, of embedded metadata, each in byte order (PIPE-006).
	Pruned []string
	// Defaulted lists the fields that got a default, in byte order.
	Defaulted []string
	// Provenance lists for each field that decoding removed, filled in or
	// rewrote what happened to it and why: first the resource's own metadata,
	// then by step and path. A status that was sent and is not stored comes
	// last; nothing else is listed below it except unknown fields.
	Provenance []Change
	// Errors are the findings of validation, in the server's order of checks.
	Errors field.ErrorList
	// Ratcheted are the findings that do not fail an update, because the values
	// did not change.
	Ratcheted field.ErrorList
	// Warnings are the warnings of the answer, in the server's order.
	Warnings []string
	// Rules is what happened to the validation rules, and Cost what
	// that cost in the server's units.
	Rules Rules
	Cost  int64
	// RuleCosts holds the cost of each rule, with the option [RuleCosts].
	RuleCosts []ObservedCost
	// Explanations say why rules failed, with the option [Explain].
	Explanations []Explanation

	// err is why the request was refused before validation, or why a get of an
	// object that was read fails.
	err     error
	subject subject // of an invalid object
	name    string  // of an invalid object
}

// Finding is one finding of validation.
type Finding struct {
	// Rule is the id of the rule of the specification that the object breaks,
	// e.g. VAL-042 for a pattern (see folder spec). It is the Origin of Error.
	Rule string
	// Error is the finding as the server reports it.
	*field.Error
	// Ratcheted is set for a finding that does not fail an update, because the
	// value did not change.
	Ratcheted bool
}

// Findings returns Errors and then Ratcheted, each with its rule. The rule of a
// request that was refused before validation is in the [StatusError].
func (r *Result) Findings() []Finding {
	if len(r.Errors)+len(r.Ratcheted) == 0 {
		return nil
	}
	findings := make([]Finding, 0, len(r.Errors)+len(r.Ratcheted))
	for _, err := range r.Errors {
		findings = append(findings, Finding{Rule: err.Origin, Error: err})
	}
	for _, err := range r.Ratcheted {
		findings = append(findings, Finding{Rule: err.Origin, Error: err, Ratcheted: true})
	}
	return findings
}

// Admitted reports whether the object would have been stored.
func (r *Result) Admitted() bool { return r.Stage == StageAdmitted }
