package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Request is one request. Which fields are set depends on the op; a field that
// was not given has its zero value.
type Request struct {
	ID string
	Op string
	// Kubernetes is the minor whose answer is asked for, e.g. "1.33". If it is
	// empty, the newest that the handler knows is meant.
	Kubernetes string

	Schema Input // an openAPIV3Schema
	CRD    Input // a CustomResourceDefinition
	Object Input // the object, or the new object of an update
	Old    Input // the old object of an update, or the old definition

	Version         string // admit, table: the version of the request
	Subresource     string // admit: "" or "status"
	FieldValidation string // admit: "", "Strict", "Warn" or "Ignore"

	Positions bool // crd, admit: whether errors of a text have their place in it

	Budget       *int64 // cel: the cost limit of all rules together
	PerCallLimit *int64 // cel: the cost limit of one rule

	To      string   // convert: group/version
	Objects []Input  // convert, table
	Names   []string // sort
	Now     string   // table: the time that ages are counted from, as RFC 3339
	Name    string   // define: the name of the definition
}

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
	return req, req.parseInputs(fields)
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
func (r *Request) parseHead(fields map[string]json.RawMessage) error {
	if err := parseText(fields, fieldID, &r.ID); err != nil {
		return err
	}
	if !present(fields, fieldID) {
		return errors.New("missing id")
	}
	if err := parseText(fields, fieldOp, &r.Op); err != nil {
		return err
	}
	if !present(fields, fieldOp) {
		return errors.New("missing op")
	}
	return nil
}

// checkFields rejects fields that the op does not take and requires those it
// needs.
func checkFields(inputs opInputs, fields map[string]json.RawMessage) error {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		known := name == fieldID || name == fieldOp || name == fieldKubernetes ||
			slices.Contains(inputs.required, name) || slices.Contains(inputs.optional, name)
		if !known {
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

// parseInputs reads everything but id and op.
func (r *Request) parseInputs(fields map[string]json.RawMessage) error {
	documents := []struct {
		name string
		to   *Input
	}{{fieldSchema, &r.Schema}, {fieldCRD, &r.CRD}, {fieldObject, &r.Object}, {fieldOld, &r.Old}}
	for _, d := range documents {
		if err := parseDocument(fields, d.name, d.to); err != nil {
			return err
		}
	}
	texts := []struct {
		name string
		to   *string
	}{
		{fieldVersion, &r.Version},
		{fieldSubresource, &r.Subresource},
		{fieldFieldValidation, &r.FieldValidation},
		{fieldTo, &r.To},
		{fieldNow, &r.Now},
		{fieldName, &r.Name},
		{fieldKubernetes, &r.Kubernetes},
	}
	for _, t := range texts {
		if err := parseText(fields, t.name, t.to); err != nil {
			return err
		}
	}
	if err := parseFlag(fields, fieldPositions, &r.Positions); err != nil {
		return err
	}
	if err := parseLimit(fields, fieldBudget, &r.Budget); err != nil {
		return err
	}
	if err := parseLimit(fields, fieldPerCallLimit, &r.PerCallLimit); err != nil {
		return err
	}
	return r.parseLists(fields)
}

// parseLists reads objects and names.
func (r *Request) parseLists(fields map[string]json.RawMessage) error {
	if raw, ok := fields[fieldObjects]; ok {
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil || items == nil {
			return fmt.Errorf("field %q is not a list", fieldObjects)
		}
		for i, item := range items {
			in, err := parseInput(item)
			if err != nil {
				return fmt.Errorf("field %q: item %d: %w", fieldObjects, i, err)
			}
			r.Objects = append(r.Objects, in)
		}
	}
	if raw, ok := fields[fieldNames]; ok {
		var names []*string
		if err := json.Unmarshal(raw, &names); err != nil || names == nil ||
			slices.Contains(names, nil) {
			return fmt.Errorf("field %q is not a list of strings", fieldNames)
		}
		for _, name := range names {
			r.Names = append(r.Names, *name)
		}
	}
	return nil
}

// present reports whether a field was sent with a value other than null.
func present(fields map[string]json.RawMessage, name string) bool {
	raw, ok := fields[name]
	return ok && string(raw) != "null"
}

// parseDocument reads an input. A null for the old object counts as not given.
func parseDocument(fields map[string]json.RawMessage, name string, to *Input) error {
	raw, ok := fields[name]
	if !ok || (name == fieldOld && !present(fields, name)) {
		return nil
	}
	in, err := parseInput(raw)
	if err != nil {
		return fmt.Errorf("field %q: %w", name, err)
	}
	*to = in
	return nil
}

// parseText reads a string. A null counts as not given.
func parseText(fields map[string]json.RawMessage, name string, to *string) error {
	if !present(fields, name) {
		return nil
	}
	if err := json.Unmarshal(fields[name], to); err != nil {
		return fmt.Errorf("field %q is not a string", name)
	}
	return nil
}

// parseFlag reads a boolean. A null counts as not given.
func parseFlag(fields map[string]json.RawMessage, name string, to *bool) error {
	if !present(fields, name) {
		return nil
	}
	if err := json.Unmarshal(fields[name], to); err != nil {
		return fmt.Errorf("field %q is not a boolean", name)
	}
	return nil
}

// parseLimit reads an integer. A null counts as not given.
func parseLimit(fields map[string]json.RawMessage, name string, to **int64) error {
	if !present(fields, name) {
		return nil
	}
	if err := json.Unmarshal(fields[name], to); err != nil {
		return fmt.Errorf("field %q is not an integer", name)
	}
	return nil
}
