package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/internal/test/suite"
)

// The real code answers every case as recorded.
func TestCasesAreRecorded(t *testing.T) {
	all, err := load("../vectors")
	if err != nil {
		t.Fatal(err)
	}
	all.vectors = nil // make vectors asks the vectors; there are many
	questions := all.questions()
	for _, kind := range kube.Kinds() {
		if !slices.ContainsFunc(all.cases, func(c suite.Case) bool { return c.Kind == kind }) {
			t.Errorf("kind %s has no cases", kind)
		}
	}
	if err := checkDrift(questions, askAll(context.Background(), questions, 2)); err != nil {
		t.Error(err)
	}
}

// Recording writes the answers of vectors and cases, and recorded answers do
// not drift.
func TestRecord(t *testing.T) {
	folder := t.TempDir()
	write := func(name, line string) {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(line+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("eval/ver.jsonl", `{"id":"v","rule":"VER-005","description":"d","request":{"op":"sort","names":["v1","v2"]},"want":{"names":["v1","v2"]}}`)
	write("other/versionCompare.jsonl", `{"id":"c","kind":"versionCompare","rule":"VER-005","description":"e","input":{"a":"v10","b":"v2"}}`)
	command := func(args ...string) error {
		return record(context.Background(), append([]string{"-vectors", folder}, args...))
	}
	if err := command("-check"); err == nil {
		t.Error("a wrong answer and a missing one are no drift")
	}
	if err := command("-match", "^c$"); err != nil {
		t.Fatal(err)
	}
	if err := command("-check", "-match", "^c$"); err != nil {
		t.Error(err)
	}
	if err := command("-check"); err == nil {
		t.Error("a vector that was not asked lost its drift")
	}
	if err := command(); err != nil {
		t.Fatal(err)
	}
	if err := command("-check"); err != nil {
		t.Error(err)
	}
	got, err := load(folder)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"compared":8}`; string(got.cases[0].Want) != want {
		t.Errorf("the case's answer is %s, want %s", got.cases[0].Want, want)
	}
	if want := `{"names":["v2","v1"]}`; string(got.vectors[0].Want) != want {
		t.Errorf("the vector's answer is %s, want %s", got.vectors[0].Want, want)
	}
}

// A question that cannot be asked is a fault, which never counts as an answer.
func TestFaults(t *testing.T) {
	for _, c := range []suite.Case{
		{ID: "kind", Kind: "nosuch", Input: json.RawMessage(`{}`)},
		{ID: "member", Kind: "versionCompare", Input: json.RawMessage(`{"a":"","b":"","c":""}`)},
		{ID: "option", Kind: "structuralOptions", Input: json.RawMessage(`{"schema":{},"options":["x"]}`)},
	} {
		s := set{cases: []suite.Case{c}}
		answers := s.questions()[0].answers(context.Background(), 1)
		if len(answers) != 1 || answers[0][:10] != `{"fault":"` {
			t.Errorf("%s: %v", c.ID, answers)
		}
	}
}
