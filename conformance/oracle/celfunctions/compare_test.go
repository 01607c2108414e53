package celfunctions

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/crdsem/crdsem/conformance/oracle/expressions"
	"github.com/crdsem/crdsem/conformance/oracle/formercel/celcases"
)

var (
	seed   = flag.Uint64("seed", 1, "seed of the generated expressions")
	count  = flag.Int("cases", 12000, "how many expressions to generate")
	record = flag.String("record", "", "write the cases to this file as well")
)

func newServer(t testing.TB) *expressions.Server {
	t.Helper()
	s, err := expressions.New()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestExpressions generates expressions and asks the real environment for their
// outcomes. This library's tests then compare.
func TestExpressions(t *testing.T) {
	if testing.Short() && *record == "" {
		*count = 2000
	}
	s := newServer(t)
	t.Logf("seed %d, %d expressions", *seed, *count)
	cases := generate(t, s)
	path := filepath.Join(t.TempDir(), "cases.jsonl")
	write(t, path, cases)
	if *record != "" {
		write(t, *record, cases)
	}
	replay(t, path)
}

// TestRecordedExpressions asks the real environment again for the recorded
// outcomes that this library's own tests compare with.
func TestRecordedExpressions(t *testing.T) {
	cases, err := celcases.Read(
		filepath.Join("..", "..", "..", "celrules", "internal", "celtable", "testdata",
			"cases.jsonl"),
	)
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t)
	for _, c := range cases {
		if real := s.Ask(c.Expression); !reflect.DeepEqual(real, c) {
			t.Errorf("%s:\nrecorded %+v %+v\nreal     %+v %+v", c.Expression, c.Outcome, c.New,
				real.Outcome, real.New)
		}
	}
	if len(cases) < 2000 {
		t.Errorf("only %d cases", len(cases))
	}
}

// generate makes cases: first the directed ones, then every overload in turn.
func generate(t *testing.T, s *expressions.Server) []celcases.Case {
	g := newGenerator(*seed, s.Stored())
	texts := directed()
	for i := 0; len(texts) < *count; i++ {
		text := g.call(g.overloads[i%len(g.overloads)], 1+g.IntN(3))
		if len(text) <= 2000 {
			texts = append(texts, text)
		}
	}
	cases := make([]celcases.Case, len(texts))
	tally := map[string]int{}
	for i, text := range texts {
		cases[i] = s.Ask(text)
		tally[kindOf(cases[i].Outcome)]++
	}
	t.Logf("outcomes: %v", tally)
	return cases
}

func kindOf(o celcases.Outcome) string {
	switch {
	case o.Compile != "":
		return "compile error"
	case o.Plan != "":
		return "plan error"
	case o.Error != "":
		return "error"
	}
	return "value"
}

func write(t *testing.T, path string, cases []celcases.Case) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	for _, c := range cases {
		if err := encoder.Encode(c); err != nil {
			t.Fatal(err)
		}
	}
}

// replay runs this library's test of recorded cases on a file of cases. Its
// environment is internal to celrules and cannot be imported here.
func replay(t *testing.T, path string) {
	t.Helper()
	command := exec.Command("go", "test", "-count=1", "-v", "-run", "^TestCases$",
		"./celrules/internal/environment")
	command.Dir = filepath.Join("..", "..", "..")
	command.Env = append(os.Environ(), "CRDSEM_CEL_CASES="+path)
	out, err := command.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
