package edit_test

import (
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/edit"
)

// A walker asks everything at each position of some files.
type walker struct {
	*testing.T
	*edit.Workspace
	name  string
	lines []string
	want  string
	last  map[byte]string
	said  strings.Builder // about a line
	out   strings.Builder
}

// At each position of testdata/walk.txt, everything is asked. The actions of a
// line follow it, and checksums of the other answers are at the end of a file.
// From the first line on that has others, the answers are logged to be read.
func TestWalk(t *testing.T) {
	const golden = "testdata/walk.txt"
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	w := &walker{T: t, Workspace: edit.NewWorkspace(edit.UTF16), want: string(want)}
	w.last = map[byte]string{}
	var names []string
	for line := range strings.Lines(string(want)) {
		if name, isFile := strings.CutPrefix(line, "== "); isFile {
			w.name = strings.TrimSpace(name)
			names = append(names, w.name)
		} else if line[0] != '>' && line[0] != '~' {
			w.Set(w.name, w.Text(w.name)+line)
		}
	}
	for _, w.name = range names {
		fmt.Fprintln(&w.out, "==", w.name)
		w.file(w.Text(w.name))
	}
	if os.Getenv("CRDSEM_GOLDEN") == "write" {
		err = os.WriteFile(golden, []byte(w.out.String()), 0o666)
	}
	if diff := cmp.Diff(string(want), w.out.String()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func (w *walker) file(text string) {
	found, err := w.Diagnose(w.Context(), w.name)
	inlays, inlaysErr := w.Inlays(w.Context(), w.name)
	if err != nil || inlaysErr != nil {
		w.Fatal(err, inlaysErr)
	}
	outlines := map[int]string{}
	for _, s := range w.Symbols(w.name) {
		outline(s, outlines)
	}
	w.lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	typed, sums := "", "~ "
	for n, line := range w.lines {
		actions := w.actions(n)
		w.say('o', outlines[n])
		for _, d := range found {
			if d.Range.Start.Line == n {
				w.say('f', fmt.Sprint(d.Range, d.Severity, d.Rule, d.Field))
			}
		}
		for _, i := range inlays {
			if i.Position.Line == n {
				w.say('i', fmt.Sprint(i))
			}
		}
		stored, err := w.Stored(w.Context(), w.name, n)
		w.say('s', fmt.Sprint(err == nil, stored))
		text := []rune(line + "\n")
		for column := range text {
			if column > 0 && isWord(text[column-1]) && isWord(text[column]) ||
				strings.TrimSpace(string(text[:column])) == "" && text[column] == ' ' {
				continue
			}
			at := at(n, column)
			w.say('c', w.offered(w.Workspace, w.name, at))
			w.say('h', w.Hover(w.Context(), w.name, at))
			if w.say('d', w.places(at)) {
				w.say('r', fmt.Sprint(w.Rename(w.name, at, "a/b")))
			}
			w.typed(typed+string(text[:column]), at)
		}
		typed += line + "\n"
		sums += fmt.Sprintf("%02x", crc32.ChecksumIEEE([]byte(w.said.String()))&0xff)
		if fmt.Fprintf(&w.out, "%s\n%s", line, actions); !strings.Contains(w.want, sums) {
			w.Logf("%s:%d: %s\n%s", w.name, n+1, line, w.said.String())
		}
		w.said.Reset()
	}
	fmt.Fprintln(&w.out, sums)
}

// say adds to what is said about a line, unless it is the same as before.
func (w *walker) say(kind byte, text string) (isNew bool) {
	if isNew = w.last[kind] != text; isNew {
		w.last[kind] = text
		fmt.Fprintf(&w.said, "%c %s\n", kind, text)
	}
	return isNew
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func outline(s *edit.Symbol, to map[int]string) {
	to[s.Selection.Start.Line] += fmt.Sprintln(s.Name, s.Detail, s.Range, s.Selection, s.IsDocument)
	for _, c := range s.Children {
		outline(c, to)
	}
}

// offered returns the completions at a position.
func (w *walker) offered(in *edit.Workspace, name string, at edit.Position) (all string) {
	for _, c := range in.Complete(w.Context(), name, at) {
		all += fmt.Sprintln(c)
	}
	return all
}

// typed asks what is offered at the end of a text.
func (w *walker) typed(text string, at edit.Position) {
	in := w.Workspace
	if w.Has(w.name) { // definitions need no others
		in = edit.NewWorkspace(edit.UTF16)
	}
	in.Set("typed.yaml", text)
	w.say('t', w.offered(in, "typed.yaml", at))
	in.Remove("typed.yaml")
}

// places returns where the field at a position is declared and named.
func (w *walker) places(at edit.Position) string {
	to, ok := w.Definition(w.Context(), w.name, at)
	return fmt.Sprint(to, ok, w.References(w.name, at))
}

// actions returns what is offered in a line. Each mends its finding.
func (w *walker) actions(line int) (all string) {
	whole := w.Text(w.name)
	before, err := w.Diagnose(w.Context(), w.name)
	actions, actionsErr := w.Actions(w.Context(), w.name, line, line)
	if err != nil || actionsErr != nil {
		w.Fatal(err, actionsErr)
	}
	if a, ok := w.Whole(w.Context(), w.name, line); ok {
		actions = append(actions, a)
	}
	for _, a := range actions {
		if a.Mends == nil || strings.HasPrefix(a.Title, "leave out") {
			w.say('a', fmt.Sprint(a.Title, a.Edits))
		} else {
			all += "> " + strings.ReplaceAll(fmt.Sprint(a.Title, a.Edits), "\n", "⏎") + "\n"
		}
		for _, e := range slices.Backward(a.Edits) {
			w.Change(w.name, e)
		}
		after, err := w.Diagnose(w.Context(), w.name)
		if a.Mends == nil && len(after) > len(before) {
			w.Errorf("%s: %v", a.Title, after)
		} else if a.Mends != nil && worse(before, after, a) != "" || err != nil {
			w.Errorf("%s: %s, %v", a.Title, worse(before, after, a), err)
		}
		w.Set(w.name, whole)
	}
	return all
}
