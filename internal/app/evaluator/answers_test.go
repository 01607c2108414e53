package evaluator

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

// The file of answers holds texts with names, then requests with their whole
// answers. The real code gives the same answers, but for faults, whose words
// are ours.
func TestAnswers(t *testing.T) {
	file, err := os.ReadFile("testdata/answers.txt")
	if err != nil {
		t.Fatal(err)
	}
	head, cases, _ := strings.Cut(string(file), "\n\n# ")
	var named []string
	for line := range strings.Lines(head) {
		name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
		named = append(named, name, text)
	}
	texts := strings.NewReplacer(named...)
	handler := New()
	for c := range strings.SplitSeq(strings.TrimSuffix(cases, "\n"), "\n\n# ") {
		lines := strings.Split(c, "\n")
		name, request, want := lines[0], texts.Replace(lines[1]), lines[2]
		t.Run(name, func(t *testing.T) {
			answer := protocol.AnswerLine(t.Context(), []byte(`{"id":"1",`+request+`}`), handler)
			got := strings.TrimSuffix(string(answer.AppendJSON(nil)), "\n")
			if diff := cmp.Diff(`{"id":"1",`+want[1:], got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An answer under a context that has ended is not all that a server would say.
func TestEndedContext(t *testing.T) {
	reason := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(reason)
	request := &protocol.Request{Op: protocol.OpSort, Names: []string{"v1"}}
	if result, err := New()(ctx, request); result != nil || !errors.Is(err, reason) {
		t.Errorf("%v, %v", result, err)
	}
}
