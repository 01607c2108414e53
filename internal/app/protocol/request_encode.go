package protocol

import "strconv"

// AppendJSON appends the request's line, without a line break, to dst and
// returns the longer slice. Only fields of the request's op that were given are
// written.
func (r *Request) AppendJSON(dst []byte) []byte {
	dst = appendString(append(dst, `{"id":`...), r.ID)
	dst = appendString(append(dst, `,"op":`...), r.Op)
	inputs, _ := inputsOf(r.Op)
	for _, name := range inputs.required {
		dst = r.appendField(dst, name)
	}
	for _, name := range inputs.optional {
		dst = r.appendField(dst, name)
	}
	return append(appendText(dst, fieldKubernetes, r.Kubernetes), '}')
}

// MarshalJSON returns the request's line without a line break.
func (r *Request) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// UnmarshalJSON reads a request as [ParseRequest] does.
func (r *Request) UnmarshalJSON(line []byte) error {
	req, err := ParseRequest(append([]byte(nil), line...))
	*r = *req
	return err
}

// appendField appends one named input if it was given.
func (r *Request) appendField(dst []byte, name string) []byte {
	switch name {
	case fieldSchema:
		return appendInput(dst, name, r.Schema)
	case fieldCRD:
		return appendInput(dst, name, r.CRD)
	case fieldObject:
		return appendInput(dst, name, r.Object)
	case fieldOld:
		return appendInput(dst, name, r.Old)
	case fieldVersion:
		return appendText(dst, name, r.Version)
	case fieldSubresource:
		return appendText(dst, name, r.Subresource)
	case fieldFieldValidation:
		return appendText(dst, name, r.FieldValidation)
	case fieldTo:
		return appendText(dst, name, r.To)
	case fieldNow:
		return appendText(dst, name, r.Now)
	case fieldName:
		return appendText(dst, name, r.Name)
	case fieldPositions:
		if !r.Positions {
			return dst
		}
		return append(appendName(dst, name), "true"...)
	case fieldBudget:
		return appendLimit(dst, name, r.Budget)
	case fieldPerCallLimit:
		return appendLimit(dst, name, r.PerCallLimit)
	case fieldObjects:
		return r.appendObjects(dst)
	case fieldNames:
		return appendStrings(appendName(dst, name), r.Names)
	}
	return dst
}

func (r *Request) appendObjects(dst []byte) []byte {
	dst = append(appendName(dst, fieldObjects), '[')
	for i, in := range r.Objects {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendDocument(dst, in)
	}
	return append(dst, ']')
}

// appendName appends a comma and a member's name. The name needs no escapes.
func appendName(dst []byte, name string) []byte {
	dst = append(dst, `,"`...)
	dst = append(dst, name...)
	return append(dst, `":`...)
}

func appendInput(dst []byte, name string, in Input) []byte {
	if !in.Given() {
		return dst
	}
	return appendDocument(appendName(dst, name), in)
}

func appendDocument(dst []byte, in Input) []byte {
	if in.text {
		return appendString(dst, string(in.doc))
	}
	return append(dst, in.doc...)
}

func appendText(dst []byte, name, text string) []byte {
	if text == "" {
		return dst
	}
	return appendString(appendName(dst, name), text)
}

func appendLimit(dst []byte, name string, limit *int64) []byte {
	if limit == nil {
		return dst
	}
	return strconv.AppendInt(appendName(dst, name), *limit, 10)
}
