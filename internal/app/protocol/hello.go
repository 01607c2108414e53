package protocol

import (
	"io"
	"strconv"
)

// Hello is the line by which an implementation introduces itself.
type Hello struct {
	Name       string
	Version    string   // of the implementation
	Kubernetes []string // the minors it knows, such as "1.37"
	Ops        []string // the ops that it answers
}

// AppendJSON appends the line, without a line break, to dst and returns the
// longer slice.
func (h *Hello) AppendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"protocol":`...), Version, 10)
	dst = appendString(appendName(dst, "name"), h.Name)
	dst = appendString(appendName(dst, "version"), h.Version)
	dst = appendStrings(appendName(dst, "kubernetes"), h.Kubernetes)
	dst = appendStrings(appendName(dst, "ops"), h.Ops)
	return append(dst, '}')
}

// Write writes the line with its line break.
func (h *Hello) Write(out io.Writer) error {
	_, err := out.Write(append(h.AppendJSON(nil), '\n'))
	return err
}
