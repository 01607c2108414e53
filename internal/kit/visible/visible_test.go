package visible_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/kit/visible"
)

func TestLine(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", "spec.größe: Invalid value: 5 #3 ::", "spec.größe: Invalid value: 5 #3 ::"},
		{"escape", "a\x1b[2J\x7f\u009b", `a\u001b[2J\u007f\u009b`},
		{"lines", "a\n  ::error::b\r\nc\td", "a ::error::b c d"},
		{"a rule of CEL", "undefined field\n | self.x\n | ....^", "undefined field"},
		{"legacy command", "a ##[error]b", `a ##\u005berror]b`},
		{"direction", "a\u202eb\u2028c", `a\u202eb\u2028c`},
		{"command", "::a", "::a"},
		{"blank lines and returns", "\n a \r\r\n\n\tb\t\n|\n", "a b"},
		{"spaces of one line", " a\tb ", " a b "},
		{"bar in one line", "|a", "|a"},
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
	visible.Printf(&b, "%s %v %s %d %s %v\n", name("a\nb"), errors.New("c\x1bd"), "e\nh", 7,
		visible.Verbatim("f\ng"), reflect.ValueOf("i\nj"))
	if got, want := b.String(), "a b c\\u001bd e h 7 f\ng i j\n"; got != want {
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

// After its first error, the writer below is left alone.
func TestWriterFails(t *testing.T) {
	var below full
	w := visible.NewWriter(&below, visible.Nothing)
	for range 2 {
		if n, err := w.Write([]byte("a")); n != 0 || !errors.Is(err, errFull) {
			t.Error(n, err)
		}
	}
	if err := w.Flush(); !errors.Is(err, errFull) || below != 1 {
		t.Errorf("%v, %d calls", err, below)
	}
}

// What cannot be the start of more is written at once, and the rest only once.
func TestWriterFlushes(t *testing.T) {
	var b bytes.Buffer
	w := visible.NewWriter(&b, visible.Nothing)
	for _, c := range [][2]string{{"#a", "#a"}, {"\x1b", `\u001b`}, {":a", ":a"}, {"a#", "a"}} {
		b.Reset()
		if _, err := w.Write([]byte(c[0])); err != nil || b.String() != c[1] {
			t.Errorf("%q: %q, %v, want %q", c[0], b.String(), err, c[1])
		}
	}
	for range 2 {
		if err := w.Flush(); err != nil || b.String() != "a#" {
			t.Errorf("%q, %v", b.String(), err)
		}
	}
}

// Nothing is passed on until there is something.
func TestWriterWaits(t *testing.T) {
	var below full
	w := visible.NewWriter(&below, visible.Nothing)
	for _, text := range []string{"", "#", "#"} {
		if n, err := w.Write([]byte(text)); n != len(text) || err != nil || below != 0 {
			t.Errorf("%q: %d, %v, %d calls", text, n, err, below)
		}
	}
}

var errFull = errors.New("no space left")

// full counts the calls that fail.
type full int

func (f *full) Write([]byte) (int, error) {
	*f++
	return 0, errFull
}

// Every character alone: controls, line breaks and directions are escaped.
func TestCharacters(t *testing.T) {
	for r := rune(0); r < 0x11000; r++ {
		want := string(r)
		switch {
		case r == '\n' || r == '\t':
		case r < ' ', 0x7f <= r && r <= 0x9f, r == 0x61c, r == 0x200e, r == 0x200f,
			0x2028 <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069:
			want = fmt.Sprintf(`\u%04x`, r)
		}
		if got := visible.Text(string(r)); got != want {
			t.Errorf("%U: %q, want %q", r, got, want)
		}
	}
}

// All short texts of a few pieces, written whole and byte by byte, are what
// replacements by regular expressions make of them.
func TestShortTexts(t *testing.T) {
	pieces := []string{
		"#", "[", ":", " ", "\n", "a", "\x1b", visible.Plain, visible.Red, "\u00a0", "\x9b", "\u202e",
	}
	color := regexp.MustCompile("\x1b(\\[0m|\\[1;31m)")
	start := regexp.MustCompile("(?m)^((?:[ \u00a0]|\x1b\\[0m|\x1b\\[1;31m)*)::")
	replace := strings.NewReplacer("##[", `##\u005b`, "\u202e", `\u202e`, "\x9b", "\ufffd",
		"\x1b", `\u001b`, "<", "\x1b")
	twin := func(text string, keep visible.Keep) string {
		if keep&visible.Colors == 0 {
			text = strings.ReplaceAll(text, "\x1b", `\u001b`)
		}
		if keep&visible.Commands == 0 {
			text = start.ReplaceAllString(text, `${1}\u003a:`)
		}
		return replace.Replace(color.ReplaceAllString(text, "<$1"))
	}
	texts := []string{""}
	for range 4 {
		for _, text := range texts[:len(texts):len(texts)] {
			for _, piece := range pieces {
				texts = append(texts, text+piece)
			}
		}
		slices.Sort(texts)
		texts = slices.Compact(texts)
	}
	for _, text := range texts {
		for _, keep := range []visible.Keep{0, visible.Colors, visible.Commands} {
			want := twin(text, keep)
			whole, single := written(text, keep, len(text)), written(text, keep, 1)
			if whole != want || single != want {
				t.Fatalf("%q, %d: %q and %q, want %q", text, keep, whole, single, want)
			}
		}
	}
}

// written writes a text in parts of a size.
func written(text string, keep visible.Keep, size int) string {
	var b bytes.Buffer
	w := visible.NewWriter(&b, keep)
	for part := range slices.Chunk([]byte(text), max(size, 1)) {
		_, _ = w.Write(part)
	}
	_ = w.Flush()
	return b.String()
}
