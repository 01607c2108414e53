package edit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/edit"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/structural"
)

// isLong reports whether the long forms of tests are asked for, e.g. by make
// long in cmd/crdsem/editors.
func isLong() bool { return os.Getenv("CRDSEM_LONG") != "" }

// short returns a number of cases: a part of it, unless tests are long.
func short(of, part int) int {
	if isLong() {
		return of
	}
	return part
}

// real is an object of the corpus with its definition.
type real struct {
	corpus.Object
	text string // of the definition
}

// reals returns objects of the corpus of distinct definitions, in a random
// order that is always the same.
func reals(t *testing.T, seed uint64, want int) (all []real) {
	t.Helper()
	objects := corpus.Objects(t)
	r := rand.New(rand.NewPCG(seed, 1))
	r.Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
	seen := map[string]int{}
	for _, o := range objects {
		if o.Definition == "" || !o.Valid || seen[o.Definition] > 1 || len(all) == want {
			continue
		}
		text, err := os.ReadFile(o.Definition)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 1<<20 || len(o.Text) > 20_000 {
			continue
		}
		seen[o.Definition]++
		all = append(all, real{o, string(text)})
	}
	return all
}

func (o *real) workspace() *edit.Workspace {
	w := edit.NewWorkspace(edit.UTF32)
	w.Set("crd.yaml", o.text)
	w.Set("x.yaml", string(o.Text))
	return w
}

var keyLine = regexp.MustCompile(`^( *)(- )?([\w.-]+):( |$)`)

// insertLine returns a text with a line before one of its lines.
func insertLine(lines []string, at int, line string) string {
	return strings.Join(slices.Insert(slices.Clone(lines), at, line), "\n")
}

// At random places of real objects, the fields that are offered are those that
// the server keeps: each field of the schema, and some that are elsewhere in
// it, are inserted and judged. Every third object is written as JSON.
func TestFieldsAreThoseOfTheSchema(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	positions, fields := 0, 0
	want := short(200, 30)
	for _, o := range reals(t, 7, 20*want) {
		if positions == want {
			break
		}
		lines, start, form := strings.Split(string(o.Text), "\n"), keyLine, "%s: 1"
		if positions%3 == 2 {
			lines, start, form = inJSON(t, o.Text), jsonLine, "%q: 1,"
		}
		def, err := crdsem.Parse([]byte(o.text))
		if err != nil {
			continue
		}
		v, err := def.Version(o.Version)
		if err != nil {
			continue
		}
		names := namesIn(v.Schema(), r)
		w := o.workspace()
		line := r.IntN(len(lines))
		m := start.FindStringSubmatch(lines[line])
		if m == nil || m[2] != "" || inText(lines, line) {
			continue
		}
		positions++
		fields += compareFields(t, w, place{lines, line, len(m[1]), form}, names)
	}
	t.Logf("%d positions, %d fields tried", positions, fields)
	if positions < want/4 {
		t.Errorf("%d positions of %d", positions, want)
	}
}

var jsonLine = regexp.MustCompile(`^( +)()"[^"]*":`)

// inJSON returns the lines of a document as JSON.
func inJSON(t *testing.T, document []byte) []string {
	t.Helper()
	for doc, err := range manifest.Read("x.yaml", bytes.NewReader(document)) {
		if err != nil {
			t.Fatal(err)
		}
		object, _, err := doc.Object()
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.MarshalIndent(object, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(string(text), "\n")
	}
	return nil
}

// place is where fields are inserted: a line of a text, its indentation, and
// how a field is written.
type place struct {
	lines        []string
	line, column int
	form         string
}

// inText reports whether a line is, by its look, within a block of text.
func inText(lines []string, line int) bool {
	for n := line - 1; n >= 0; n-- {
		own := len(lines[n]) - len(strings.TrimLeft(lines[n], " "))
		if strings.HasSuffix(strings.TrimRight(lines[n], "-+"), "|") ||
			strings.HasSuffix(strings.TrimRight(lines[n], "-+"), ">") {
			return true
		}
		if own == 0 && strings.TrimSpace(lines[n]) != "" {
			return false
		}
	}
	return false
}

// namesIn returns names of a schema, and some that it has not.
func namesIn(s *structural.Schema, r *rand.Rand) (all []string) {
	seen := map[string]bool{"zzz": true}
	structural.Visit(s, structural.Visitor{Spine: func(s *structural.Schema) {
		for name := range s.Properties() {
			seen[name] = true
		}
	}})
	for name := range seen {
		all = append(all, name)
	}
	slices.Sort(all)
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// compareFields compares what is offered on a new line with what is kept there.
func compareFields(t *testing.T, w *edit.Workspace, p place, names []string) (tried int) {
	t.Helper()
	lines, line, column := p.lines, p.line, p.column
	pad := strings.Repeat(" ", column)
	w.Set("x.yaml", insertLine(lines, line, pad))
	offered := map[string]bool{}
	for _, c := range w.Complete(t.Context(), "x.yaml", edit.Position{Line: line, Column: column}) {
		offered[c.Label] = true
		if !slices.Contains(names, c.Label) {
			names = append([]string{c.Label}, names...)
		}
	}
	unknown := func(text string) bool {
		w.Set("x.yaml", insertLine(lines, line, pad+text))
		found, err := w.Diagnose(t.Context(), "x.yaml")
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(found, func(d edit.Diagnostic) bool {
			return d.Range.Start.Line == line && strings.Contains(d.Message, "unknown field")
		})
	}
	keepsAll := !unknown(fmt.Sprintf(p.form, "no-field-has-this-name")) // e.g. a map
	for _, name := range names {
		isThere := slices.ContainsFunc(siblings(lines, line, column), func(s string) bool {
			return s == name
		})
		if isThere || !offered[name] && (keepsAll || tried > 60) {
			continue
		}
		tried++
		if is := unknown(fmt.Sprintf(p.form, name)); is == offered[name] {
			t.Errorf("%s: offered %v, unknown %v, at line %d of\n%s", name, offered[name], is,
				line+1, strings.Join(lines[max(0, line-8):line+1], "\n"))
		}
	}
	return tried
}

// siblings returns the keys of the object that a line is in.
func siblings(lines []string, line, column int) (all []string) {
	walk := func(from, step int) {
		for n := from; n >= 0 && n < len(lines); n += step {
			text := lines[n]
			if strings.TrimSpace(text) == "" || strings.HasPrefix(strings.TrimSpace(text), "#") {
				continue
			}
			key := strings.TrimLeft(text, " -")
			isItem := strings.HasPrefix(strings.TrimLeft(text, " "), "- ")
			own := len(text) - len(key)
			if own < column || isItem && own == column && step > 0 {
				return
			}
			if own == column {
				name, _, _ := strings.Cut(key, ":")
				all = append(all, strings.Trim(name, `"'`))
			}
			if isItem && own == column {
				return
			}
		}
	}
	walk(line, 1)
	walk(line-1, -1)
	return all
}

// Values that are offered are admitted where they are offered, and every value
// of an enum is.
func TestValuesAreAdmitted(t *testing.T) {
	tried := 0
	for _, o := range reals(t, 11, short(150, 25)) {
		w := o.workspace()
		lines := strings.Split(string(o.Text), "\n")
		for line, text := range lines {
			m := keyLine.FindStringSubmatch(text)
			if m == nil || strings.TrimSpace(text[len(m[0]):]) == "" || inText(lines, line) {
				continue
			}
			w.Set("x.yaml", string(o.Text))
			at := edit.Position{Line: line, Column: len([]rune(text))}
			for _, c := range w.Complete(t.Context(), "x.yaml", at) {
				w.Set("x.yaml", string(o.Text))
				if c.Label == "null" {
					continue
				}
				w.Change("x.yaml", c.Edit)
				tried++
				found, err := w.Diagnose(t.Context(), "x.yaml")
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range found {
					if d.Range.Start.Line == line && (d.Rule == "VAL-060" || d.Rule == "VAL-020") {
						t.Errorf("%s: %q is offered: %s", o.Path, c.Label, d.Message)
					}
				}
			}
		}
	}
	t.Logf("%d values tried", tried)
	if tried == 0 {
		t.Error("no value was tried")
	}
}

// typed types a text, and records how long answers take.
type typed struct {
	completions, diagnoses []time.Duration
}

// Real documents are typed character by character. Nothing fails, and what is
// said and offered is what a fresh workspace says and offers of the same text.
func TestTyping(t *testing.T) {
	var times typed
	for i, o := range reals(t, 3, short(30, 4)) {
		answers := func(w *edit.Workspace, at edit.Position) string {
			found, err := w.Diagnose(t.Context(), "x.yaml")
			return fmt.Sprint(found, err, w.Complete(t.Context(), "x.yaml", at))
		}
		text := []rune(string(o.Text))
		if len(text) > short(6000, 1500) {
			text = text[:short(6000, 1500)]
		}
		w := o.workspace()
		w.Set("x.yaml", "")
		if i%10 == 9 { // the definition itself is typed
			text = []rune(o.text)
			text = text[:min(len(text), short(6000, 1500))]
		}
		line, column := 0, 0
		for n, c := range text {
			at := edit.Position{Line: line, Column: column}
			w.Change("x.yaml", edit.Edit{Range: edit.Range{Start: at, End: at}, Text: string(c)})
			if column++; c == '\n' {
				line, column = line+1, 0
			}
			start := time.Now()
			w.Complete(t.Context(), "x.yaml", edit.Position{Line: line, Column: column})
			times.completions = append(times.completions, time.Since(start))
			if n%25 != 0 && c != '\n' {
				continue
			}
			start = time.Now()
			_, err := w.Diagnose(t.Context(), "x.yaml")
			times.diagnoses = append(times.diagnoses, time.Since(start))
			if err != nil {
				t.Fatal(err)
			}
			if n%short(100, 500) == 0 || n == len(text)-1 {
				at := edit.Position{Line: line, Column: column}
				fresh := edit.NewWorkspace(edit.UTF32)
				fresh.Set("crd.yaml", o.text)
				fresh.Set("x.yaml", string(text[:n+1]))
				if got, want := answers(w, at), answers(fresh, at); got != want {
					t.Fatalf("%s after %d characters:\n%s\nfresh:\n%s", o.Path, n+1, got, want)
				}
			}
		}
	}
	times.log(t)
}

func (s *typed) log(t *testing.T) {
	for name, list := range map[string][]time.Duration{
		"completion": s.completions, "diagnosis": s.diagnoses,
	} {
		slices.Sort(list)
		at := func(share float64) time.Duration {
			return list[int(share*float64(len(list)-1))].Round(time.Microsecond)
		}
		t.Logf("%s: %d times, median %v, 99 %% %v, longest %v", name, len(list),
			at(0.5), at(0.99), at(1))
	}
}
