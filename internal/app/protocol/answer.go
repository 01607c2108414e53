package protocol

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Answer is the answer to one request. Either Result is set, or Fault is one
// sentence with the reason why there is no result.
type Answer struct {
	ID     string
	Result Result
	Fault  string
}

// Result is the result of an op. The implementations are the result types of
// this package, one for each form of answer.
type Result interface {
	// object returns the objects in the result, which must be JSON values.
	object() any
}

// Pseudo types of errors that are not field errors.
const (
	DecodeError     = "DecodeError"
	ConversionError = "ConversionError"
)

// FieldError is one error found in a document.
type FieldError struct {
	Type   string `json:"type"`  // such as FieldValueInvalid, or a pseudo type
	Field  string `json:"field"` // the path, "<nil>" for the root of an object
	Detail string `json:"detail"`
	Text   string `json:"text"` // the whole message
	// Rule is the id of the rule of the specification that was broken, e.g.
	// "STR-047", or empty if it is not known.
	Rule string `json:"rule,omitempty"`
	// Position is the place in the text of the request, if it was asked for.
	Position *Position `json:"position,omitempty"`
}

// Position is a place in a text: a line and a character in it, both from 1.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// UnknownField is a field of an object that the schema does not specify, with
// its place in the text of the request.
type UnknownField struct {
	Field    string    `json:"field"`
	Position *Position `json:"position,omitempty"`
}

// Errors is the result of structural.
type Errors struct {
	Errors []FieldError `json:"errors"`
}

// Pruned is the result of prune: the object that remains, and the sorted paths
// of the removed fields.
type Pruned struct {
	Object        any      `json:"object"`
	UnknownFields []string `json:"unknownFields"`
}

// Object is the result of default.
type Object struct {
	Object any `json:"object"`
}

// Validated is the result of validate. Ratcheted holds the errors that an
// update tolerates because the old object had them.
type Validated struct {
	Errors    []FieldError `json:"errors"`
	Ratcheted []FieldError `json:"ratcheted"`
}

// Evaluated is the result of cel. Warnings are the texts of ratcheted errors;
// Cost is nil when the budget ran out.
type Evaluated struct {
	Errors   []FieldError `json:"errors"`
	Warnings []string     `json:"warnings"`
	Cost     *int64       `json:"cost"`
}

// Costs is the result of cost: the static estimate of each rule, sorted by path
// and index.
type Costs struct {
	Rules []CostRule `json:"rules"`
}

// CostRule is the static estimate of one x-kubernetes-validations rule.
type CostRule struct {
	Path        string       `json:"path"`  // schema node of the rule, from openAPIV3Schema
	Index       int          `json:"index"` // index among the node's rules
	Rule        string       `json:"rule"`
	MaxCost     uint64       `json:"maxCost"`     // of one evaluation
	Cardinality *uint64      `json:"cardinality"` // most evaluations; nil if unbounded
	Total       uint64       `json:"total"`       // MaxCost times Cardinality
	MessageCost uint64       `json:"messageCost"` // of one evaluation of messageExpression
	UsesOldSelf bool         `json:"usesOldSelf"`
	Errors      []FieldError `json:"errors"` // of compiling the rule
}

// Definition is the result of crd.
type Definition struct {
	Errors   []FieldError `json:"errors"`
	Warnings []string     `json:"warnings"`
}

// The stages that an object of admit can reach.
const (
	StageDecode   = "decode"   // the object does not decode
	StageInvalid  = "invalid"  // it was decoded and rejected
	StageAdmitted = "admitted" // it would be stored
)

// Admitted is the result of admit. Object is absent from the answer at
// [StageDecode].
type Admitted struct {
	Stage         string       `json:"stage"`
	Object        any          `json:"object,omitzero"`
	UnknownFields []string     `json:"unknownFields"`
	Errors        []FieldError `json:"errors"`
	Warnings      []string     `json:"warnings"`
	// Unknown has the places of UnknownFields, if they were asked for.
	Unknown []UnknownField `json:"unknown,omitzero"`
}

// Converted is the result of convert: the objects or, if there are any, the
// errors.
type Converted struct {
	Objects []any        `json:"objects,omitzero"`
	Errors  []FieldError `json:"errors,omitempty"`
}

// Kept is the result of store and read: the object as it is written to storage
// or read from it or, if there is one, the error.
type Kept struct {
	Object any          `json:"object,omitzero"`
	Errors []FieldError `json:"errors,omitempty"`
}

// Answered is the result of a write, or of reading the scale: what the client
// gets. Code is the HTTP status.
type Answered struct {
	Code int `json:"code"`
	// Object is the object in the version of the request, or its scale. Stored
	// is what etcd holds then; it is absent if it is no other than Object. Both
	// are without resourceVersion and the times of managers, and a new object
	// without uid and creationTimestamp.
	Object any `json:"object,omitzero"`
	Stored any `json:"stored,omitzero"`
	// Reason, Message and Causes say why the request is refused.
	Reason   string   `json:"reason,omitempty"`
	Message  string   `json:"message,omitempty"`
	Causes   []Cause  `json:"causes,omitempty"`
	Warnings []string `json:"warnings"`
	// Rule is the id of the rule of the specification that refused the request,
	// empty if it is not known.
	Rule string `json:"rule,omitempty"`
}

// Cause is one cause of a refusal: an error of validation, or a conflict of an
// apply.
type Cause struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Field   string `json:"field"`
}

// Defined is the result of define: the name of the definition.
type Defined struct {
	Name string `json:"name"`
}

// Sorted is the result of sort: the names, highest priority first.
type Sorted struct {
	Names []string `json:"names"`
}

// Table is the result of table: the columns, and for each object a row with a
// cell for each column.
type Table struct {
	Columns []TableColumn `json:"columns"`
	Rows    [][]any       `json:"rows"`
}

// TableColumn is a column of a table.
type TableColumn struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Format      string `json:"format"`
	Description string `json:"description"`
	Priority    int32  `json:"priority"`
}

// AppendJSON appends the answer's line, without a line break, to dst and
// returns the longer slice. A result without a JSON form becomes a fault.
func (a *Answer) AppendJSON(dst []byte) []byte {
	fault := a.Fault
	if fault == "" {
		text, err := a.resultJSON()
		if err == nil {
			dst = append(appendMember(append(dst, '{'), fieldID, a.ID), ',')
			return append(dst, text[1:]...)
		}
		fault = err.Error()
	}
	dst = appendMember(append(dst, '{'), fieldID, a.ID)
	return append(appendMember(append(dst, ','), "fault", fault), '}')
}

// resultJSON returns the result as an object, which has at least one member.
func (a *Answer) resultJSON() ([]byte, error) {
	if a.Result == nil {
		return nil, errors.New("no result")
	}
	err := checkValue(a.Result.object())
	if err != nil {
		return nil, fmt.Errorf("the result has no JSON form: object%w", err)
	}
	return appendJSON(nil, a.Result)
}

// MarshalJSONTo writes the object unless it did not decode.
func (r Admitted) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain Admitted
	switch {
	case r.Stage == StageDecode:
		r.Object = nil
	case r.Object == nil:
		r.Object = jsontext.Value("null")
	}
	return json.MarshalEncode(enc, plain(r))
}

// MarshalJSONTo writes the errors if there are any, otherwise the objects.
func (r Converted) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain Converted
	switch {
	case len(r.Errors) > 0:
		r.Objects = nil
	case r.Objects == nil:
		r.Objects = []any{}
	}
	return json.MarshalEncode(enc, plain(r))
}

func (Errors) object() any     { return nil }
func (r Pruned) object() any   { return r.Object }
func (r Object) object() any   { return r.Object }
func (Validated) object() any  { return nil }
func (Evaluated) object() any  { return nil }
func (Costs) object() any      { return nil }
func (Definition) object() any { return nil }
func (Defined) object() any    { return nil }
func (Sorted) object() any     { return nil }

func (r Admitted) object() any {
	if r.Stage == StageDecode {
		return nil
	}
	return r.Object
}

func (r Kept) object() any { return r.Object }

func (r Answered) object() any { return []any{r.Object, r.Stored} }

func (r Converted) object() any {
	if len(r.Errors) > 0 {
		return nil
	}
	return r.Objects
}

func (r Table) object() any {
	rows := make([]any, len(r.Rows))
	for i, row := range r.Rows {
		rows[i] = row
	}
	return rows
}
