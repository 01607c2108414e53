package wasmfile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFilesAreWrittenAsTheyWereRead(t *testing.T) {
	const file = header + "\x01\x03abc" + "\x00\x05\x04name" + "\x0a\x00"
	sections, err := Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range sections {
		names = append(names, s.Name())
	}
	if diff := cmp.Diff([]string{"types", "name", "code"}, names); diff != "" {
		t.Error(diff)
	}
	if got := string(Format(sections)); got != file {
		t.Errorf("%q became %q", file, got)
	}
}

func TestSignedNumbers(t *testing.T) {
	for text, want := range map[string]int64{
		"\x00": 0, "\x3f": 63, "\x40": -64, "\x7f": -1, "\xc0\x00": 64, "\xbf\x7f": -65,
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00": 1<<63 - 1,
		"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f": -1 << 63,
	} {
		r := NewReader([]byte(text + "rest"))
		if got := r.Signed(); got != want || r.Offset() != len(text) || r.Err() != nil {
			t.Errorf("%x: %d up to %d, %v, want %d", text, got, r.Offset(), r.Err(), want)
		}
	}
}

func TestWhatIsReadAfterTheEnd(t *testing.T) {
	for name, read := range map[string]func(*Reader){
		"byte":     func(r *Reader) { r.Byte() },
		"number":   func(r *Reader) { r.Number() },
		"signed":   func(r *Reader) { r.Signed() },
		"too much": func(r *Reader) { r.Take(2) },
		"a length": func(r *Reader) { r.Bytes() },
	} {
		r := NewReader([]byte("\x80"))
		read(r)
		read(r)
		if r.Err() == nil || r.More() {
			t.Errorf("%s: no error", name)
		}
	}
}
