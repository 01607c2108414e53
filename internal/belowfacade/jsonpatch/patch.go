package jsonpatch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Operation is one operation of a JSON patch: its members as they are written.
// Nil stands for null.
type Operation map[string]*json.RawMessage

// Patch is a JSON patch. Errors of Decode show its name and that of Operation.
type Patch []Operation

// maxCopied is how many bytes the copies of a patch may have together: the
// server's default.
const maxCopied = 3 * 1024 * 1024

// ErrCrash is the error for a patch at which the server's library panics.
var ErrCrash = errors.New("the server panics at this")

// ErrTest is the reason of a test that fails.
var ErrTest = errors.New("the value is another")

// The other reasons why an operation cannot be carried out.
var (
	errKind    = errors.New("there is no such operation")
	errMember  = errors.New("a path must be a string")
	errMissing = errors.New("there is no such path")
	errIndex   = errors.New("there is no such index")
	errRoot    = errors.New("the whole can be replaced by an object or a list only")
	errCopied  = fmt.Errorf("the copies are of more than %d bytes", maxCopied)
	errDepth   = fmt.Errorf("the outcome is nested deeper than %d levels", maxDepth)
)

// Decode decodes a JSON patch. Its error is the standard library's.
func Decode(text []byte) (Patch, error) {
	var p Patch
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, err
	}
	return p, nil
}

// Apply applies the patch to a document, which must be a JSON object, and
// returns the result. It changes neither. It fails at the first operation that
// cannot be applied, and its error names the operation, or with the context's
// error once the context ends.
func (p Patch) Apply(ctx context.Context, doc []byte) ([]byte, error) {
	d := document{root: parse(doc)}
	d.root.open()
	for i, op := range p {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := d.do(op); err != nil {
			path, _ := op.text("path")
			return nil, fmt.Errorf("operation %d (%s %q): %w", i, op.kind(), path, err)
		}
	}
	return d.root.encode()
}

// kind returns what the operation does, e.g. add. It is empty if the operation
// does not say.
func (o Operation) kind() string {
	kind, _ := o.text("op")
	return kind
}

// text returns a member that must be a string.
func (o Operation) text(name string) (string, error) {
	var text string
	if o[name] == nil || json.Unmarshal(*o[name], &text) != nil {
		return "", errMember
	}
	return text, nil
}

// value returns the value of an operation, nil if it has none. A null is a
// node.
func (o Operation) value() *node {
	raw, ok := o["value"]
	switch {
	case !ok:
		return nil
	case raw == nil:
		return &node{}
	}
	return parse(*raw)
}

// document is a document to which a patch is being applied.
type document struct {
	root   *node
	copied int // bytes that copies have so far
}

func (d *document) do(op Operation) error {
	switch op.kind() {
	case "add":
		return d.add(op)
	case "remove":
		return d.remove(op)
	case "replace":
		return d.replace(op)
	case "move":
		return d.move(op)
	case "copy":
		return d.copy(op)
	case "test":
		return d.test(op)
	}
	return errKind
}

func (d *document) add(op Operation) error {
	p, err := d.locate(op, "path")
	if err != nil {
		return err
	}
	return p.add(op.value())
}

func (d *document) remove(op Operation) error {
	p, err := d.locate(op, "path")
	if err != nil {
		return err
	}
	return p.remove()
}

func (d *document) replace(op Operation) error {
	if path, err := op.text("path"); err == nil && path == "" {
		return d.replaceRoot(op.value())
	}
	p, err := d.locate(op, "path")
	if err != nil {
		return err
	}
	return p.set(op.value())
}

func (d *document) replaceRoot(value *node) error {
	switch {
	case value == nil:
		return ErrCrash
	case !value.open():
		return errRoot
	}
	d.root = value
	return nil
}

func (d *document) move(op Operation) error {
	from, err := d.locate(op, "from")
	if err != nil {
		return err
	}
	value, err := from.get()
	if err != nil {
		return err
	}
	if err := from.remove(); err != nil {
		return err
	}
	to, err := d.locate(op, "path")
	if err != nil {
		return err
	}
	return to.add(value)
}

func (d *document) copy(op Operation) error {
	from, err := d.locate(op, "from")
	if err != nil {
		return err
	}
	value, err := from.get()
	if err != nil {
		return err
	}
	to, err := d.locate(op, "path")
	if err != nil {
		return err
	}
	if value == nil {
		return to.add(nil)
	}
	text, err := value.encode()
	if err != nil {
		return err
	}
	if d.copied += len(text); d.copied > maxCopied {
		return errCopied
	}
	if copied := parse(text); copied != nil {
		return to.add(copied)
	}
	return to.add(&node{text: text, kind: copiedNull})
}

func (d *document) test(op Operation) error {
	wanted := op.value()
	if path, err := op.text("path"); err == nil && path == "" {
		return testEqual(d.root, wanted)
	}
	p, err := d.locate(op, "path")
	if err != nil {
		return err
	}
	value, err := p.get()
	switch {
	case err != nil:
		return err
	case value == nil && (wanted == nil || wanted.text == nil):
		return nil
	case value == nil || wanted == nil:
		return ErrTest
	}
	return testEqual(value, wanted)
}

func testEqual(value, wanted *node) error {
	same, err := equal(value, wanted)
	if err == nil && !same {
		return ErrTest
	}
	return err
}
