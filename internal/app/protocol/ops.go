package protocol

import "slices"

// Version is the version of the protocol. [Hello] has it.
const Version = 1

// The ops of the protocol, with their inputs and the members of their results.
// An input with a question mark is optional. Every op also takes "kubernetes",
// the minor that is asked for.
const (
	OpStructural = "structural" // schema -> errors
	OpPrune      = "prune"      // schema, object -> object, unknownFields
	OpDefault    = "default"    // schema, object -> object
	OpValidate   = "validate"   // schema, object, old? -> errors, ratcheted
	OpCost       = "cost"       // schema -> rules
	OpCRD        = "crd"        // crd, old?, positions? -> errors, warnings
	OpConvert    = "convert"    // crd, to, objects, webhook? -> objects or errors
	OpSort       = "sort"       // names -> names
	OpTable      = "table"      // crd, version, objects, now -> columns, rows
	OpStore      = "store"      // crd, object, webhook? -> object or errors
	OpRead       = "read"       // crd, version, object, webhook? -> object or errors

	// OpDefine: name, crd -> name. It is answered by a [Session], which puts
	// the definition in the place of {"$ref":NAME} in later requests.
	OpDefine = "define"

	// OpCEL: schema, object, old?, budget?, perCallLimit? -> errors, warnings,
	// cost.
	OpCEL = "cel"
	// OpAdmit: crd, version, object, old?, subresource?, fieldValidation?,
	// positions? -> stage, object, unknownFields, errors, warnings, unknown?.
	OpAdmit = "admit"

	// The writes to a stored object, each with all that a client sees of it:
	// -> code, object and stored, or code, reason, message and causes; and
	// warnings.

	// OpUpdate: crd, version, object, stored, manager?, fieldValidation?.
	OpUpdate = "update"
	// OpStatus is an update of the status subresource, with the same inputs.
	OpStatus = "status"
	// OpPatch: crd, version, patch, type, stored, subresource?, manager?,
	// fieldValidation?.
	OpPatch = "patch"
	// OpApply: crd, version, object, stored?, manager?, force?, subresource?,
	// fieldValidation?.
	OpApply = "apply"
	// OpScale: crd, version, stored, object?. Without an object it reads the
	// scale.
	OpScale = "scale"
)

// The names of a request's fields.
const (
	fieldID              = "id"
	fieldOp              = "op"
	fieldSchema          = "schema"
	fieldCRD             = "crd"
	fieldObject          = "object"
	fieldOld             = "old"
	fieldVersion         = "version"
	fieldSubresource     = "subresource"
	fieldFieldValidation = "fieldValidation"
	fieldBudget          = "budget"
	fieldPerCallLimit    = "perCallLimit"
	fieldTo              = "to"
	fieldObjects         = "objects"
	fieldNames           = "names"
	fieldNow             = "now"
	fieldName            = "name"
	fieldPositions       = "positions"
	fieldStored          = "stored"
	fieldPatch           = "patch"
	fieldType            = "type"
	fieldManager         = "manager"
	fieldForce           = "force"
	fieldWebhook         = "webhook"
	fieldKubernetes      = "kubernetes" // of every op
)

// opInputs lists the inputs that an op takes, apart from those of every op.
type opInputs struct {
	op       string
	required []string
	optional []string
}

// all returns the names of all inputs, with that of every op, as a new slice.
func (o opInputs) all() []string {
	return append(slices.Concat(o.required, o.optional), fieldKubernetes)
}

// protocolOps lists every op in the protocol's order. It is never changed.
var protocolOps = []opInputs{
	{OpStructural, []string{fieldSchema}, nil},
	{OpPrune, []string{fieldSchema, fieldObject}, nil},
	{OpDefault, []string{fieldSchema, fieldObject}, nil},
	{OpValidate, []string{fieldSchema, fieldObject}, []string{fieldOld}},
	{OpCEL, []string{fieldSchema, fieldObject}, []string{fieldOld, fieldBudget, fieldPerCallLimit}},
	{OpCost, []string{fieldSchema}, nil},
	{OpCRD, []string{fieldCRD}, []string{fieldOld, fieldPositions}},
	{OpAdmit, []string{fieldCRD, fieldVersion, fieldObject}, []string{fieldOld, fieldSubresource, fieldFieldValidation, fieldPositions}},
	{OpConvert, []string{fieldCRD, fieldTo, fieldObjects}, []string{fieldWebhook}},
	{OpSort, []string{fieldNames}, nil},
	{OpTable, []string{fieldCRD, fieldVersion, fieldObjects, fieldNow}, nil},
	{OpStore, []string{fieldCRD, fieldObject}, []string{fieldWebhook}},
	{OpRead, []string{fieldCRD, fieldVersion, fieldObject}, []string{fieldWebhook}},
	{OpUpdate, []string{fieldCRD, fieldVersion, fieldObject, fieldStored}, []string{fieldManager, fieldFieldValidation}},
	{OpStatus, []string{fieldCRD, fieldVersion, fieldObject, fieldStored}, []string{fieldManager, fieldFieldValidation}},
	{OpPatch, []string{fieldCRD, fieldVersion, fieldPatch, fieldType, fieldStored}, []string{fieldSubresource, fieldManager, fieldFieldValidation}},
	{OpApply, []string{fieldCRD, fieldVersion, fieldObject}, []string{fieldStored, fieldManager, fieldForce, fieldSubresource, fieldFieldValidation}},
	{OpScale, []string{fieldCRD, fieldVersion, fieldStored}, []string{fieldObject}},
	{OpDefine, []string{fieldName, fieldCRD}, nil},
}

// Ops returns the names of the ops that a handler answers, which are all but
// [OpDefine], in the protocol's order, as a new slice.
func Ops() []string {
	var names []string
	for _, o := range protocolOps {
		if o.op != OpDefine {
			names = append(names, o.op)
		}
	}
	return names
}

// inputsOf returns the inputs of an op; ok is false for an unknown op.
func inputsOf(op string) (o opInputs, ok bool) {
	for _, o := range protocolOps {
		if o.op == op {
			return o, true
		}
	}
	return opInputs{}, false
}
