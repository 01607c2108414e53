package protocol

import (
	"fmt"
	"strconv"
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
	// members appends the result's members, each preceded by a comma.
	members(dst []byte) ([]byte, error)
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
type Errors struct{ Errors []FieldError }

// Pruned is the result of prune: the object that remains, and the sorted paths
// of the removed fields.
type Pruned struct {
	Object        any
	UnknownFields []string
}

// Object is the result of default.
type Object struct{ Object any }

// Validated is the result of validate. Ratcheted holds the errors that an
// update tolerates because the old object had them.
type Validated struct {
	Errors    []FieldError
	Ratcheted []FieldError
}

// Evaluated is the result of cel. Warnings are the texts of ratcheted errors;
// Cost is nil when the budget ran out.
type Evaluated struct {
	Errors   []FieldError
	Warnings []string
	Cost     *int64
}

// Costs is the result of cost: the static estimate of each rule, sorted by path
// and index.
type Costs struct{ Rules []CostRule }

// CostRule is the static estimate of one x-kubernetes-validations rule.
type CostRule struct {
	Path        string // schema node of the rule, from openAPIV3Schema
	Index       int    // index among the node's rules
	Rule        string
	MaxCost     uint64  // of one evaluation
	Cardinality *uint64 // maximum number of evaluations; nil if unbounded
	Total       uint64  // MaxCost times Cardinality
	MessageCost uint64  // of one evaluation of messageExpression
	UsesOldSelf bool
	Errors      []FieldError // of compiling the rule
}

// Definition is the result of crd.
type Definition struct {
	Errors   []FieldError
	Warnings []string
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
	Stage         string
	Object        any
	UnknownFields []string
	Errors        []FieldError
	Warnings      []string
	// Unknown has the places of UnknownFields, if they were asked for.
	Unknown []UnknownField
}

// Converted is the result of convert: the objects or, if there are any, the
// errors.
type Converted struct {
	Objects []any
	Errors  []FieldError
}

// Defined is the result of define: the name of the definition.
type Defined struct{ Name string }

// Sorted is the result of sort: the names, highest priority first.
type Sorted struct{ Names []string }

// Table is the result of table: the columns, and for each object a row with a
// cell for each column.
type Table struct {
	Columns []TableColumn
	Rows    [][]any
}

// TableColumn is a column of a table.
type TableColumn struct {
	Name, Type, Format, Description string
	Priority                        int32
}

// AppendJSON appends the answer's line, without a line break, to dst and
// returns the longer slice. A result without a JSON form becomes a fault.
func (a *Answer) AppendJSON(dst []byte) []byte {
	dst = appendString(append(dst, `{"id":`...), a.ID)
	head := len(dst)
	fault := a.Fault
	if fault == "" && a.Result == nil {
		fault = "no result"
	}
	if fault == "" {
		var err error
		if dst, err = a.Result.members(dst); err == nil {
			return append(dst, '}')
		}
		fault = "the result has no JSON form: object" + err.Error()
	}
	dst = dst[:head]
	dst = appendString(append(dst, `,"fault":`...), fault)
	return append(dst, '}')
}

func (r Errors) members(dst []byte) ([]byte, error) {
	return appendErrors(dst, "errors", r.Errors), nil
}

func (r Pruned) members(dst []byte) ([]byte, error) {
	dst, err := AppendValue(appendName(dst, "object"), r.Object)
	return appendStrings(appendName(dst, "unknownFields"), r.UnknownFields), err
}

func (r Object) members(dst []byte) ([]byte, error) {
	return AppendValue(appendName(dst, "object"), r.Object)
}

func (r Validated) members(dst []byte) ([]byte, error) {
	return appendErrors(appendErrors(dst, "errors", r.Errors), "ratcheted", r.Ratcheted), nil
}

func (r Evaluated) members(dst []byte) ([]byte, error) {
	dst = appendErrors(dst, "errors", r.Errors)
	dst = appendStrings(appendName(dst, "warnings"), r.Warnings)
	dst = appendName(dst, "cost")
	if r.Cost == nil {
		return append(dst, "null"...), nil
	}
	return strconv.AppendInt(dst, *r.Cost, 10), nil
}

func (r Costs) members(dst []byte) ([]byte, error) {
	dst = append(appendName(dst, "rules"), '[')
	for i := range r.Rules {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.Rules[i].append(dst)
	}
	return append(dst, ']'), nil
}

func (r *CostRule) append(dst []byte) []byte {
	dst = appendString(append(dst, `{"path":`...), r.Path)
	dst = strconv.AppendInt(appendName(dst, "index"), int64(r.Index), 10)
	dst = appendString(appendName(dst, "rule"), r.Rule)
	dst = strconv.AppendUint(appendName(dst, "maxCost"), r.MaxCost, 10)
	dst = appendName(dst, "cardinality")
	if r.Cardinality == nil {
		dst = append(dst, "null"...)
	} else {
		dst = strconv.AppendUint(dst, *r.Cardinality, 10)
	}
	dst = strconv.AppendUint(appendName(dst, "total"), r.Total, 10)
	dst = strconv.AppendUint(appendName(dst, "messageCost"), r.MessageCost, 10)
	dst = strconv.AppendBool(appendName(dst, "usesOldSelf"), r.UsesOldSelf)
	return append(appendErrors(dst, "errors", r.Errors), '}')
}

func (r Definition) members(dst []byte) ([]byte, error) {
	dst = appendErrors(dst, "errors", r.Errors)
	return appendStrings(appendName(dst, "warnings"), r.Warnings), nil
}

func (r Admitted) members(dst []byte) ([]byte, error) {
	dst = appendString(appendName(dst, "stage"), r.Stage)
	if r.Stage != StageDecode {
		var err error
		if dst, err = AppendValue(appendName(dst, "object"), r.Object); err != nil {
			return dst, err
		}
	}
	dst = appendStrings(appendName(dst, "unknownFields"), r.UnknownFields)
	dst = appendErrors(dst, "errors", r.Errors)
	dst = appendStrings(appendName(dst, "warnings"), r.Warnings)
	if r.Unknown == nil {
		return dst, nil
	}
	dst = append(appendName(dst, "unknown"), '[')
	for i, unknown := range r.Unknown {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(append(dst, `{"field":`...), unknown.Field)
		dst = append(appendPosition(dst, unknown.Position), '}')
	}
	return append(dst, ']'), nil
}

// appendPosition appends a position that is known.
func appendPosition(dst []byte, at *Position) []byte {
	if at == nil {
		return dst
	}
	return fmt.Appendf(dst, `,"position":{"line":%d,"column":%d}`, at.Line, at.Column)
}

func (r Converted) members(dst []byte) ([]byte, error) {
	if len(r.Errors) > 0 {
		return appendErrors(dst, "errors", r.Errors), nil
	}
	dst = append(appendName(dst, "objects"), '[')
	for i, object := range r.Objects {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = AppendValue(dst, object); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func (r Defined) members(dst []byte) ([]byte, error) {
	return appendString(appendName(dst, "name"), r.Name), nil
}

func (r Sorted) members(dst []byte) ([]byte, error) {
	return appendStrings(appendName(dst, "names"), r.Names), nil
}

func (r Table) members(dst []byte) ([]byte, error) {
	dst = append(appendName(dst, "columns"), '[')
	for i, c := range r.Columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(append(dst, `{"name":`...), c.Name)
		dst = appendString(appendName(dst, "type"), c.Type)
		dst = appendString(appendName(dst, "format"), c.Format)
		dst = appendString(appendName(dst, "description"), c.Description)
		dst = strconv.AppendInt(appendName(dst, "priority"), int64(c.Priority), 10)
		dst = append(dst, '}')
	}
	dst = append(appendName(append(dst, ']'), "rows"), '[')
	for i, row := range r.Rows {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = AppendValue(dst, row); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendErrors(dst []byte, name string, errs []FieldError) []byte {
	dst = append(appendName(dst, name), '[')
	for i, e := range errs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(append(dst, `{"type":`...), e.Type)
		dst = appendString(appendName(dst, "field"), e.Field)
		dst = appendString(appendName(dst, "detail"), e.Detail)
		dst = appendString(appendName(dst, "text"), e.Text)
		if e.Rule != "" {
			dst = appendString(appendName(dst, "rule"), e.Rule)
		}
		dst = appendPosition(dst, e.Position)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}
