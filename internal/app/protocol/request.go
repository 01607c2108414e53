package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Request is one request. Which fields are set depends on the op; a field that
// was not given has its zero value.
type Request struct {
	ID string `json:"id"`
	Op string `json:"op"`

	Name    string   `json:"name"`    // define: the name of the definition
	Schema  Input    `json:"schema"`  // an openAPIV3Schema
	CRD     Input    `json:"crd"`     // a CustomResourceDefinition
	Version string   `json:"version"` // the version of the request, e.g. v1
	To      string   `json:"to"`      // convert: group/version
	Object  Input    `json:"object"`  // the object, or the new object of an update
	Objects []Input  `json:"objects"` // convert, table
	Names   []string `json:"names"`   // sort
	Now     string   `json:"now"`     // table: ages are counted from it, as RFC 3339
	Old     Input    `json:"old"`     // of an update: the old object or definition

	Budget       *int64 `json:"budget"`       // cel: the limit of all rules together
	PerCallLimit *int64 `json:"perCallLimit"` // cel: the cost limit of one rule

	Subresource     string `json:"subresource"`     // "" or "status"
	FieldValidation string `json:"fieldValidation"` // "", "Strict", "Warn" or "Ignore"

	Stored  Input  `json:"stored"`  // of a write: the object as etcd holds it
	Patch   Input  `json:"patch"`   // patch: the body
	Type    string `json:"type"`    // patch: PatchJSON, PatchMerge or PatchStrategic
	Manager string `json:"manager"` // of a write: the name of the field manager
	Force   bool   `json:"force"`   // apply: take over fields of other managers
	// Webhook is the body of the ConversionReview that the conversion webhook
	// answers with, each time that it is called. "$UID" in it, and in the
	// errors of the answer, stands for the uid of the request.
	Webhook string `json:"webhook"`

	// Positions: errors of a text have their place in it; crd, admit.
	Positions bool `json:"positions"`
	// Kubernetes is the minor whose answer is asked for, e.g. "1.33". If it is
	// empty, the newest that the handler knows is meant.
	Kubernetes string `json:"kubernetes"`
}

// The types of patches.
const (
	PatchJSON      = "json"      // a list of operations
	PatchMerge     = "merge"     // an object whose fields replace those stored
	PatchStrategic = "strategic" // which no server takes for a custom resource
)

// ParseRequest reads one request line. The returned request holds what could be
// read even if there is an error, at least the id if there is one. An error is
// one sentence with the reason why the request cannot be carried out. The
// request refers to line, which must not be changed afterwards.
func ParseRequest(line []byte) (*Request, error) {
	req := &Request{}
	fields, err := membersOf(line)
	if err != nil {
		return req, fmt.Errorf("malformed request: %w", err)
	}
	if fields == nil {
		return req, errors.New("malformed request: not an object")
	}
	if err := req.parseHead(fields); err != nil {
		return req, err
	}
	inputs, ok := inputsOf(req.Op)
	if !ok {
		return req, fmt.Errorf("unknown op %q", req.Op)
	}
	if err := checkFields(inputs, fields); err != nil {
		return req, err
	}
	for _, name := range inputs.all() {
		if err := req.parseField(fields, name); err != nil {
			return req, err
		}
	}
	return req, nil
}

// CheckKubernetes rejects a request for a minor that is not among those given.
func (r *Request) CheckKubernetes(known []string) error {
	if r.Kubernetes == "" || slices.Contains(known, r.Kubernetes) {
		return nil
	}
	return fmt.Errorf("kubernetes %q is not known; known are %s", r.Kubernetes,
		strings.Join(known, ", "))
}

// parseHead reads id and op.
func (r *Request) parseHead(fields map[string]jsontext.Value) error {
	for _, name := range []string{fieldID, fieldOp} {
		if err := r.parseField(fields, name); err != nil {
			return err
		}
		if !present(fields, name) {
			return fmt.Errorf("missing %s", name)
		}
	}
	return nil
}

// checkFields rejects fields that the op does not take and requires those it
// needs.
func checkFields(inputs opInputs, fields map[string]jsontext.Value) error {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(inputs.all(), name) && name != fieldID && name != fieldOp {
			return fmt.Errorf("unknown field %q of op %q", name, inputs.op)
		}
	}
	for _, name := range inputs.required {
		if _, ok := fields[name]; !ok {
			return fmt.Errorf("missing input %q of op %q", name, inputs.op)
		}
	}
	return nil
}

// fieldIndexes returns the index of each field by its name.
var fieldIndexes = sync.OnceValue(func() map[string]int {
	indexes, request := map[string]int{}, reflect.TypeFor[Request]()
	for i := range request.NumField() {
		name, _, _ := strings.Cut(request.Field(i).Tag.Get("json"), ",")
		indexes[name] = i
	}
	return indexes
})

// field returns a pointer to the field with a name that an op takes.
func (r *Request) field(name string) any {
	return reflect.ValueOf(r).Elem().Field(fieldIndexes()[name]).Addr().Interface()
}

// present reports whether a field was sent with a value other than null.
func present(fields map[string]jsontext.Value, name string) bool {
	raw, ok := fields[name]
	return ok && raw.Kind() != 'n'
}

// parseField reads a field if it was sent. A null is a document or not a list;
// for the old or stored object and everything else it counts as not given.
func (r *Request) parseField(fields map[string]jsontext.Value, name string) error {
	raw, sent := fields[name]
	if !sent {
		return nil
	}
	var kind string
	var ok bool
	switch to := r.field(name).(type) {
	case *Input:
		if name != fieldOld && name != fieldStored || present(fields, name) {
			*to = parseInput(raw)
		}
		return nil
	case *[]Input:
		kind, ok = "a list", parseObjects(raw, to)
	case *[]string:
		kind, ok = "a list of strings", parseNames(raw, to)
	case *string:
		kind, ok = "a string", unmarshal(raw, to)
	case *bool:
		kind, ok = "a boolean", unmarshal(raw, to)
	case **int64:
		kind, ok = "an integer", unmarshal(raw, to)
	}
	if !ok {
		return fmt.Errorf("field %q is not %s", name, kind)
	}
	return nil
}

// unmarshal decodes a value and reports whether it has the right type.
func unmarshal(raw jsontext.Value, to any) bool {
	return json.Unmarshal(raw, to, jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true)) == nil
}

func parseObjects(raw jsontext.Value, to *[]Input) bool {
	var items []jsontext.Value
	unmarshal(raw, &items) // nil for what is no list
	for _, item := range items {
		*to = append(*to, parseInput(item))
	}
	return items != nil
}

func parseNames(raw jsontext.Value, to *[]string) bool {
	var names []*string
	if !unmarshal(raw, &names) || names == nil || slices.Contains(names, nil) {
		return false
	}
	for _, name := range names {
		*to = append(*to, *name)
	}
	return true
}

// AppendJSON appends the request's line, without a line break, to dst and
// returns the longer slice. Only fields of the request's op that were given are
// written.
func (r *Request) AppendJSON(dst []byte) []byte {
	dst = append(appendMember(append(dst, '{'), fieldID, r.ID), ',')
	dst = appendMember(dst, fieldOp, r.Op)
	inputs, _ := inputsOf(r.Op)
	for _, name := range inputs.all() {
		switch v := r.field(name).(type) {
		case *Input:
			if v.Given() {
				dst = v.appendJSON(appendName(dst, name))
			}
		case *[]Input:
			dst = appendInputs(appendName(dst, name), *v)
		case *[]string:
			dst = appendMember(append(dst, ','), name, *v)
		default:
			if value := reflect.ValueOf(v).Elem(); !value.IsZero() {
				dst = appendMember(append(dst, ','), name, value.Interface())
			}
		}
	}
	return append(dst, '}')
}

// appendName appends a comma and the name of a member.
func appendName(dst []byte, name string) []byte {
	dst, _ = jsontext.AppendQuote(append(dst, ','), name)
	return append(dst, ':')
}

func appendInputs(dst []byte, inputs []Input) []byte {
	dst = append(dst, '[')
	for i, in := range inputs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = in.appendJSON(dst)
	}
	return append(dst, ']')
}

// MarshalJSON returns the request's line without a line break.
func (r *Request) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// UnmarshalJSON reads a request as [ParseRequest] does.
func (r *Request) UnmarshalJSON(line []byte) error {
	req, err := ParseRequest(bytes.Clone(line))
	*r = *req
	return err
}
