package crdsem

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/normalize"
)

// Stage is how far an object came.
type Stage string

// The stages.
const (
	// StageDecode: the request was refused before validation; [Result.Err] says why. There is no object.
	StageDecode Stage = "decode"
	// StageInvalid: the object was decoded and refused; [Result.Errors] says why.
	StageInvalid Stage = "invalid"
	// StageAdmitted: the object would have been stored.
	StageAdmitted Stage = "admitted"
	// StageRead: the object was read from storage, which validates nothing.
	StageRead Stage = "read"
	// StageStored: the object is as it would be written to storage.
	StageStored Stage = "stored"
)

// Rules says what became of the validation rules (x-kubernetes-validations).
type Rules string

// The outcomes of the rules of a version.
const (
	// RulesNone: the schema has no rule, or the object was not to be validated.
	RulesNone Rules = ""
	// RulesEvaluated: they were evaluated; failures are in [Result.Errors].
	RulesEvaluated Rules = "evaluated"
	// RulesBlocked: earlier errors kept them from being evaluated, which is an error of its own (PIPE-012).
	RulesBlocked Rules = "blocked"
)

// Action is what was done to a field.
type Action = normalize.Action

// Change says what was done to a field, and which schema node caused it.
type Change = normalize.Change

// ObservedCost is what one rule cost.
type ObservedCost = celrules.ObservedCost

// Explanation is how one rule came to fail at one value.
type Explanation = celrules.Explanation

// The actions of a [Change].
const (
	Pruned          = normalize.Pruned
	MetadataPruned  = normalize.MetadataPruned
	MetadataCoerced = normalize.MetadataCoerced
	NullDropped     = normalize.NullDropped
	Defaulted       = normalize.Defaulted
)

// Result is the server's verdict on one object.
type Result struct {
	Stage Stage
	// Object is what validation saw and what would be stored, in the version of the request; nil at StageDecode. It shares what
	// did not change with the objects that were given, which are never changed themselves: copy it before changing it.
	Object map[string]any
	// Pruned lists the unknown fields that were removed: of the metadata, of the object, of embedded metadata, each in byte order
	// (PIPE-006).
	Pruned []string
	// Defaulted lists the fields that got a default, in byte order.
	Defaulted []string
	// Provenance tells of each field that decoding removed, filled in or rewrote what happened to it and why: first the
	// resource's own metadata, then by step and path.
	Provenance []Change
	// Errors are the findings of validation, in the server's order of checks.
	Errors field.ErrorList
	// Ratcheted are findings that an update does not have to answer for, because what they concern did not change.
	Ratcheted field.ErrorList
	// Warnings are what the server sends along, in its order.
	Warnings []string
	// Rules tells whether the validation rules were evaluated, and Cost what that took.
	Rules Rules
	Cost  int64
	// RuleCosts tells, if asked for by the option [RuleCosts], what each rule cost.
	RuleCosts []ObservedCost
	// Explanations tell, if asked for by the option [Explain], how the rules that failed came to fail.
	Explanations []Explanation

	err           error  // why the request was refused before validation, or why a get of a read object fails
	subject, name string // of an invalid object: kind and group, and its name
}

// Admitted tells whether the object would have been stored.
func (r *Result) Admitted() bool { return r.Stage == StageAdmitted }
