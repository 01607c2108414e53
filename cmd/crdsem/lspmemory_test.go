//go:build unix

package main

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/crdsem/crdsem/internal/test/corpus"
)

// The server takes no more memory than validate, for the same folder: the
// corpus with CRDSEM_LONG. Without it, it is a project that takes little more
// than the program itself, and a quarter is allowed. Each answer is timed.
func TestMemory(t *testing.T) {
	folder, allowed := corpus.Folder(t), int64(100)
	if os.Getenv("CRDSEM_LONG") == "" {
		folder, allowed = folder+"/gateway-api", 125
	}
	text, err := os.ReadFile("../../internal/app/edit/testdata/long.yaml")
	if err != nil {
		t.Fatal(err)
	}
	validate := command(t, os.Args[0], "validate", folder)
	out, _ := validate.CombinedOutput() // it refuses objects
	if !strings.Contains(string(out), " accepted, ") {
		t.Fatalf("%s", out)
	}
	server := command(t, os.Args[0], "lsp")
	to, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	from, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	s := connectLSP(t, from, to, `{"window":{"workDoneProgress":true}}`, folder)
	s.wait(`"kind":"end"`)
	t.Logf("ready after %v", time.Since(start))
	s.open("file:///x.yaml", string(text))
	for _, method := range []string{"completion", "hover", "definition", "diagnostic"} {
		start = time.Now()
		s.call("textDocument/"+method,
			`{"textDocument":{"uri":"file:///x.yaml"},"position":{"line":496,"character":6}}`)
		t.Logf("%s: %v", method, time.Since(start))
	}
	s.call("shutdown", "null")
	s.notify("exit", "null")
	if err := server.Wait(); err != nil {
		t.Error(err)
	}
	ours, theirs := memory(t, server), memory(t, validate)
	t.Logf("server %d MB, validate %d MB", ours>>20, theirs>>20)
	if 100*ours > allowed*theirs {
		t.Errorf("the server takes %d bytes, validate %d", ours, theirs)
	}
}

// memory returns the most memory that a command had.
func memory(t *testing.T, cmd *exec.Cmd) int64 {
	t.Helper()
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Fatal("there is no usage")
	}
	return usage.Maxrss << 10
}
