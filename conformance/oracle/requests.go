package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/suite"
)

// recordedRequest is a line of a file of requests: one of the protocol that
// shows a change of the minor that is not released yet, with the answers of the
// newest released minor and of that one.
type recordedRequest struct {
	ID     string `json:"id"`
	Change string `json:"change"`
	// Endless is set if the newest released minor does not answer within a
	// minute. It is not asked.
	Endless bool            `json:"endless,omitempty"`
	Request json.RawMessage `json:"request"`
	Newest  json.RawMessage `json:"newest,omitempty"`
	Want    json.RawMessage `json:"want"`
}

// answer returns the recorded answer of the minor that is linked.
func (r *recordedRequest) answer() *json.RawMessage {
	if kube.Minor() == suite.Newest() {
		return &r.Newest
	}
	return &r.Want
}

// recordRequests asks the real code the requests of a file again. It prints
// what is answered otherwise than before, and writes the answers, unless it
// only checks.
func recordRequests(ctx context.Context, name string, check bool) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	handler := kube.New()
	asked, drifted := 0, 0
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	lines.SetEscapeHTML(false)
	for line := range bytes.Lines(text) {
		var r recordedRequest
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("%s: line %d: %w", name, asked+1, err)
		}
		asked++
		difference, err := r.askAgain(ctx, handler)
		if err != nil {
			return fmt.Errorf("%s: %w", r.ID, err)
		}
		if difference != "" {
			drifted++
			fmt.Printf("%s (%s): the real code now answers\n%s", r.ID, r.Change, difference)
		}
		if err := lines.Encode(&r); err != nil {
			return err
		}
	}
	fmt.Printf("%s: %d requests, %d drifted\n", kube.Minor(), asked, drifted)
	switch {
	case drifted == 0:
		return nil
	case check:
		return errFound
	}
	return os.WriteFile(name, out.Bytes(), 0o644)
}

// askAgain asks the real code and keeps its answer. It returns how the answer
// differs from the one before.
func (r *recordedRequest) askAgain(
	ctx context.Context, handler protocol.Handler,
) (difference string, err error) {
	if r.Endless && kube.Minor() == suite.Newest() {
		return "", nil
	}
	answer := protocol.AnswerLine(ctx, r.Request, handler).AppendJSON(nil)
	if answer, err = suite.Canonical(answer); err != nil {
		return "", err
	}
	recorded := r.answer()
	difference = "no answer is recorded\n"
	if len(*recorded) > 0 {
		difference, err = suite.Difference(*recorded, answer)
	}
	if difference != "" {
		*recorded = answer
	}
	return difference, err
}
