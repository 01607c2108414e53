package protocol

// Version is the protocol's version, told by [Hello].
const Version = 1

// The ops of the protocol.
const (
	OpStructural = "structural" // schema -> errors
	OpPrune      = "prune"      // schema, object -> object, unknownFields
	OpDefault    = "default"    // schema, object -> object
	OpValidate   = "validate"   // schema, object, old? -> errors, ratcheted
	OpCEL        = "cel"        // schema, object, old?, budget?, perCallLimit? -> errors, warnings, cost
	OpCost       = "cost"       // schema -> rules
	OpCRD        = "crd"        // crd, old? -> errors, warnings
	OpAdmit      = "admit"      // crd, version, object, old?, subresource?, fieldValidation? -> stage, object, ...
	OpConvert    = "convert"    // crd, to, objects -> objects or errors
	OpSort       = "sort"       // names -> names
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
)

// opInputs says which inputs an op takes.
type opInputs struct {
	op       string
	required []string
	optional []string
}

// protocolOps lists every op in the protocol's order. It is never changed.
var protocolOps = []opInputs{
	{OpStructural, []string{fieldSchema}, nil},
	{OpPrune, []string{fieldSchema, fieldObject}, nil},
	{OpDefault, []string{fieldSchema, fieldObject}, nil},
	{OpValidate, []string{fieldSchema, fieldObject}, []string{fieldOld}},
	{OpCEL, []string{fieldSchema, fieldObject}, []string{fieldOld, fieldBudget, fieldPerCallLimit}},
	{OpCost, []string{fieldSchema}, nil},
	{OpCRD, []string{fieldCRD}, []string{fieldOld}},
	{OpAdmit, []string{fieldCRD, fieldVersion, fieldObject}, []string{fieldOld, fieldSubresource, fieldFieldValidation}},
	{OpConvert, []string{fieldCRD, fieldTo, fieldObjects}, nil},
	{OpSort, []string{fieldNames}, nil},
}

// Ops returns the names of all ops in the protocol's order, as a new slice.
func Ops() []string {
	names := make([]string, len(protocolOps))
	for i, o := range protocolOps {
		names[i] = o.op
	}
	return names
}

// inputsOf finds the inputs of an op; ok is false for an unknown one.
func inputsOf(op string) (o opInputs, ok bool) {
	for _, o := range protocolOps {
		if o.op == op {
			return o, true
		}
	}
	return opInputs{}, false
}
