package visible_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/base/visible"
)

func TestLine(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", "spec.größe: Invalid value: 5 #3 ::", "spec.größe: Invalid value: 5 #3 ::"},
		{"escape", "a\x1b[2J\x7f\u009b", `a\u001b[2J\u007f\u009b`},
		{"lines", "a\n  ::error::b\r\nc\td", "a ::error::b c d"},
		{"a rule of CEL", "undefined field\n | self.x\n | ....^", "undefined field"},
		{"legacy command", "a ##[error]b", `a ##\u005berror]b`},
		{"direction", "a\u202eb\u2028c", `a\u202eb\u2028c`},
		{"not UTF-8", "a\x9bb", "a\ufffdb"},
	} {
		if got := visible.Line(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestPrintf(t *testing.T) {
	type name string
	var b bytes.Buffer
	visible.Printf(&b, "%s %v %s %d %s\n", name("a\nb"), errors.New("c\x1bd"), "e", 7,
		visible.Verbatim("f\ng"))
	if got, want := b.String(), "a b c\\u001bd e 7 f\ng\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A writer writes the same for every division of a text.
func TestWriter(t *testing.T) {
	const text = "::error::a\n  ::b\n\u00a0::c\n##[d] #[ : :: ##\n" +
		"ä\u009b\x1b[1;31mred\x1b[0m\x1b[2J\r\x9b:\n:"
	for _, c := range []struct {
		name string
		keep visible.Keep
		want string
	}{
		{"nothing", visible.Nothing, "\\u003a:error::a\n  \\u003a:b\n\u00a0\\u003a:c\n" +
			"##\\u005bd] #[ : :: ##\n" +
			`ä\u009b\u001b[1;31mred\u001b[0m\u001b[2J\u000d` + "\ufffd:\n:"},
		{"colors", visible.Colors, "\\u003a:error::a\n  \\u003a:b\n\u00a0\\u003a:c\n" +
			"##\\u005bd] #[ : :: ##\n" +
			"ä\\u009b\x1b[1;31mred\x1b[0m\\u001b[2J\\u000d\ufffd:\n:"},
		{"commands", visible.Commands, "::error::a\n  ::b\n\u00a0::c\n##\\u005bd] #[ : :: ##\n" +
			`ä\u009b\u001b[1;31mred\u001b[0m\u001b[2J\u000d` + "\ufffd:\n:"},
	} {
		for size := 1; size <= len(text); size++ {
			var b bytes.Buffer
			w := visible.NewWriter(&b, c.keep)
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				if _, err := w.Write([]byte(rest[:n])); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if b.String() != c.want {
				t.Errorf("%s, %d bytes at a time: %q, want %q", c.name, size, b.String(), c.want)
			}
		}
	}
}

// JSON keeps its values.
func TestWriterKeepsJSON(t *testing.T) {
	value := strings.Repeat("\u009b##[a\u202e\x7f::", 3)
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := visible.NewWriter(&b, visible.Nothing)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	var got string
	if err := json.Unmarshal(b.Bytes(), &got); err != nil || got != value {
		t.Errorf("%q, %v", got, err)
	}
	if strings.ContainsAny(b.String(), "\u009b\u202e\x7f") {
		t.Errorf("%q", b.String())
	}
}

// A writer writes at once what is whole, and may keep more later.
func TestWriterKeepsMore(t *testing.T) {
	var b bytes.Buffer
	w := visible.NewWriter(&b, visible.Nothing)
	for _, text := range []string{"##[", visible.Red, "::", visible.Red} {
		if n, err := w.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%q: %d, %v", text, n, err)
		}
		if text == "::" {
			w.Keep(visible.Colors)
		}
	}
	if got, want := b.String(), `##\u005b\u001b[1;31m::`+visible.Red; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if w.Unwrap() != &b {
		t.Error("another writer")
	}
}

// The first error of the writer below is kept.
func TestWriterFails(t *testing.T) {
	w := visible.NewWriter(full{}, visible.Nothing)
	for range 2 {
		if _, err := w.Write([]byte("a")); !errors.Is(err, errFull) {
			t.Error(err)
		}
	}
	if err := w.Flush(); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

var errFull = errors.New("no space left")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
