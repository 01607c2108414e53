//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// asCommand names the variable that makes the test binary the command.
const asCommand = "CRDSEM_TEST_COMMAND"

// TestMain runs the tests, or the command in a process that a test started.
func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(runTests(m))
}

// runTests runs the tests with a cache folder of their own. That of the go
// command stays.
func runTests(m *testing.M) int {
	folder, err := os.MkdirTemp("", "crdsem-cache-")
	if err != nil {
		return exitFailed
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if users, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" {
		if os.Setenv("GOCACHE", filepath.Join(users, "go-build")) != nil {
			return exitFailed
		}
	}
	if os.Setenv("XDG_CACHE_HOME", folder) != nil {
		return exitFailed
	}
	return m.Run()
}

// command returns a process of the command, or of a program that starts it.
func command(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// An interrupt ends the command, also while it waits for the standard input.
func TestInterrupt(t *testing.T) {
	cmd := command(t, os.Args[0], "eval", "--hello")
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
