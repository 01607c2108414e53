package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/test/suite"
)

// toyVectors are few enough to work out their outcomes by hand.
var toyVectors = map[string]string{
	"prn.jsonl": `{"id":"p1","rule":"PRN-001","description":"a","request":{"op":"prune","schema":{"type":"object","properties":{"spec":{"type":"object"}}},"object":{"spec":{"x":1}}},"want":{"object":{"spec":{}},"unknownFields":["spec.x"]}}
{"id":"p2","rule":"PRN-001","description":"b","request":{"op":"prune","schema":{"type":"object"},"object":{}},"want":{"object":{},"unknownFields":[]}}
`,
	"val.jsonl": `{"id":"v1","rule":"VAL-050","description":"c","request":{"op":"validate","schema":{"type":"integer","minimum":3},"object":1},"want":{"errors":[{"detail":" in body should be greater than or equal to 3","field":"<nil>","text":"<nil>: Invalid value: 1:  in body should be greater than or equal to 3","type":"FieldValueInvalid"}]}}
`,
	"ver.jsonl": `{"id":"s1","rule":"VER-001","description":"d","request":{"op":"sort","names":["v1","v2"]},"want":{"names":["v2","v1"]}}
`,
}

func toyFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range toyVectors {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// runToys runs the toy vectors against one of the programs.
func runToys(t *testing.T, program string, flags ...string) (ok bool, text string, err error) {
	t.Helper()
	t.Setenv(actAs, program)
	var stdout, stderr bytes.Buffer
	args := append([]string{"-vectors", toyFolder(t), "-patience", "2s"}, flags...)
	ok, err = runVectors(append(args, "--", os.Args[0]), &stdout, &stderr)
	return ok, stdout.String(), err
}

const allPass = `group  passed  failed  faulted  skipped  excused
    prn       2       0        0        0        0
    val       1       0        0        0        0
    ver       1       0        0        0        0
    all       4       0        0        0        0
`

// The report has every program's outcomes: the vector, its rule, the answer
// wanted and the answer given, counted by group.
func TestOutcomesOfPrograms(t *testing.T) {
	cases := []struct {
		program string
		ok      bool
		want    []string
	}{
		{"good", true, []string{allPass}},
		{"good hello", true, []string{allPass}},
		{"no ops", true, []string{allPass}},
		{"silent op", true, []string{"    val       0       0        0        1        0\n", "    prn       2       0        0        0        0\n"}},
		{"wrong", false, []string{"failed p1 (PRN-001)\n  .object.spec.wrong: got 1.0, want none\n", "    prn       1       1        0        0        0\n"}},
		{"wrong error", false, []string{"failed v1 (VAL-050)\n  .errors: missing {\"detail\":\" in body should be greater than", "extra {\"detail\":\" in body should be bigger than"}},
		{"faults", false, []string{"faulted p1 (PRN-001)\n  not today\n", "    all       0       0        4        0        0\n"}},
		{"garbage", false, []string{`faulted v1 (VAL-050)` + "\n  unreadable answer: ", `"panic: oops"`, "    all       3       0        1        0        0\n"}},
		{"no object", false, []string{"faulted p2 (PRN-001)\n  unreadable answer: "}},
		{"foreign id", false, []string{"faulted p1 (PRN-001)\n  the answer is for id \"xp1\"\n"}},
		{"out of order", false, []string{"faulted p1 (PRN-001)\n  unreadable answer: "}},
		{"hangs", false, []string{"faulted v1 (VAL-050)\n  no answer: no answer within 2s\n", "faulted s1 (VER-001)\n  no answer: the program had stopped\n", "stopped: at v1: no answer within 2s\n", "    prn       2       0        0        0        0\n"}},
		{"dies", false, []string{"stopped: at v1: the program ended its output\n", "    all       2       0        2        0        0\n"}},
		{"fails late", false, []string{"stopped: exit status 3\n", "    all       4       0        0        0        0\n"}},
		{"never exits", false, []string{"stopped: signal: killed\n", "    all       4       0        0        0        0\n"}},
		{"endless line", false, []string{"stopped: at p1: "}},
	}
	for _, c := range cases {
		t.Run(c.program, func(t *testing.T) {
			ok, text, err := runToys(t, c.program)
			if err != nil || ok != c.ok {
				t.Errorf("ok %t, error %v", ok, err)
			}
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("not told: %q in\n%s", want, text)
				}
			}
		})
	}
}

// For a program that cannot be run, the error gives the reason.
func TestProgramsThatCannotBeRun(t *testing.T) {
	cases := []struct{ program, want string }{
		{"hangs first", "the program does not answer: no answer within 2s"},
		{"dies first", "the program does not answer: EOF\nexit status 4"},
		{"other protocol", "the program speaks version 9 of the protocol, not 1"},
	}
	for _, c := range cases {
		if ok, _, err := runToys(t, c.program); ok || err == nil || err.Error() != c.want {
			t.Errorf("%s: ok %t, error %v", c.program, ok, err)
		}
	}
	missing := []string{"-vectors", toyFolder(t), "--", "/nowhere/program"}
	ok, err := runVectors(missing, &bytes.Buffer{}, &bytes.Buffer{})
	if ok || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program that is not there: %t, %v", ok, err)
	}
	for _, args := range [][]string{
		{}, {"-nonsense"}, {"-vectors", t.TempDir(), "--", os.Args[0]},
	} {
		if ok, err := runVectors(args, &bytes.Buffer{}, &bytes.Buffer{}); ok || err == nil {
			t.Errorf("%q: ok %t, error %v", args, ok, err)
		}
	}
}

// The timeout ends the whole run.
func TestTimeout(t *testing.T) {
	ok, text, err := runToys(t, "hangs", "-patience", "1h", "-timeout", "2s")
	if ok || err != nil || !strings.Contains(text, "stopped: at v1: context deadline exceeded") {
		t.Errorf("ok %t, error %v:\n%s", ok, err, text)
	}
}

func TestGroupsAreChosen(t *testing.T) {
	ok, text, err := runToys(t, "wrong", "-groups", "val,ver")
	if !ok || err != nil || strings.Contains(text, "prn") ||
		!strings.Contains(text, "    all       2       0        0        0        0\n") {
		t.Errorf("ok %t, error %v:\n%s", ok, err, text)
	}
}

// A profile asks the vectors of its parts, and counts by part what the program
// does not support.
func TestProfiles(t *testing.T) {
	for program, want := range map[string]string{
		"good":      "part passed failed not supported\nvalues 1 0 0\nprune 2 0 0\nsort 1 0 0\n",
		"silent op": "values 0 0 1\n",
	} {
		ok, text, err := runToys(t, program, "-profile", "objects")
		if !ok || err != nil {
			t.Errorf("%s: ok %t, error %v", program, ok, err)
		}
		for line := range strings.Lines(want) {
			if !strings.Contains(squeezed(text), squeezed(line)) {
				t.Errorf("%s: not told: %q in\n%s", program, line, text)
			}
		}
	}
	_, text, err := runToys(t, "good", "-profile", "values")
	if err != nil || strings.Contains(text, "prn") {
		t.Errorf("%v:\n%s", err, text)
	}
	if _, _, err := runToys(t, "good", "-profile", "all"); err == nil ||
		err.Error() != `there is no profile "all"` {
		t.Errorf("a profile that is not there: %v", err)
	}
}

// squeezed returns a text with single spaces.
func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

// Entries about vectors of other groups do not go stale. Entries about no
// vector do.
func TestListsOfChosenGroups(t *testing.T) {
	list := filepath.Join(t.TempDir(), "known.yaml")
	entries := []byte("- {id: p1, why: a}\n- {id: x9, why: b}\n")
	if err := os.WriteFile(list, entries, 0o644); err != nil {
		t.Fatal(err)
	}
	ok, text, err := runToys(t, "wrong", "-groups", "val,ver", "-known-differences", list)
	if ok || err != nil || strings.Contains(text, "p1") ||
		!strings.Contains(text, "x9 does not differ") {
		t.Errorf("ok %t, error %v:\n%s", ok, err, text)
	}
	if _, _, err := runToys(t, "good", "-groups", "val,nosuch"); err == nil || err.Error() != `there is no group "nosuch"` {
		t.Errorf("a group that is not there: %v", err)
	}
}

// The JSON report holds everything that the text report does.
func TestJSONReport(t *testing.T) {
	ok, text, err := runToys(t, "wrong", "-json")
	if ok || err != nil {
		t.Errorf("ok %t, error %v", ok, err)
	}
	var report struct {
		OK      bool
		Total   suite.Counts
		Groups  map[string]suite.Counts
		Results []suite.Result
	}
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		t.Fatal(err)
	}
	want := suite.Result{
		ID:      "p1",
		Group:   "prn",
		Part:    suite.Prune,
		Rule:    "PRN-001",
		Outcome: suite.Failed,
		Level:   suite.Verdict,
		Detail:  ".object.spec.wrong: got 1.0, want none",
	}
	if report.OK || report.Total != (suite.Counts{Passed: 3, Failed: 1}) ||
		report.Groups["prn"] != (suite.Counts{Passed: 1, Failed: 1}) ||
		len(report.Results) != 1 ||
		report.Results[0] != want {
		t.Errorf("%+v", report)
	}
}

// The exit code is the result of the run.
func TestExitCodes(t *testing.T) {
	runner := filepath.Join(t.TempDir(), "runner")
	if out, err := exec.Command("go", "build", "-o", runner, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	folder := toyFolder(t)
	for program, want := range map[string]int{
		"good": 0, "wrong": 1, "dies": 1, "dies first": 2, "other protocol": 2,
	} {
		command := exec.Command(runner, "-vectors", folder, "--", os.Args[0])
		command.Env = append(os.Environ(), actAs+"="+program)
		out, err := command.CombinedOutput()
		if command.ProcessState.ExitCode() != want {
			t.Errorf("%s: exit code %d, want %d (%v): %s", program, command.ProcessState.ExitCode(),
				want, err, out)
		}
	}
}

// shortGroups are the groups of vectors of a short run.
const shortGroups = "ver,conv"

// This repository's own implementation passes the repository's vectors. Those
// on which the real code panics are excused.
func TestOwnVectors(t *testing.T) {
	groups := "prune,def,lst,ver,conv,pipe,fmt,rat"
	if testing.Short() {
		groups = shortGroups
	}
	t.Setenv(actAs, "good hello")
	var stdout bytes.Buffer
	ok, err := runVectors(
		[]string{"-vectors", "../vectors/eval", "-groups", groups, "--", os.Args[0]},
		&stdout,
		os.Stderr,
	)
	if !ok || err != nil {
		t.Errorf("ok %t, error %v:\n%s", ok, err, stdout.String())
	}
}
