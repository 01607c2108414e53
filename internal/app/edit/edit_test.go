package edit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/edit"
	"github.com/crdsem/crdsem/internal/test/testschema"
)

var crd = testschema.Definition("Tab", `
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [image]
            x-kubernetes-validations:
            - rule: "!has(self.max) || self.min <= self.max"
              message: min is at most max
            properties:
              image: {type: string, description: The image to run.}
              min: {type: integer, minimum: 1, default: 1}
              max: {type: integer}
              x-y: {type: string}
              mode: {type: string, enum: [fast, "no", slow]}
              active: {type: boolean}
              list:
                type: array
                items:
                  type: object
                  properties:
                    name: {type: string}
                    size: {type: integer}
              labels: {type: object, additionalProperties: {type: string}}
`)

// cut takes the cursor out of a text: ‸ stands at it.
func cut(t *testing.T, text string) (string, edit.Position) {
	t.Helper()
	before, after, ok := strings.Cut(text, "‸")
	if !ok {
		t.Fatal("no cursor")
	}
	line := before[strings.LastIndexByte(before, '\n')+1:]
	at := edit.Position{Line: strings.Count(before, "\n"), Column: len([]rune(line))}
	return before + after, at
}

func workspace(t testing.TB, text string) *edit.Workspace {
	t.Helper()
	w := edit.NewWorkspace(edit.UTF32)
	w.Set("crd.yaml", crd)
	w.Set("x.yaml", text)
	return w
}

const head = "apiVersion: example.com/v1\nkind: Tab\nmetadata:\n  name: a\n"

// Completion offers what the schema allows at the cursor, and not what is
// there.
func TestComplete(t *testing.T) {
	for _, c := range []struct {
		line, text string
		want       []string
	}{
		{"an empty document", "‸", []string{"apiVersion", "kind", "metadata"}},
		{"fields, the required one first", head + "spec:\n  ‸\n",
			[]string{"image", "active", "labels", "list", "max", "min", "mode", "x-y"}},
		{"fields that are not there", head + "spec:\n  image: x\n  m‸\n  max: 3\n",
			[]string{"active", "labels", "list", "min", "mode", "x-y"}},
		{"in broken text", head + "spec:\n  image: [x\n  ‸\n  max: 3\n",
			[]string{"active", "labels", "list", "min", "mode", "x-y"}},
		{"behind a list", head + "spec:\n  list:\n  - name: x\n  image: y\n  ‸\n",
			[]string{"active", "labels", "max", "min", "mode", "x-y"}},
		{"the second document", "a: 1\n---\n" + head + "spec:\n  list:\n  - ‸\n", []string{"name", "size"}},
		{"fields of self", strings.Replace(crd, "self.min <= self.max\"", "self.‸\"", 1),
			[]string{"image", "min", "max", "x-y", "mode", "active", "list", "labels"}},
		{"behind a rule", strings.Replace(crd, "self.min <= self.max\"", "self.min <= self.max\"‸", 1), nil},
		{"fields of self between single quotes", strings.Replace(crd, "\"!has(self.max) || self.min "+
			"<= self.max\"", "'self.mode == ''slow'' || self.‸'", 1),
			[]string{"image", "min", "max", "x-y", "mode", "active", "list", "labels"}},
		{"values of type", strings.Replace(crd, "max: {type: integer}", "max: {type: ‸}", 1),
			[]string{"object", "array", "string", "integer", "number", "boolean"}},
		{"keywords in flow style", strings.Replace(crd, "max: {type: integer}", "max: {type: array, x-‸}", 1),
			nil},
		{"a field that is typed in flow style", head + "spec: {im‸age: x, min: 1}\n",
			[]string{"image", "active", "labels", "list", "max", "mode", "x-y"}},
		{"fields of self in flow style", strings.Replace(crd, "            - rule: \"!has(self.max) || "+
			"self.min <= self.max\"\n              message: min", "            - {rule: \"self.‸\", message: min", 1),
			[]string{"image", "min", "max", "x-y", "mode", "active", "list", "labels"}},
		{"keywords of a field", strings.Replace(crd, "              max: {type: integer}",
			"              max:\n                type: integer\n                multi‸", 1), nil},
	} {
		t.Run(c.line, func(t *testing.T) {
			text, at := cut(t, c.text)
			var got []string
			w := workspace(t, text)
			if _, err := w.Diagnose(t.Context(), "x.yaml"); err != nil {
				t.Fatal(err)
			}
			for _, item := range w.Complete(t.Context(), "x.yaml", at) {
				got = append(got, item.Label)
			}
			if c.line == "keywords in flow style" {
				if !slices.Contains(got, "x-kubernetes-list-type") || slices.Contains(got, "type") {
					t.Errorf("%v", got)
				}
				return
			}
			if c.line == "keywords of a field" {
				if !slices.Contains(got, "multipleOf") || slices.Contains(got, "type") {
					t.Errorf("%v", got)
				}
				return
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A field that was chosen is in the text as it is to be written.
func TestCompletionEdits(t *testing.T) {
	for _, c := range []struct{ line, text, label, want string }{
		{"an object", head + "sp‸\n", "spec", head + "spec:\n  \n"},
		{"a list", head + "spec:\n  li‸\n", "list", head + "spec:\n  list:\n    - \n"},
		{"a value", head + "spec:\n  mode: f‸\n", "fast", head + "spec:\n  mode: fast\n"},
		{"a whole object", "apiVersion: example.com/v1\nkind: Tab\n‸", "the smallest Tab",
			"apiVersion: example.com/v1\nkind: Tab\nmetadata:\n  name: example\n"},
		{"a value that is quoted", head + "spec:\n  mode: \"f‸\"\n", "fast", head + "spec:\n  mode: fast\n"},
		{"a list in flow style", head + "spec: {li‸}\n", "list", head + "spec: {list: [}\n"},
		{"an item in flow style", head + "spec: {list: [‸]}\n", "name", head + "spec: {list: [{name: ]}\n"},
		{"JSON", "{\"kind\": \"Tab\", \"apiVersion\": \"example.com/v1\", \"sp‸\"}", "spec",
			"{\"kind\": \"Tab\", \"apiVersion\": \"example.com/v1\", \"spec\": {}"},
		{"a kind in JSON", "{\"apiVersion\": \"example.com/v1\", \"kind\": ‸}", "Tab",
			"{\"apiVersion\": \"example.com/v1\", \"kind\": \"Tab\"}"},
		{"an escaped name", strings.Replace(crd, "<= self.max\"", "<= self.x‸\"", 1), "x-y",
			strings.Replace(crd, "<= self.max\"", "<= self.x__dash__y\"", 1)},
	} {
		text, at := cut(t, c.text)
		w := workspace(t, text)
		for _, item := range w.Complete(t.Context(), "x.yaml", at) {
			if item.Label == c.label {
				line := strings.Split(text, "\n")[at.Line]
				typed := string([]rune(line)[item.Edit.Range.Start.Column:at.Column])
				if !strings.HasPrefix(item.Label, typed) && !strings.HasPrefix(item.Filter, typed) {
					t.Errorf("%s: %+v does not begin with %q", c.line, item, typed)
				}
				w.Change("x.yaml", item.Edit)
			}
		}
		if diff := cmp.Diff(c.want, w.Text("x.yaml")); diff != "" {
			t.Errorf("%s: %s", c.line, diff)
		}
	}
}

func at(line, column int) edit.Position { return edit.Position{Line: line, Column: column} }

// Diagnostics are the findings of the command, in the columns of the editor.
func TestDiagnose(t *testing.T) {
	text := head + "spec:\n  image: x\n  \"\U0001F600\": 1\n  max: a # b\n"
	for _, encoding := range []edit.Encoding{edit.UTF8, edit.UTF16, edit.UTF32} {
		w := edit.NewWorkspace(encoding)
		w.Set("crd.yaml", crd)
		w.Set("x.yaml", text)
		found, err := w.Diagnose(t.Context(), "x.yaml")
		if err != nil || len(found) != 2 || !found[1].RulesUnchecked {
			t.Fatalf("%v, %v", found, err)
		}
		if d := found[0]; d.Rule != "PIPE-006" || d.Range.Start != at(6, 2) {
			t.Errorf("%s: %+v", encoding, d)
		}
		if d := found[1]; d.Rule != "VAL-020" || d.Range.Start != at(7, 7) {
			t.Errorf("%s: %+v", encoding, d)
		}
	}
}

// Templates, kustomizations and values have no diagnostics. A file that does
// not parse has one.
func TestOtherFiles(t *testing.T) {
	for text, want := range map[string]int{
		"name: {{ .Values.x }}\n": 0, "a: 1\n": 0, "- a\n": 0, "": 0, head + "a: [\n": 1,
		"apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n": 0,
	} {
		if found, err := workspace(t, text).Diagnose(t.Context(), "x.yaml"); err != nil ||
			len(found) != want {
			t.Errorf("%q: %v, %v, want %d", text, found, err, want)
		}
	}
}

// A definition that changes is what objects are judged by at once.
func TestDefinitionsChange(t *testing.T) {
	w := workspace(t, head+"spec:\n  image: x\n  more: 1\n")
	count := func() int {
		found, err := w.Diagnose(t.Context(), "x.yaml")
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	if n := count(); n != 1 {
		t.Errorf("%d findings, want 1", n)
	}
	w.Set("crd.yaml",
		strings.Replace(crd, "image: {", "more: {type: integer}\n              image: {", 1))
	if n := count(); n != 0 {
		t.Errorf("%d findings with the field, want 0", n)
	}
	w.Remove("crd.yaml")
	if n := count(); n != 0 || w.Has("crd.yaml") {
		t.Errorf("%d findings without the definition", n)
	}
}

// Edits give the text that an editor has, whatever the positions.
func FuzzApply(f *testing.F) {
	f.Add("a: é\n😀b\n", 0, 3, 1, 2, "x\n")
	f.Fuzz(func(t *testing.T, text string, line, column, endLine, endColumn int, with string) {
		at := edit.Range{
			Start: edit.Position{Line: line % 100, Column: column},
			End:   edit.Position{Line: endLine % 100, Column: endColumn},
		}
		for _, e := range []edit.Encoding{edit.UTF8, edit.UTF16, edit.UTF32} {
			got := e.Apply(text, edit.Edit{Range: at, Text: with})
			if !strings.Contains(got, with) {
				t.Errorf("%q lacks %q", got, with)
			}
		}
	})
}

// Whatever is typed, no answer fails.
func FuzzTyping(f *testing.F) {
	f.Add(head+"spec:\n  image: x\n  list:\n  - name: a\n", 3)
	f.Add(crd, 300)
	w := workspace(f, "")
	f.Fuzz(func(t *testing.T, text string, at int) {
		w.Set("x.yaml", text)
		defer w.Remove("x.yaml")
		line := 0
		if n := strings.Count(text, "\n") + 1; at >= 0 {
			line = at % n
		}
		for column := range 20 {
			p := edit.Position{Line: line, Column: column}
			w.Complete(t.Context(), "x.yaml", p)
			w.Hover(t.Context(), "x.yaml", p)
			w.Definition(t.Context(), "x.yaml", p)
			w.References("x.yaml", p)
		}
		_, actionsErr := w.Actions(t.Context(), "x.yaml", 0, line)
		_, inlaysErr := w.Inlays(t.Context(), "x.yaml")
		if actionsErr != nil || inlaysErr != nil {
			t.Error(actionsErr, inlaysErr)
		}
	})
}

// Edits give the diagnostics that the whole text gives, also if the text was
// judged before them. They are within it.
func FuzzDiagnose(f *testing.F) {
	f.Add(head+"spec:\n  imagge: x\n  list: [{name: a, siz: 1}]\n", "é", 5, 2, 5, 4)
	f.Add(crd, "maxLength: x\n", 20, 0, 21, 0)
	edited, whole := workspace(f, ""), workspace(f, "")
	f.Fuzz(func(t *testing.T, text, with string, line, column, endLine, endColumn int) {
		e := edit.Edit{Text: with, Range: edit.Range{
			Start: edit.Position{Line: line % 100, Column: column},
			End:   edit.Position{Line: endLine % 100, Column: endColumn},
		}}
		diagnose := func(w *edit.Workspace) []edit.Diagnostic {
			found, err := w.Diagnose(t.Context(), "x.yaml")
			if err != nil {
				t.Error(err)
			}
			return found
		}
		defer whole.Remove("x.yaml")
		defer edited.Remove("x.yaml")
		edited.Set("x.yaml", text)
		if !edited.Has("x.yaml") { // its last definitions would count
			diagnose(edited)
		}
		edited.Change("x.yaml", e)
		changed := edited.Text("x.yaml")
		whole.Set("x.yaml", changed)
		got := diagnose(edited)
		if diff := cmp.Diff(diagnose(whole), got); diff != "" {
			t.Errorf("%q: %s", changed, diff)
		}
		lines := strings.Split(changed, "\n")
		for _, d := range got {
			if d.Range.Start.Line >= len(lines) || d.Range.End.Column < d.Range.Start.Column ||
				d.Range.End.Column > len(lines[d.Range.End.Line]) {
				t.Errorf("%q: %+v", changed, d)
			}
		}
	})
}
