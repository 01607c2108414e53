package edit_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/edit"
	"github.com/crdsem/crdsem/internal/test/corpus"
)

// mutations break a line of an object in a way that people do. They return the
// line; it is the same if it cannot be broken so.
var mutations = map[string]func(line, key, value string) string{
	"a misspelt name": func(line, key, _ string) string {
		return strings.Replace(line, key+":", key+"x:", 1)
	},
	"a missing field": func(line, _, _ string) string {
		if strings.HasSuffix(line, ":") || strings.Contains(line, "- ") {
			return line
		}
		return ""
	},
	"a number for a string": func(line, _, value string) string {
		if value == "" || strings.ContainsAny(value, `|>[{&*`) {
			return line
		}
		return strings.Replace(line, ": "+value, ": 12", 1)
	},
	"an unknown field": func(line, key, _ string) string {
		pad := line[:len(line)-len(strings.TrimLeft(line, " "))]
		if strings.Contains(line, "- ") {
			return line
		}
		return pad + "qqzz" + ":\n" + pad + "  a: 1\n" + line
	},
}

// Each action on broken objects makes its finding go, and no other one comes.
func TestActionsOnRealObjects(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	counts := map[string]int{}
	for _, o := range reals(t, 5, short(200, 30)) {
		lines := strings.Split(string(o.Text), "\n")
		for _, name := range slices.Sorted(maps.Keys(mutations)) {
			mutate, n := mutations[name], r.IntN(len(lines))
			m := keyLine.FindStringSubmatch(lines[n])
			if m == nil || inText(lines, n) {
				continue
			}
			broken := slices.Clone(lines)
			broken[n] = mutate(lines[n], m[3], strings.TrimSpace(lines[n][len(m[0]):]))
			w := o.workspace()
			w.Set("x.yaml", strings.Join(broken, "\n"))
			applyEach(t, w, "x.yaml", name, counts)
		}
	}
	t.Log(counts)
	if len(counts) < 4 {
		t.Errorf("too few kinds of actions: %v", counts)
	}
}

// applyEach applies each action on a file, and counts them by their kinds.
func applyEach(t *testing.T, w *edit.Workspace, name, what string, counts map[string]int) {
	t.Helper()
	text := w.Text(name)
	before, err := w.Diagnose(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range before {
		line := before[i].Range.Start.Line
		actions, err := w.Actions(t.Context(), name, line, line)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range actions {
			if a.Fixes == nil || fmt.Sprint(*a.Fixes) != fmt.Sprint(before[i]) {
				continue
			}
			counts[kindOf(a.Title)]++
			for _, e := range slices.Backward(a.Edits) {
				w.Change(name, e)
			}
			after, err := w.Diagnose(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			if problem := worse(before, after, a); problem != "" {
				t.Errorf("%s, %q fixes %s: %s\nbefore:\n%s\nafter:\n%s", what, a.Title,
					before[i].Message, problem, around(text, line), around(w.Text(name), line))
			}
			w.Set(name, text)
		}
	}
}

func kindOf(title string) string {
	words := strings.Fields(title)
	return strings.Join(words[:min(2, len(words))], " ")
}

// worse returns why findings are not better with an action: the finding is
// still there, or there are new ones. What is below a name that was unknown is
// judged for the first time.
func worse(before, after []edit.Diagnostic, a edit.Action) string {
	count := map[string]int{}
	for _, d := range before {
		count[d.Rule+d.Message]++
	}
	unchecked := slices.ContainsFunc(before, func(d edit.Diagnostic) bool {
		return d.RulesUnchecked
	})
	for _, d := range after {
		isRule := strings.HasPrefix(d.Rule, "CEL-") || strings.HasPrefix(d.Rule, "VAL-09")
		isBelow := strings.HasPrefix(a.Title, "change it") &&
			d.Range.Start.Line > a.Fixes.Range.Start.Line
		count[d.Rule+d.Message]--
		if count[d.Rule+d.Message] < 0 && !(unchecked && isRule) && !isBelow {
			return "new: " + d.Message
		}
	}
	if count[a.Fixes.Rule+a.Fixes.Message] == 0 {
		return "it is still there"
	}
	return ""
}

func around(text string, line int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, line-4):min(len(lines), line+5)], "\n")
}

// Each action on real definitions makes its finding go, and no other one comes.
func TestActionsOnRealDefinitions(t *testing.T) {
	counts := map[string]int{}
	step := short(1, 12)
	for i, f := range corpus.Definitions(t) {
		if i%step != 0 || len(f.Text) > short(300_000, 60_000) {
			continue
		}
		w := edit.NewWorkspace(edit.UTF32)
		w.Set("crd.yaml", string(f.Text))
		applyEach(t, w, "crd.yaml", f.Name(), counts)
	}
	t.Log(counts)
	if len(counts) == 0 {
		t.Error("no action was tried")
	}
}

// keywordValues are values that keywords can have.
var keywordSamples = map[string]string{
	"string": "x", "boolean": "true", "integer": "1", "number": "1", "value": "1", "list": "\n  - x",
	"map": "\n  a: {type: string}", "schema": "\n  type: string", "object": "{}",
	"regular": "a", "CEL": `"true"`,
}

// At random nodes of real schemas, a keyword that is offered is known there: a
// definition with it has no finding about an unknown or a forbidden field.
func TestKeywordsAreAllowed(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	positions, tried := 0, 0
	definitions := corpus.Definitions(t)
	for want := short(100, 15); positions < want; {
		f := definitions[r.IntN(len(definitions))]
		if len(f.Text) > 60_000 {
			continue
		}
		lines := strings.Split(string(f.Text), "\n")
		line := r.IntN(len(lines))
		m := keyLine.FindStringSubmatch(lines[line])
		if m == nil || m[2] != "" || inText(lines, line) {
			continue
		}
		positions++
		pad := m[1]
		w := edit.NewWorkspace(edit.UTF32)
		w.Set("crd.yaml", insertLine(lines, line, pad))
		at := edit.Position{Line: line, Column: len(pad)}
		for _, c := range w.Complete(t.Context(), "crd.yaml", at) {
			value := keywordSamples[strings.SplitN(c.Detail, " ", 2)[0]]
			if c.Label == "not" {
				value = "\n  maxLength: 3"
			}
			text := pad + c.Label + ": " + strings.ReplaceAll(value, "\n", "\n"+pad)
			w.Set("crd.yaml", insertLine(lines, line, text))
			found, err := w.Diagnose(t.Context(), "crd.yaml")
			if err != nil {
				t.Fatal(err)
			}
			tried++
			for _, d := range found {
				isHere := d.Range.Start.Line >= line &&
					d.Range.Start.Line <= line+strings.Count(text, "\n")
				if isHere && (strings.Contains(d.Message, "unknown field") ||
					strings.Contains(d.Message, "Forbidden") && d.Rule != "STR-059") {
					t.Errorf("%s:%d: %s is offered: %s\n%s", f.Name(), line+1, c.Label, d.Message,
						around(w.Text("crd.yaml"), line))
				}
			}
		}
	}
	t.Logf("%d positions, %d keywords tried", positions, tried)
	if tried == 0 {
		t.Error("no keyword was tried")
	}
}
