package edit_test

import (
	"os"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/edit"
)

// The session of docs/editors.md: what stands in ⟦⟧ is offered where it is
// taken, and the definition and the object that come of it are accepted.
func TestSession(t *testing.T) {
	page, err := os.ReadFile("../../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, session, ok := strings.Cut(string(page), "```session\n")
	session, _, closed := strings.Cut(session, "```\n")
	if !ok || !closed {
		t.Fatal("docs/editors.md has no session")
	}
	w := edit.NewWorkspace(edit.UTF16)
	text := ""
	for part := range strings.SplitSeq(session, "⟧") {
		typed, taken, _ := strings.Cut(part, "⟦")
		text += typed
		w.Set("a.yaml", text)
		if taken != "" && !offers(t, w, text, taken) {
			t.Fatalf("%q is not offered after\n%s", taken, text)
		}
		text += taken
	}
	w.Set("a.yaml", text)
	found, err := w.Diagnose(t.Context(), "a.yaml")
	if err != nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
	if taken := strings.Count(session, "⟦"); taken < 50 {
		t.Errorf("only %d completions are taken", taken)
	}
}

// offers reports whether something is offered at the end of a.yaml, the text.
func offers(t *testing.T, w *edit.Workspace, text, want string) bool {
	lines := strings.Split(text, "\n")
	at := edit.Position{Line: len(lines) - 1, Column: len(lines[len(lines)-1])}
	for _, c := range w.Complete(t.Context(), "a.yaml", at) {
		if c.Edit.Text == want && c.Edit.Range.End == at {
			return true
		}
	}
	return false
}
