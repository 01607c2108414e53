package manifest

import (
	"cmp"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// Columns of long lines are those that counting from the start of the line
// gives.
func TestColumnsOfLongLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "bc", "é", "€", "😀", strings.Repeat("x", 700)}
	for range 200 {
		var b strings.Builder
		for range random.IntN(60) {
			b.WriteString(parts[random.IntN(len(parts))])
			if random.IntN(30) == 0 {
				b.WriteString([]string{"\n", "\r\n", "\u2028"}[random.IntN(3)])
			}
		}
		text := b.String()
		for _, ends := range []func([]byte) int{lineFeed, yamlBreak} {
			s := newLineStarts([]byte(text), ends)
			for offset := 0; offset <= len(text); offset += 1 + random.IntN(400) {
				if offset < len(text) && !utf8.RuneStart(text[offset]) {
					continue
				}
				line, column := s.lineOf(offset)
				start := s.at[line-1]
				if want := utf8.RuneCountInString(text[start:offset]) + 1; column != want {
					t.Fatalf("offset %d of %q is in column %d, want %d", offset, text, column, want)
				}
				isBreak := offset > start && ends([]byte(text[offset-1:]+" ")) > 0
				if got := s.offset(line, column); got != offset && !isBreak {
					t.Fatalf("%d:%d of %q is at %d, want %d", line, column, text, got, offset)
				}
			}
			if want := (len(text) + block - 1) / block; len(s.counts) != want {
				t.Fatalf("%d blocks, want %d", len(s.counts), want)
			}
			for line := range s.at {
				if got, end := s.offset(line+1, 1<<30), lineEnd(&s, line); got != end {
					t.Fatalf("line %d of %q ends at %d, want %d", line+1, text, got, end)
				}
			}
		}
	}
}

// lineEnd returns the offset of a line's end.
func lineEnd(s *lineStarts, line int) int {
	at := s.at[line]
	for at < len(s.text) && s.ends(s.text[at:]) == 0 {
		at++
	}
	return at
}

// YAML 1.1 has more ends of lines than editors.
func TestLineEnds(t *testing.T) {
	for _, c := range []struct {
		text      string
		yaml, fed int // lines
	}{
		{"", 1, 1}, {"a", 1, 1}, {"a\n", 2, 2}, {"\n\n", 3, 3}, {"a\r", 2, 1}, {"a\r\n", 2, 2},
		{"a\rb\n\r", 4, 2}, {"\u0085", 2, 1}, {"\u2028a\u2029", 3, 1}, {"\u0084\u2027\u202a\v\f", 1, 1},
	} {
		text := []byte(c.text)
		got, fed := len(newLineStarts(text, yamlBreak).at), len(newLineStarts(text, lineFeed).at)
		if got != c.yaml || fed != c.fed {
			t.Errorf("%q: %d and %d lines, want %d and %d", c.text, got, fed, c.yaml, c.fed)
		}
	}
	s := newLineStarts([]byte("ab\ncd"), lineFeed)
	for _, c := range []struct{ line, column, want int }{
		{0, 1, 5}, {1, 0, 0}, {1, 2, 1}, {1, 9, 2}, {2, 1, 3}, {2, 9, 5}, {3, 1, 5}, {-1, 1, 5},
	} {
		if got := s.offset(c.line, c.column); got != c.want {
			t.Errorf("%d:%d is at %d, want %d", c.line, c.column, got, c.want)
		}
	}
}

func TestPositions(t *testing.T) {
	list := []Position{{}, {"f", 0, 1}, {"f", 2, 0}, {"f", 2, 7}, {"f", 3, 1}}
	for i, want := range []string{"", "f", "f:2", "f:2:7", "f:3:1"} {
		if got := list[i].String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		for j, q := range list {
			if got := list[i].compare(q); got != cmp.Compare(i, j) {
				t.Errorf("%v and %v: %d", list[i], q, got)
			}
		}
	}
}
