package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/web/internal/wasmfile"
)

// section returns a section of a WebAssembly file.
func section(kind byte, body string) string {
	return string([]byte{kind, byte(len(body))}) + body
}

const header = "\x00asm\x01\x00\x00\x00"

func TestSizesAreThoseOfTheModules(t *testing.T) {
	file := header +
		section(2, "\x01\x02go\x03now\x00\x00") +
		section(10, "\x03\x02ab\x04cdef\x01g") +
		section(0, "\x04name"+section(1, "\x03\x01\x08a_com_xf\x02\x0aa_com_x_yf\x03\x07fmt_Map"))
	sections, err := wasmfile.Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	m, err := readModules(strings.NewReader("a.com/x a.com/x\na.com/x/y a.com/x/y\nfmt \n"))
	if err != nil {
		t.Fatal(err)
	}
	code, err := codeOf(sections, m)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]byte{
		"made by the compiler": []byte("ab"), "a.com/x": []byte("cdef"), "standard library": []byte("g"),
	}
	if diff := cmp.Diff(want, code); diff != "" {
		t.Error(diff)
	}
}

func TestADamagedFileIsAnError(t *testing.T) {
	names := section(0, "\x04name"+section(1, "\x01\x00\x01a"))
	whole := header + section(10, "\x02\x02ab\x01c") + names
	read := func(file string) error {
		sections, err := wasmfile.Parse([]byte(file))
		if err != nil {
			return err
		}
		_, err = codeOf(sections, modules{})
		return err
	}
	if err := read(whole); err != nil {
		t.Fatal(err)
	}
	for _, damaged := range []string{
		"", "text", whole[:len(whole)-1], header + "\x0a\xff", header + section(10, "\x02\x02ab"),
		header + section(10, "\x02\x02ab\x01c"),
	} {
		if read(damaged) == nil {
			t.Errorf("%q is read without an error", damaged)
		}
	}
}
