package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// python runs the Python runner of the vectors' folder. It returns the output
// and the exit code.
func python(t *testing.T, program, folder string) (text string, code int) {
	t.Helper()
	interpreter, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no python3 in PATH: CI installs it before the tests")
		}
		t.Skip("no python3 in PATH: it tests the runner in Python") // users need none; CI has it
	}
	command := exec.Command(interpreter, "../vectors/runner.py", folder, os.Args[0])
	command.Env = append(os.Environ(), actAs+"="+program)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if status := (*exec.ExitError)(nil); err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	return string(out), command.ProcessState.ExitCode()
}

// The Python runner gives the same results as the Go runner.
func TestRunnerInPython(t *testing.T) {
	cases := []struct {
		program string
		code    int
		want    []string
	}{
		{"good", 0, []string{"prn     passed       2\nval     passed       1\nver     passed       1\n"}},
		{"good hello", 0, []string{"ver     passed       1\n"}},
		{"wrong", 1, []string{"failed p1 PRN-001", "prn     failed       1\n"}},
		{"faults", 1, []string{"faulted s1 VER-001", "ver     faulted      1\n"}},
		{"foreign id", 1, []string{"faulted s1 VER-001", "no answer"}},
		{"silent op", 0, []string{"val     skipped      1\n", "ver     passed       1\n"}},
		{"dies", 1, []string{"prn     passed       2\n", "faulted v1 VAL-050", "the program exits with 7\n"}},
		{"fails late", 1, []string{"ver     passed       1\n", "the program exits with 3\n"}},
	}
	folder := toyFolder(t)
	for _, c := range cases {
		text, code := python(t, c.program, folder)
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d", c.program, code, c.code)
		}
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: not told: %q in\n%s", c.program, want, text)
			}
		}
	}
}

// The vectors pass with the Python runner as well. A short run has only the
// groups that TestOwnVectors runs.
func TestVectorsInPython(t *testing.T) {
	folder, want := "../vectors/eval", []string{"cel     passed", "excused"}
	if testing.Short() {
		folder, want = groupsOf(t, folder, shortGroups), []string{
			"ver     passed",
			"conv    passed",
		}
	}
	text, code := python(t, "good", folder)
	if code != 0 {
		t.Errorf("exit code %d:\n%.3000s", code, text)
	}
	for _, want := range want {
		if !strings.Contains(text, want) {
			t.Errorf("not told: %q in\n%.3000s", want, text)
		}
	}
}

// groupsOf copies some groups, separated by commas, from a folder of vectors to
// a new folder and returns the new folder.
func groupsOf(t *testing.T, folder, groups string) string {
	t.Helper()
	part := t.TempDir()
	for group := range strings.SplitSeq(groups, ",") {
		text, err := os.ReadFile(filepath.Join(folder, group+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(part, group+".jsonl"), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return part
}
