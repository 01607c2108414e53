package manifest

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// A file is as long as its limit.
func TestLongestStream(t *testing.T) {
	for size, want := range map[int]string{1: "", 2: "longer than 0 GiB"} {
		s := &spool{}
		text := strings.NewReader(strings.Repeat("x", maxMemory+size))
		err := s.fill(text, maxMemory+1)
		if err != nil && err.Error() != want || (err == nil) != (want == "") {
			t.Errorf("%d bytes more than in memory: %v, want %q", size, err, want)
		}
		for range 2 { // it can be read again
			kept := s.open()
			read, err := io.Copy(io.Discard, kept)
			if want := maxMemory + size; read != int64(want) || err != nil || kept.Close() != nil {
				t.Errorf("%d bytes are read, want %d: %v", read, want, err)
			}
		}
		if err := (&Source{kept: s}).Close(); err != nil || s.memory.Cap() > 0 {
			t.Errorf("%v, %d bytes are kept", err, s.memory.Cap())
		}
	}
	const want = 4 << 30
	if maxStream != want {
		t.Errorf("a stream may have %d bytes, want %d", maxStream, want)
	}
}

// The error of a stream is returned also if the stream goes on behind it.
func TestStreamBreaksOnce(t *testing.T) {
	stream := iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("ab")))
	if err := (&spool{}).fill(stream, maxStream); !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("got %v", err)
	}
}

// A file that could not be removed while it was open is removed by Close. What
// fails is said.
func TestCloseRemoves(t *testing.T) {
	folder := t.TempDir()
	file, err := os.Create(filepath.Join(folder, "f"))
	if err != nil {
		t.Fatal(err)
	}
	full, err := os.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	kept := &Source{kept: &spool{file: full}}
	if err := kept.Close(); err == nil || strings.Contains(err.Error(), "closed") {
		t.Errorf("a file that cannot be removed: %v", err)
	}
	if err := kept.Close(); err == nil || !strings.HasPrefix(err.Error(), "close ") ||
		!strings.Contains(err.Error(), "\nremove ") {
		t.Errorf("a file that was closed: %v", err)
	}
	gone := &Source{kept: &spool{file: full}}
	if err := Close([]*Source{gone, {kept: &spool{}}, gone}); err == nil ||
		strings.Count(err.Error(), "close ") != 2 {
		t.Errorf("files that were closed: %v", err)
	}
	list := []*Source{{}, {kept: &spool{}}, {Name: "s", kept: &spool{file: file}}}
	yieldDefinitions(list[2:], func(Object, error) bool { return true })
	if err := Close(list); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Definitions leaves a file open: %v", err)
	}
	if _, err := os.Stat(file.Name()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
}

// The documents after an error are read.
func TestEach(t *testing.T) {
	docs := func(yield func(*Document, error) bool) {
		if yield(nil, errors.ErrUnsupported) {
			yield(&Document{Data: []byte("kind: A")}, nil)
		}
	}
	for most := 1; most <= 2; most++ {
		n := 0
		found, more := each(docs, func(o Object, err error) bool {
			n++
			return n < most || err == nil && o.Content["kind"] == "A"
		})
		if !found || more != (most == 2) || n != most {
			t.Errorf("%d of %d, %t, %t", n, most, found, more)
		}
	}
}
