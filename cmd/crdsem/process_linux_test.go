package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"testing"
)

// An output that is closed, or full, is an error. On other systems the runtime
// opens another file in the place of a closed one.
func TestClosedOutput(t *testing.T) {
	for redirection, want := range map[string]int{
		">&-": exitFailed, ">/dev/full": exitFailed, ">/dev/null": exitOK,
	} {
		cmd := command(t, "sh", "-c", `"$0" version `+redirection+`; exit $?`, os.Args[0])
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
	ignored := command(t, os.Args[0], "version")
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
