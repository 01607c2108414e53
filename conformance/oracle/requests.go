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
// shows a change of a minor, with the answer of that minor.
type recordedRequest struct {
	ID      string          `json:"id"`
	Change  string          `json:"change"`
	Request json.RawMessage `json:"request"`
	Want    json.RawMessage `json:"want"`
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
		answer := protocol.AnswerLine(ctx, r.Request, handler).AppendJSON(nil)
		if answer, err = suite.Canonical(answer); err != nil {
			return fmt.Errorf("%s: %w", r.ID, err)
		}
		difference, err := suite.Difference(r.Want, answer)
		if err != nil {
			return fmt.Errorf("%s: %w", r.ID, err)
		}
		if difference != "" {
			drifted++
			fmt.Printf("%s (%s): the real code now answers\n%s", r.ID, r.Change, difference)
			r.Want = answer
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
