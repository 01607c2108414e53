package conformance_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/suite"
)

// The library answers as the minor that is not released yet and as the newest
// one, to requests that show what is new between them and what is not.
func TestBeta(t *testing.T) {
	file, err := os.Open("testdata/" + suite.Beta() + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	handler, asked := whole.New(), 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct {
			ID                    string
			Request, Newest, Want json.RawMessage
			Endless               bool // the newest minor gives no answer
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		members, isObject := strings.CutPrefix(string(c.Request), "{")
		if !isObject {
			t.Fatalf("%s: %s", c.ID, c.Request)
		}
		for minor, want := range map[string]json.RawMessage{
			suite.Newest(): c.Newest, suite.Beta(): c.Want,
		} {
			if c.Endless && minor == suite.Newest() {
				continue
			}
			request := `{"kubernetes":"` + minor + `",` + members
			answer := protocol.AnswerLine(context.Background(), []byte(request), handler)
			difference, err := suite.Difference(want, answer.AppendJSON(nil))
			if err != nil || difference != "" {
				t.Errorf("%s in %s: %v %s", c.ID, minor, err, difference)
			}
		}
		asked++
	}
	if err := lines.Err(); err != nil || asked < 400 {
		t.Errorf("%d requests, %v", asked, err)
	}
}
