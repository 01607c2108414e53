package main

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// python runs the runner in Python that stands beside the vectors, and returns what it prints and its exit code.
func python(t *testing.T, program, folder string) (text string, code int) {
	t.Helper()
	interpreter, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here: the runner in Python is not tested")
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

// The runner in Python says the same as the one in Go.
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

// The whole suite passes with it, too.
func TestVectorsInPython(t *testing.T) {
	if testing.Short() {
		t.Skip("the Go runner runs the same vectors")
	}
	text, code := python(t, "good", "../vectors/eval")
	if code != 0 || !strings.Contains(text, "cel     passed") || !strings.Contains(text, "excused") {
		t.Errorf("exit code %d:\n%.3000s", code, text)
	}
}
