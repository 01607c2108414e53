package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

// A command whose output cannot be written fails, whatever it prints.
func TestFullOutput(t *testing.T) {
	for _, line := range []string{
		"help", "--help", "validate --help", "version", "completion bash", "explain VER-001",
		"validate ../../examples/crontab", "cost ../../examples/rules", "--version",
		"test ../../examples/crdtest", "eval --hello", "generate --crd ../../examples/crontab/crd.yaml",
	} {
		var errs bytes.Buffer
		code := run(context.Background(), strings.Fields(line),
			streams{strings.NewReader(""), fullOutput{}, &errs})
		if code != exitFailed || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%s: exit code %d, %s", line, code, errs.String())
		}
	}
}

type fullOutput struct{}

func (fullOutput) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }
