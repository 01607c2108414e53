//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// program builds the command and returns its file.
func program(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a build takes longer than a short run may: CI runs the long one")
	}
	file := filepath.Join(t.TempDir(), "crdsem")
	if out, err := exec.Command("go", "build", "-o", file, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file
}

// An output that is closed, or full, is an error.
func TestClosedOutput(t *testing.T) {
	if runtime.GOOS != "linux" {
		// Elsewhere the runtime opens another file in its place.
		t.Skip("the runtime hides a closed output")
	}
	file := program(t)
	for redirection, want := range map[string]int{
		">&-": exitFailed, ">/dev/full": exitFailed, ">/dev/null": exitOK,
	} {
		cmd := exec.Command("sh", "-c", `"$0" version `+redirection+`; exit $?`, file)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		code := 0
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			code = exit.ExitCode()
		}
		if code != want || (errs.Len() > 0) != (want == exitFailed) {
			t.Errorf("%s: exit code %d, %s", redirection, code, errs.String())
		}
	}
	ignored := exec.Command(file, "version")
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	ignored.Stdout = null
	if err := ignored.Run(); err != nil {
		t.Errorf("an output that is ignored: %v", err)
	}
}

// An interrupt ends the command, also while it waits for the standard input.
func TestInterrupt(t *testing.T) {
	cmd := exec.Command(program(t), "eval", "--hello")
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	hello := make([]byte, 1)
	if _, err := out.Read(hello); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signal() != syscall.SIGINT || !strings.Contains(err.Error(), "interrupt") {
		t.Errorf("ended by %v", err)
	}
}
