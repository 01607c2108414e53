package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// A context ends every command that waits for the standard input.
func TestContextEndsReading(t *testing.T) {
	for _, line := range []string{
		"validate -", "check -", "lint -", "admit --crd ../../examples/crontab -", "cost -",
		"api -", "get --crd ../../examples/crontab/crd.yaml -",
		"convert --to v1 --crd ../../examples/crontab/crd.yaml -",
		"diff --crd ../../examples/crontab/crd.yaml - -", "upgrade - -", "generate --crd -",
		"test --crd - ../../examples/crdtest", "eval",
	} {
		in, out := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		var printed, errs bytes.Buffer
		ended := make(chan int)
		go func() {
			ended <- run(ctx, strings.Fields(line), streams{in, &printed, &errs})
		}()
		if _, err := out.Write([]byte("\n")); err != nil { // it reads
			t.Fatal(err)
		}
		cancel()
		if code := <-ended; code != exitFailed && line != "eval" {
			t.Errorf("%s: exit code %d\n%s%s", line, code, printed.String(), errs.String())
		}
		out.Close()
	}
}

func TestInterruptible(t *testing.T) {
	text := strings.Repeat("a long text ", 9000)
	ctx, cancel := context.WithCancel(t.Context())
	read, err := io.ReadAll(interruptible(ctx, strings.NewReader(text)))
	if err != nil || string(read) != text {
		t.Errorf("%d bytes, %v", len(read), err)
	}
	cancel()
	if _, err := io.ReadAll(interruptible(ctx, strings.NewReader(text))); !errors.Is(
		err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}
