package manifest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// read is Read with another limit.
func read(in io.Reader, limit int) (got []string) {
	r := &reader{name: "f", in: bufio.NewReaderSize(in, 16), limit: limit}
	r.run(func(doc *Document, err error) bool {
		if err != nil {
			got = append(got, err.Error())
		} else {
			got = append(got, string(doc.Data))
		}
		return true
	})
	return got
}

// The documents after one that is too long are read.
func TestReadTooLong(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, text := range []string{
		"a: 1\n---\nb: " + long + "\n---\nc: 1\n",
		"a: 1\n---\n" + strings.Repeat("b: 1\n\n# c\n", 20) + "---\nc: 1\n",
		"a: 1\n---\n{\"b\":\n\"" + long + "\"}\n---\nc: 1\n",
	} {
		got := strings.Join(read(strings.NewReader(text), 100), "|")
		if got != "a: 1\n|f:3: the document is longer than 100 bytes|c: 1\n" {
			t.Errorf("%q", got)
		}
	}
}

// A document may be as long as the limit, in one line or in two.
func TestReadLimit(t *testing.T) {
	for n := 5; n < 60; n++ {
		for _, limit := range []int{20, 32} {
			line := "a: " + strings.Repeat("x", n-4) + "\n"
			for _, c := range []struct {
				text string
				size int
			}{{line, n}, {"a:\n" + line, n + 3}, {line + "# b\n", n + 4}} {
				want := c.text
				if c.size > limit {
					want = fmt.Sprintf("f:1: the document is longer than %d bytes", limit)
				}
				got := strings.Join(read(strings.NewReader(c.text+"---\nb: 1"), limit), "|")
				if got != want+"|b: 1" {
					t.Errorf("%q, limit %d: %q", c.text, limit, got)
				}
			}
		}
	}
}

func TestReadError(t *testing.T) {
	broken := iotest.ErrReader(errors.New("broken"))
	in := io.MultiReader(strings.NewReader("a: 1\n---\nb: 1"), broken)
	if got := strings.Join(read(in, 100), "|"); got != "a: 1\n|b: 1|f: broken" {
		t.Errorf("%q", got)
	}
}
