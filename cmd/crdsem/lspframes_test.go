package main

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"strings"
	"testing"
)

// Messages are copied as they are, and a header that lies ends the copy.
func TestCopyFrames(t *testing.T) {
	const one, two = "Content-Length: 2\r\n\r\n{}", "Content-Type: x\r\ncontent-length:3\r\n\r\n[1]"
	for _, c := range []struct{ in, out, problem string }{
		{"", "", "EOF"},
		{one + two, one + two, "EOF"},
		{one + "Content-Length: 99999999999\r\n\r\n{}", one, "expected a length from 0 to 67108864"},
		{one + "Content-Length: -1\r\n\r\n", one, "Content-Length: -1: expected a length"},
		{one + "Content-Length: x\r\n\r\n", one, "expected a length"},
		{one + "Content-Length: 5\r\n\r\n{}", one[:0] + one + "Content-Length: 5\r\n\r\n{}", "EOF"},
		{one + "Content-Type: x\r\n\r\n{}", one, "no Content-Length"},
		{one + "Content-Le", one, "unexpected EOF"},
		{strings.Repeat("x", maxLSPHeader+1), "", "longer than 8192 bytes"},
		{strings.Repeat("a: b\r\n", maxLSPHeader), "", "longer than 8192 bytes"},
	} {
		var out bytes.Buffer
		err := copyFrames(&out, strings.NewReader(c.in))
		if err == nil || !strings.Contains(err.Error(), c.problem) || out.String() != c.out {
			t.Errorf("%.60q: %.60q, %v", c.in, out.String(), err)
		}
	}
}

// A server that is promised too much, or sent an endless header, ends with an
// error and keeps nothing of it.
func TestLSPBelievesNoHeader(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, in := range []io.Reader{
		strings.NewReader("Content-Length: 99999999999\r\n\r\n"),
		io.MultiReader(strings.NewReader("Content-Length: "), endless{}),
	} {
		err := serveLSP(context.Background(), in, discard{io.Discard}, lspConfig{})
		if err == nil {
			t.Error("no error")
		}
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
		t.Errorf("%d bytes were allocated", grown)
	}
}

// endless is an input without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '1'
	}
	return len(p), nil
}

// discard is an output that can be closed.
type discard struct{ io.Writer }

func (discard) Close() error { return nil }
