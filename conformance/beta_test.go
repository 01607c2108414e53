package conformance_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/crdsem/crdsem/internal/app/evaluator"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/suite"
)

// The library answers as v0.38.0-beta.0 of the real code did, to requests that
// show what is new in it and what is not.
func TestBeta(t *testing.T) {
	file, err := os.Open("testdata/1.38.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	handler, asked := evaluator.New(), 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct {
			ID            string
			Request, Want json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		answer := protocol.AnswerLine(context.Background(), c.Request, handler).AppendJSON(nil)
		if difference, err := suite.Difference(c.Want, answer); err != nil || difference != "" {
			t.Errorf("%s: %v %s", c.ID, err, difference)
		}
		asked++
	}
	if err := lines.Err(); err != nil || asked < 400 {
		t.Errorf("%d requests, %v", asked, err)
	}
}
