package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// Colors and source lines are for terminals, and NO_COLOR turns colors off.
func TestStyle(t *testing.T) {
	for _, c := range []struct {
		noColor, terminal  string
		isTerminal         bool
		colors, sourceLine bool
	}{
		{"", "xterm", true, true, true},
		{"1", "xterm", true, false, true},
		{"", "dumb", true, false, true},
		{"", "xterm", false, false, false},
	} {
		t.Setenv("NO_COLOR", c.noColor)
		t.Setenv("TERM", c.terminal)
		style := (&screen{isTerminal: c.isTerminal}).style(false)
		if style.Colors != c.colors || style.Sources != c.sourceLine {
			t.Errorf("%+v: %+v", c, style)
		}
	}
	if style := (&screen{}).style(true); !style.Sources || style.Colors {
		t.Errorf("verbose: %+v", style)
	}
	s := newScreen(streams{nil, &bytes.Buffer{}, &bytes.Buffer{}})
	if s.isTerminal || s.progresses {
		t.Errorf("a buffer is a terminal: %+v", s)
	}
}

// The line of progress appears after a second, and goes before the next line.
func TestProgress(t *testing.T) {
	var out, errs bytes.Buffer
	s := newScreen(streams{nil, &out, &errs})
	s.isTerminal, s.progresses = true, true
	s.advance(1, "documents")
	if errs.Len() > 0 {
		t.Errorf("at once: %q", errs.String())
	}
	s.started = time.Now().Add(-2 * progressAfter)
	s.advance(7, "documents")
	s.advance(8, "documents")
	if _, err := s.Write([]byte("a line\n")); err != nil {
		t.Fatal(err)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	const want = "\r\x1b[K7 documents\r\x1b[K"
	if got := errs.String(); got != want || out.String() != "a line\n" {
		t.Errorf("%q, want %q; %q", got, want, out.String())
	}
}

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
