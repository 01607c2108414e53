package engine

import (
	"context"
	"fmt"
	"sync"

	"github.com/crdsem/crdsem/internal/app/verdict"
)

// handles keeps definitions by the names that callers chose for them, until
// they are closed. A caller that knows that the program was replaced opens its
// definitions again.
type handles struct {
	mu   sync.Mutex
	open map[string]*checkedText
}

func newHandles() *handles { return &handles{open: map[string]*checkedText{}} }

// of returns the definitions that a handle names.
func (h *handles) of(handle string) (*checkedText, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if checked := h.open[handle]; checked != nil {
		return checked, nil
	}
	return nil, &handleError{handle}
}

// handleError is the error of a request about definitions that are not open.
type handleError struct{ handle string }

// Error names the handle.
func (e *handleError) Error() string {
	return fmt.Sprintf("no definitions are open as %q", e.handle)
}

// openRequest is a request of the operation open: it checks definitions, and
// keeps them. Later requests name them by their handle, and need no text.
type openRequest struct {
	ID          string `json:"id"`
	Op          string `json:"op"`
	Kubernetes  string `json:"kubernetes"`
	Handle      string `json:"handle"` // any text, e.g. d1
	Definitions string `json:"definitions"`
}

// openAnswer is the answer to an openRequest.
type openAnswer struct {
	ID          string            `json:"id"`
	Definitions []*verdict.Result `json:"definitions"`
	Models      []model           `json:"models"`
}

// opened answers the operation open.
func (e *Engine) opened(ctx context.Context, request []byte) (*openAnswer, error) {
	var req openRequest
	if err := decode(request, &req); err != nil {
		return nil, err
	}
	minor, err := minorOf(req.Kubernetes)
	if err != nil {
		return nil, err
	}
	checked, err := checkText(ctx, checkedKey{text: req.Definitions, minor: minor})
	if err != nil {
		return nil, err
	}
	e.handles.mu.Lock()
	e.handles.open[req.Handle] = checked
	e.handles.mu.Unlock()
	out := &openAnswer{ID: req.ID, Models: checked.models()}
	out.Definitions = append(checked.results(), checked.others...)
	return out, nil
}

// closeRequest is a request of the operation close, which forgets what was
// opened.
type closeRequest struct {
	ID     string `json:"id"`
	Op     string `json:"op"`
	Handle string `json:"handle"`
}

// closeAnswer is the answer to a closeRequest.
type closeAnswer struct {
	ID string `json:"id"`
}

// closed answers the operation close.
func (e *Engine) closed(request []byte) (*closeAnswer, error) {
	var req closeRequest
	if err := decode(request, &req); err != nil {
		return nil, err
	}
	e.handles.mu.Lock()
	defer e.handles.mu.Unlock()
	delete(e.handles.open, req.Handle)
	return &closeAnswer{req.ID}, nil
}

// definitions returns the definitions of a request, by their handle or as text.
func (e *Engine) definitions(
	ctx context.Context, handle, text, stored, kubernetes string,
) (*checkedText, error) {
	if handle != "" {
		checked, err := e.handles.of(handle)
		if err != nil || stored == "" {
			return checked, err
		}
		return checkText(ctx, checkedKey{checked.key.text, stored, checked.key.minor})
	}
	minor, err := minorOf(kubernetes)
	if err != nil {
		return nil, err
	}
	return e.checked.of(ctx, checkedKey{text, stored, minor})
}
