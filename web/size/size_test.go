package main

import (
	"strings"
	"testing"
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
	p, err := parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	m, err := readModules(strings.NewReader("a.com/x a.com/x\na.com/x/y a.com/x/y\nfmt \n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, body := range p.functions {
		got = append(got, string(body)+" "+m.of(p.names[i+p.imported]))
	}
	want := "ab made by the compiler,cdef a.com/x,g standard library"
	if strings.Join(got, ",") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ","), want)
	}
}

func TestADamagedFileIsAnError(t *testing.T) {
	whole := header + section(10, "\x02\x02ab\x01c")
	if _, err := parse([]byte(whole)); err != nil {
		t.Fatal(err)
	}
	for _, damaged := range []string{"", "text", whole[:len(whole)-1], header + "\x0a\xff"} {
		if _, err := parse([]byte(damaged)); err == nil {
			t.Errorf("%q is read without an error", damaged)
		}
	}
}
