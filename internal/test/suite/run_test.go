package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

// TestMain lets the test binary act as a program that speaks the protocol.
func TestMain(m *testing.M) {
	switch os.Getenv("RUN_TEST_PROGRAM") {
	case "":
		os.Exit(m.Run())
	case "hello":
		hello := protocol.Hello{Name: "n", Version: "v", Ops: []string{protocol.OpSort}}
		_ = hello.Write(os.Stdout)
	case "crash":
		os.Exit(3)
	}
	_ = protocol.Serve(context.Background(), os.Stdin, os.Stdout, protocol.Options{}, toy)
}

// toy sorts by returning the names as they are and prunes by returning the
// object.
func toy(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	switch req.Op {
	case protocol.OpSort:
		return protocol.Sorted{Names: req.Names}, nil
	case protocol.OpPrune:
		doc, _ := req.Object.Document()
		v, err := protocol.ParseValue(doc)
		return protocol.Pruned{Object: v}, err
	}
	return nil, errors.New("not built")
}

const toyVectors = `{"id":"sorted","rule":"VER-001","description":"a","request":{"op":"sort","names":["b","a"]},"want":{"names":["b","a"]}}
{"id":"wrong","rule":"VER-001","description":"b","request":{"op":"sort","names":["b","a"]},"want":{"names":["a","b"]}}
{"id":"either","rule":"VER-001","description":"c","request":{"op":"sort","names":["b"]},"want":{"names":["a"]},"or":[{"names":["b"]}]}
{"id":"kind","rule":"PRN-001","description":"d","request":{"op":"prune","schema":{},"object":{"a":1.0}},"want":{"object":{"a":1},"unknownFields":[]}}
{"id":"fault","rule":"PRN-001","description":"e","request":{"op":"crd","crd":{}},"want":{"errors":[],"warnings":[]}}
`

func toys(t *testing.T) []Vector {
	t.Helper()
	vectors, err := Load(fstest.MapFS{"x.jsonl": {Data: []byte(toyVectors)}})
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

func outcomes(report *Report) string {
	var list []string
	for _, r := range report.Results {
		list = append(list, r.ID+" "+string(r.Outcome))
	}
	return strings.Join(list, ", ")
}

func TestRunOutcomes(t *testing.T) {
	report, err := Run(context.Background(), toys(t), NewHandler(toy), Lists{})
	if err != nil {
		t.Fatal(err)
	}
	want := "sorted passed, wrong failed, either passed, kind failed, fault faulted"
	if got := outcomes(report); got != want || report.OK() || len(report.Unexcused()) != 3 {
		t.Errorf("got  %s (%v)\nwant %s", got, report.Unexcused(), want)
	}
	if got := report.Results[3].Detail; got != ".object.a: got 1.0, want 1" {
		t.Errorf("detail of a number of the wrong kind: %q", got)
	}
	if got := report.Groups()["x"]; got != (Counts{Passed: 2, Failed: 2, Faulted: 1}) {
		t.Errorf("counts: %+v", got)
	}
}

func TestListsExcuseAndGoStale(t *testing.T) {
	known, err := ParseKnownDifferences(
		[]byte("- {id: 'k*', why: numbers}\n- {id: either, why: none}\n"),
	)
	if err != nil {
		t.Fatal(err)
	}
	notYet, err := ParseNotYet([]byte("# comment\nwrong\nfault\n\nsorted\nunknown\n"))
	if err != nil {
		t.Fatal(err)
	}
	report, err := Run(context.Background(), toys(t), NewHandler(toy), Lists{notYet, known})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Unexcused()) != 0 || len(report.Stale) != 3 || report.OK() {
		t.Errorf("unexcused %v, stale %v", report.Unexcused(), report.Stale)
	}
	if got := report.Groups()["x"]; got != (Counts{Passed: 2, Excused: 3}) {
		t.Errorf("each vector counts once: %+v", got)
	}
	skipping, err := Run(context.Background(), toys(t), NewHandler(toy, protocol.OpSort),
		Lists{Known: known[:1]})
	if err != nil {
		t.Fatal(err)
	}
	if got := skipping.Groups()["x"]; got != (Counts{Passed: 2, Failed: 1, Skipped: 2}) ||
		len(skipping.Stale) != 0 {
		t.Errorf("what is skipped needs no excuse: %+v, stale %v", got, skipping.Stale)
	}
}

// If the real code panics, every answer is right except a fault.
func TestPanicsAreExcused(t *testing.T) {
	for answer, want := range map[string]Result{
		`{"id":"p","names":[]}`:              {Outcome: Failed, Level: Verdict, Detail: ".fault: got none, want \"panic: index\"\n.names: got [], want none", Excused: "the real code panics"},
		`{"id":"p","fault":"panic: index"}`:  {Outcome: Passed},
		`{"id":"p","fault":"not supported"}`: {Outcome: Faulted, Detail: "not supported"},
	} {
		var got Result
		judge(&Vector{ID: "p", Recorded: Recorded{Want: []byte(`{"fault":"panic: index"}`)}}, []byte(answer), &got)
		if got != want {
			t.Errorf("%s: got %+v, want %+v", answer, got, want)
		}
	}
}

// Details of differences are cut to a maximum length.
func TestDetailsAreCut(t *testing.T) {
	var got Result
	judge(&Vector{ID: "p", Recorded: Recorded{Want: []byte(`{"names":[]}`)}},
		[]byte(`{"id":"p","names":["`+strings.Repeat("é", 1<<20)+`"]}`), &got)
	if got.Outcome != Failed || len(got.Detail) > maxDetail+len("…") ||
		!strings.HasSuffix(got.Detail, "é…") {
		t.Errorf("%s, %d bytes", got.Outcome, len(got.Detail))
	}
}

func TestMalformedLists(t *testing.T) {
	for _, doc := range []string{
		"- {id: a}",
		"- {why: a}",
		"- {id: '[', why: a}",
		"- {id: a, why: b, when: c}",
		"- {id: a, difference: b, why: c}",
		"- {difference: '(', why: c}",
		"{",
		"a",
	} {
		if _, err := ParseKnownDifferences([]byte(doc)); err == nil {
			t.Errorf("known differences %q: no error", doc)
		}
	}
	if _, err := ParseNotYet([]byte("a\na\n")); err == nil {
		t.Error("an id twice: no error")
	}
}

func TestProgramsAreRun(t *testing.T) {
	cases := []struct{ mode, want string }{
		{"plain", "sorted passed, wrong failed, either passed, kind failed, fault faulted"},
		{"hello", "sorted passed, wrong failed, either passed, kind skipped, fault skipped"},
	}
	for _, c := range cases {
		t.Setenv("RUN_TEST_PROGRAM", c.mode)
		program, err := Start(context.Background(), Command{Name: os.Args[0], Stderr: os.Stderr})
		if err != nil {
			t.Fatal(err)
		}
		report, err := Run(context.Background(), toys(t), program, Lists{})
		if err != nil {
			t.Fatal(err)
		}
		if err := program.Close(); err != nil {
			t.Error(err)
		}
		if got := outcomes(report); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.mode, got, c.want)
		}
	}
	t.Setenv("RUN_TEST_PROGRAM", "crash")
	command := Command{Name: os.Args[0], Stderr: os.Stderr}
	if _, err := Start(context.Background(), command); err == nil {
		t.Error("a program that crashes: no error")
	}
}

// stopping is a target that stops answering.
type stopping struct{}

func (stopping) Supports(string) bool { return true }
func (stopping) Answers(_ context.Context, _ [][]byte, got func(int, []byte)) error {
	got(0, []byte(`{"id":"sorted","names":["b","a"]}`))
	got(1, []byte(`{"id":"other","names":[]}`))
	got(2, []byte(`nonsense`))
	return errors.New("stopped")
}

func TestTargetsThatStop(t *testing.T) {
	report, err := Run(context.Background(), toys(t), stopping{}, Lists{})
	if err != nil {
		t.Fatal(err)
	}
	want := "sorted passed, wrong faulted, either faulted, kind faulted, fault faulted"
	if got := outcomes(report); got != want || report.Stopped != "at kind: stopped" || report.OK() {
		t.Errorf("got %s, stopped %q", got, report.Stopped)
	}
}

func TestDifferenceComparesByTheRules(t *testing.T) {
	cases := []struct{ name, want, got, difference string }{
		{"errors are sets", `{"errors":[{"a":1},{"b":2}]}`, `{"errors":[{"b":2},{"a":1},{"b":2}],"id":"x","ratcheted":[1]}`, ""},
		{"rules of errors", `{"errors":[{"a":1}]}`, `{"errors":[{"a":1,"rule":"STR-047"},{"a":1,"rule":"STR-048"}]}`, ""},
		{"texts of rules", `{"rules":[{"rule":"a"}]}`, `{"rules":[{"rule":"b"}]}`, ".rules: missing {\"rule\":\"a\"}\n.rules: extra {\"rule\":\"b\"}\n"},
		{"missing and extra", `{"errors":["a"]}`, `{"errors":["b"]}`, ".errors: missing \"a\"\n.errors: extra \"b\"\n"},
		{"other lists are ordered", `{"names":["a","b"]}`, `{"names":["b","a"]}`, ".names: the order differs: got [\"b\",\"a\"], want [\"a\",\"b\"]\n"},
		{"floats by value", `{"object":[1e2,1.50]}`, `{"object":[100.0,1.5]}`, ""},
		{"big integers", `{"cost":18446744073709551615}`, `{"cost":18446744073709551614}`, ".cost: got 18446744073709551614, want 18446744073709551615\n"},
		{"members", `{"object":{"a":1}}`, `{"object":{"b":1}}`, ".object.a: got none, want 1\n.object.b: got 1, want none\n"},
		{"errors of rules", `{"rules":[{"errors":["a","b"]}]}`, `{"rules":[{"errors":["b","a"]}]}`, ""},
		{"null is a value", `{"cost":null}`, `{}`, ".cost: got none, want null\n"},
	}
	for _, c := range cases {
		got, err := Difference([]byte(c.want), []byte(c.got))
		if err != nil || got != c.difference {
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, c.difference)
		}
	}
	if _, err := Difference([]byte(`{}`), []byte(`[]`)); err == nil {
		t.Error("an answer that is no object: no error")
	}
}

func TestLoadNamesTheLine(t *testing.T) {
	for _, line := range []string{`{"id":"a","extra":1}`, `{"id":"a","request":{"op":"x"}}`, `nonsense`} {
		_, err := Load(fstest.MapFS{"x.jsonl": {Data: []byte("\n" + line + "\n")}})
		if err == nil || !strings.HasPrefix(err.Error(), "x.jsonl:2: ") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestVectorsReadBackAsWritten(t *testing.T) {
	var doc []byte
	for _, v := range toys(t) {
		var err error
		if doc, err = v.AppendLine(doc); err != nil {
			t.Fatal(err)
		}
	}
	if string(doc) != toyVectors {
		t.Errorf("got\n%swant\n%s", doc, toyVectors)
	}
}

func TestCasesReadBackAsWritten(t *testing.T) {
	const text = `{"id":"c1","kind":"k","rule":"VER-001","description":"d",` +
		`"input":{"b":1, "a":2},"want":{"compared":1},"or":[{"compared":2}]}` + "\n"
	cases, err := LoadCases(fstest.MapFS{"k.jsonl": {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := cases[0].AppendLine(nil)
	if err != nil || string(got) != text {
		t.Errorf("got\n%s%v\nwant\n%s", got, err, text)
	}
}

func TestReportsAreReadable(t *testing.T) {
	report, err := Run(context.Background(), toys(t), NewHandler(toy, protocol.OpSort), Lists{})
	if err != nil {
		t.Fatal(err)
	}
	var text, doc bytes.Buffer
	if err := errors.Join(report.WriteText(&text, 1), report.WriteJSON(&doc)); err != nil {
		t.Fatal(err)
	}
	want := `failed wrong (VER-001)
  .names: the order differs: got ["b","a"], want ["a","b"]

  group  passed  failed  faulted  skipped  excused
      x       2       1        0        2        0
    all       2       1        0        2        0
`
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}
	var read struct {
		OK      bool
		Total   Counts
		Results []Result
	}
	if err := json.Unmarshal(doc.Bytes(), &read); err != nil || read.OK || len(read.Results) != 3 ||
		fmt.Sprint(read.Total) != "{2 1 2 0 0}" {
		t.Errorf("JSON report: %v %+v", err, read)
	}
}
