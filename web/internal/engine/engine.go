package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/crdsem/crdsem/internal/app/edit"
	"github.com/crdsem/crdsem/internal/app/evaluator"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/minors"
)

// Engine answers requests. It keeps definitions that requests repeat. It is
// safe for concurrent use.
type Engine struct {
	session *protocol.Session
	checked *checkedDefinitions
	handles *handles

	editing  sync.Mutex // guards the members below
	editor   *edit.Workspace
	editorOf minors.Minor
}

// New returns an engine that knows no definition yet.
func New() *Engine {
	return &Engine{
		session: protocol.NewSession(evaluator.New()),
		checked: newChecked(), handles: newHandles(),
	}
}

// Hello returns the JSON line by which this implementation introduces itself.
func Hello() ([]byte, error) {
	var b bytes.Buffer
	hello := evaluator.Hello()
	if err := hello.Write(&b); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// The operations that the evaluation protocol does not have.
const (
	opJudge       = "judge"
	opCosts       = "costs"
	opConversions = "conversions"
	opDescribe    = "describe"
	opEdit        = "edit"
	opOpen        = "open"
	opClose       = "close"
	opValidate    = "validateDocuments"
)

// Answer answers one request with one JSON object. A request that cannot be
// carried out gets a fault, as in the evaluation protocol. The request must not
// be changed afterwards.
func (e *Engine) Answer(ctx context.Context, request []byte) []byte {
	var head struct{ ID, Op string }
	_ = json.Unmarshal(request, &head) // the session answers what is malformed
	switch head.Op {
	case opJudge:
		return answer(head.ID, func() (any, error) { return e.judged(ctx, request) })
	case opConversions:
		return answer(head.ID, func() (any, error) { return e.conversions(ctx, request) })
	case opDescribe:
		return answer(head.ID, func() (any, error) { return e.described(ctx, request) })
	case opEdit:
		return answer(head.ID, func() (any, error) { return e.edited(ctx, request) })
	case opCosts:
		return answer(head.ID, func() (any, error) { return e.costs(ctx, request) })
	case opOpen:
		return answer(head.ID, func() (any, error) { return e.opened(ctx, request) })
	case opClose:
		return answer(head.ID, func() (any, error) { return e.closed(request) })
	case opValidate:
		return answer(head.ID, func() (any, error) { return e.validated(ctx, request) })
	}
	return e.session.Answer(ctx, request).AppendJSON(nil)
}

// fault is the answer to a request that cannot be carried out. Line and Column
// are the place in the text that is at fault, e.g. in the stored objects; 0 if
// it has none.
type fault struct {
	ID     string `json:"id"`
	Fault  string `json:"fault"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// Handle is the one that names nothing.
	Handle string `json:"handle,omitempty"`
}

// answer returns the JSON of a result. An error, or a panic, becomes a fault.
func answer(id string, result func() (any, error)) (line []byte) {
	defer func() {
		if p := recover(); p != nil {
			line = encode(fault{ID: id, Fault: fmt.Sprintf("panic: %v", p)})
		}
	}()
	value, err := result()
	if err != nil {
		f := fault{ID: id, Fault: err.Error()}
		if placed, ok := errors.AsType[*textError](err); ok {
			f.Line, f.Column = placed.at.Line, placed.at.Column
		}
		if unknown, ok := errors.AsType[*handleError](err); ok {
			f.Handle = unknown.handle
		}
		return encode(f)
	}
	return encode(value)
}

// encode returns the JSON of a value, in one line.
func encode(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return encode(fault{Fault: "the answer has no JSON form: " + err.Error()})
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// decode reads a request of an operation of its own. Unknown fields are errors.
func decode(request []byte, to any) error {
	decoder := json.NewDecoder(bytes.NewReader(request))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(to)
	if mistyped, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("malformed request: %s must be a %v, got: %s",
			mistyped.Field, mistyped.Type, mistyped.Value)
	}
	if err != nil {
		return fmt.Errorf("malformed request: %w", err)
	}
	return nil
}
