package protocol

import "io"

// Hello is the line by which an implementation introduces itself.
type Hello struct {
	Name       string   `json:"name"`
	Version    string   `json:"version"`    // of the implementation
	Kubernetes []string `json:"kubernetes"` // the minors it knows, such as "1.37"
	Ops        []string `json:"ops"`        // the ops that it answers
}

// AppendJSON appends the line, without a line break, to dst and returns the
// longer slice.
func (h *Hello) AppendJSON(dst []byte) []byte {
	dst = append(appendMember(append(dst, '{'), "protocol", Version), ',')
	text, _ := appendJSON(nil, h) // strings have a JSON form
	return append(dst, text[1:]...)
}

// Write writes the line with its line break.
func (h *Hello) Write(out io.Writer) error {
	_, err := out.Write(append(h.AppendJSON(nil), '\n'))
	return err
}
