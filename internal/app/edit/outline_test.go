package edit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/edit"
)

// outline returns a symbol in lines: its name, its detail, the range of what it
// holds and that of its name.
func outline(b *strings.Builder, s *edit.Symbol, depth int) {
	at := strings.Repeat("  ", depth)
	fmt.Fprintf(b, "%s%s [%s] %v %v", at, s.Name, s.Detail, s.Range, s.Selection)
	if s.IsDocument {
		b.WriteString(" document")
	}
	b.WriteByte('\n')
	for _, child := range s.Children {
		outline(b, child, depth+1)
	}
}

// The outline has ranges, details and the names of documents. A name counts as
// that of the document below its metadata only.
func TestOutline(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "# none\n": "", "---\n---\n": "",
		"kind: A\nmetadata:\n  name: a\nspec:\n  name: b\n  c: # d\n  - e: 1\n    f: 2\n  - e: 3\n\n\n": `A [a] {{0 0} {8 8}} {{0 0} {0 7}} document
  kind [A] {{0 0} {0 7}} {{0 0} {0 4}}
  metadata [] {{1 0} {2 9}} {{1 0} {1 8}}
    name [a] {{2 2} {2 9}} {{2 2} {2 6}}
  spec [] {{3 0} {8 8}} {{3 0} {3 4}}
    name [b] {{4 2} {4 9}} {{4 2} {4 6}}
    c [] {{5 2} {8 8}} {{5 2} {5 3}}
      e [1] {{6 4} {6 8}} {{6 4} {6 5}}
      f [2] {{7 4} {7 8}} {{7 4} {7 5}}
      e [3] {{8 4} {8 8}} {{8 4} {8 5}}
`,
		"name: a\n---\nkind: B\nspec: {}\n": `document [] {{0 0} {0 7}} {{0 0} {0 7}} document
  name [a] {{0 0} {0 7}} {{0 0} {0 4}}
B [] {{2 0} {3 8}} {{2 0} {2 7}} document
  kind [B] {{2 0} {2 7}} {{2 0} {2 4}}
  spec [{}] {{3 0} {3 8}} {{3 0} {3 4}}
`,
	} {
		w := edit.NewWorkspace(edit.UTF32)
		w.Set("x.yaml", text)
		var b strings.Builder
		for _, s := range w.Symbols("x.yaml") {
			outline(&b, s, 0)
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	}
}
