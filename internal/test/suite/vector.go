package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

// Vector is one request of the evaluation protocol with the answer wanted.
type Vector struct {
	// ID names the vector. It is unique and never changes.
	ID string
	// Rule is the id of the specification's rule that the vector shows.
	Rule string
	// Description states in a few words what the vector shows. It is unique.
	Description string
	// Report names the public report that the vector came from, e.g.
	// "kubernetes/kubernetes#133704". It is empty for most.
	Report string
	// Group is the name of the vector's file without its extension, e.g. "cel".
	Group string
	// Part is the part of a server's work that the vector tests.
	Part Part
	// Request is the request without its id, as it stands in the file.
	Request json.RawMessage
	// Recorded holds the answers without their ids.
	Recorded
}

// vectorLine is a vector as it stands in its file.
type vectorLine struct {
	ID          string          `json:"id"`
	Rule        string          `json:"rule"`
	Description string          `json:"description"`
	Report      string          `json:"report,omitempty"`
	Request     json.RawMessage `json:"request"`
	Recorded
}

// Load reads all vectors of a folder: the files with the extension .jsonl, in
// the order of their names. A malformed line is an error that names file and
// line.
func Load(folder fs.FS) ([]Vector, error) {
	return loadLines(folder, parseVector)
}

func parseVector(group string, line []byte) (Vector, error) {
	var l vectorLine
	if err := decodeLine(line, &l); err != nil {
		return Vector{}, err
	}
	v := Vector{
		ID:          l.ID,
		Rule:        l.Rule,
		Description: l.Description,
		Report:      l.Report,
		Group:       group,
		Request:     l.Request,
		Recorded:    l.Recorded,
	}
	if err := v.check(); err != nil {
		return Vector{}, fmt.Errorf("vector %s: %w", v.ID, err)
	}
	req, err := v.ProtocolRequest()
	if err != nil {
		return Vector{}, fmt.Errorf("vector %s: %w", v.ID, err)
	}
	v.Part = partOf(group, req.Op)
	return v, nil
}

// ProtocolRequest returns the vector's request with the vector's id as its id.
func (v *Vector) ProtocolRequest() (*protocol.Request, error) {
	line, err := v.line()
	if err != nil {
		return nil, err
	}
	return protocol.ParseRequest(line)
}

// line returns the request's line as it is sent, without a line break.
func (v *Vector) line() ([]byte, error) {
	members, ok := bytes.CutPrefix(bytes.TrimSpace(v.Request), []byte("{"))
	if !ok {
		return nil, fmt.Errorf("the request is not an object")
	}
	id, err := json.Marshal(v.ID)
	if err != nil {
		return nil, err
	}
	line := append([]byte(`{"id":`), id...)
	return append(append(line, ','), members...), nil
}

// AppendLine appends the vector as a line of its file, line break included.
func (v *Vector) AppendLine(dst []byte) ([]byte, error) {
	head := vectorLine{
		ID:          v.ID,
		Rule:        v.Rule,
		Description: v.Description,
		Report:      v.Report,
		Request:     json.RawMessage("null"),
	}
	return appendLine(dst, head, v.Request, v.Recorded)
}

// panics reports whether the real code panics on the vector's request.
func (v *Vector) panics() bool {
	var want struct{ Fault string }
	return json.Unmarshal(v.Want, &want) == nil && strings.HasPrefix(want.Fault, "panic: ")
}
