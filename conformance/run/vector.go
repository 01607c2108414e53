package run

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"sort"
	"strings"

	"github.com/crdsem/crdsem/conformance/protocol"
)

// Vector is one request of the evaluation protocol and the answer that is wanted.
type Vector struct {
	// ID names the vector. It is unique and never changes.
	ID string
	// Rule is the id of the specification's rule that the vector shows.
	Rule string
	// Description says in a few words what the vector shows. It is unique.
	Description string
	// Group is the name of the file that the vector is in, without its ending.
	Group string
	// Request is the request without its id, as it stands in the file.
	Request json.RawMessage
	// Want is the answer without its id. Empty where it is not recorded yet.
	Want json.RawMessage
	// Or holds the other answers that the real code gives at times.
	Or []json.RawMessage
}

// vectorLine is a vector as it stands in its file.
type vectorLine struct {
	ID          string            `json:"id"`
	Rule        string            `json:"rule"`
	Description string            `json:"description"`
	Request     json.RawMessage   `json:"request"`
	Want        json.RawMessage   `json:"want,omitempty"`
	Or          []json.RawMessage `json:"or,omitempty"`
}

// Load reads all vectors of a folder: the files that end in .jsonl, in the order of
// their names. A line that is no vector is an error that names file and line.
func Load(folder fs.FS) ([]Vector, error) {
	names, err := fs.Glob(folder, "*.jsonl")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	var all []Vector
	for _, name := range names {
		vectors, err := loadFile(folder, name)
		if err != nil {
			return nil, err
		}
		all = append(all, vectors...)
	}
	return all, nil
}

func loadFile(folder fs.FS, name string) ([]Vector, error) {
	file, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	group := strings.TrimSuffix(path.Base(name), ".jsonl")
	var vectors []Vector
	lines := bufio.NewReader(file)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			v, err := parseVector(line)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, number, err)
			}
			v.Group = group
			vectors = append(vectors, v)
		}
		if err == io.EOF {
			return vectors, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func parseVector(line []byte) (Vector, error) {
	var l vectorLine
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return Vector{}, err
	}
	v := Vector{ID: l.ID, Rule: l.Rule, Description: l.Description, Request: l.Request, Want: l.Want, Or: l.Or}
	if _, err := v.ProtocolRequest(); err != nil {
		return Vector{}, fmt.Errorf("vector %s: %w", v.ID, err)
	}
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
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	head := vectorLine{ID: v.ID, Rule: v.Rule, Description: v.Description, Request: json.RawMessage("null")}
	if err := enc.Encode(head); err != nil {
		return dst, err
	}
	// The request and the answers go in as they are: encoding would compact them.
	prefix := bytes.TrimSuffix(bytes.TrimSpace(out.Bytes()), []byte("null}"))
	dst = append(append(dst, prefix...), v.Request...)
	if len(v.Want) > 0 {
		dst = append(append(dst, `,"want":`...), v.Want...)
	}
	for i, other := range v.Or {
		if i == 0 {
			dst = append(dst, `,"or":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = append(dst, other...)
	}
	if len(v.Or) > 0 {
		dst = append(dst, ']')
	}
	return append(dst, '}', '\n'), nil
}
