package conformance_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/conformance/run"
)

func loadVectors(t *testing.T) []run.Vector {
	t.Helper()
	vectors, err := run.Load(os.DirFS("vectors/eval"))
	if err != nil {
		t.Fatal(err)
	}
	if len(vectors) < 6000 {
		t.Fatalf("only %d vectors", len(vectors))
	}
	return vectors
}

func TestVectorsAreNamedWell(t *testing.T) {
	idForm := regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	ids, descriptions := map[string]bool{}, map[string]bool{}
	for _, v := range loadVectors(t) {
		if ids[v.ID] || !idForm.MatchString(v.ID) {
			t.Errorf("%s: an id is unique and plain: %q", v.Group, v.ID)
		}
		if descriptions[v.Description] || v.Description == "" || len(v.Description) > 70 || strings.Contains(v.Description, "should") {
			t.Errorf("%s: a description is unique, short, and states what happens: %q", v.ID, v.Description)
		}
		ids[v.ID], descriptions[v.Description] = true, true
	}
}

func TestVectorsShowKnownRules(t *testing.T) {
	known := map[string]bool{}
	for _, rule := range loadRules(t) {
		known[rule.ID] = true
	}
	for _, v := range loadVectors(t) {
		if !known[v.Rule] {
			t.Errorf("%s: no such rule: %s", v.ID, v.Rule)
		}
		if prefix, _, _ := strings.Cut(v.Rule, "-"); strings.ToLower(prefix) != v.Group {
			t.Errorf("%s: rule %s is not of group %s", v.ID, v.Rule, v.Group)
		}
	}
}

func loadRules(t *testing.T) []run.Rule {
	t.Helper()
	doc, err := os.ReadFile("vectors/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := run.ParseRules(doc)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestVectorsHaveAnswers(t *testing.T) {
	for _, v := range loadVectors(t) {
		for _, answer := range append([]json.RawMessage{v.Want}, v.Or...) {
			canonical, err := run.Canonical(answer)
			if err != nil {
				t.Errorf("%s: %v", v.ID, err)
			} else if string(canonical) != string(answer) {
				t.Errorf("%s: the answer is not in its canonical form: record it again", v.ID)
			}
		}
		var answer map[string]json.RawMessage
		if json.Unmarshal(v.Want, &answer) == nil && answer["fault"] != nil &&
			!strings.HasPrefix(string(answer["fault"]), `"panic: `) {
			t.Errorf("%s: the real code cannot answer: %s", v.ID, answer["fault"])
		}
	}
}

func TestOtherVectorsHaveIDAndKind(t *testing.T) {
	files, err := os.ReadDir("vectors/other")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	readme, err := os.ReadFile("vectors/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		doc, err := os.ReadFile("vectors/other/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(doc)) {
			var head struct{ ID, Kind string }
			if err := json.Unmarshal([]byte(line), &head); err != nil || head.ID == "" {
				t.Errorf("%s: %v: %.80s", file.Name(), err, line)
			}
			if !strings.Contains(string(readme), "| `"+head.Kind+"` |") {
				t.Errorf("%s: kind %q is not described", file.Name(), head.Kind)
			}
		}
	}
}
