package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestLongestStream(t *testing.T) {
	s := &spool{size: maxStream - 2}
	if n, err := s.Write([]byte("ab")); n != 2 || err != nil {
		t.Errorf("the longest stream: %d, %v", n, err)
	}
	if n, err := s.Write([]byte("c")); n != 0 || err == nil || err.Error() != "longer than 4 GiB" {
		t.Errorf("a longer stream: %d, %v", n, err)
	}
}

// A file that could not be removed while it was open is removed by Close. What
// fails is said.
func TestCloseRemoves(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	list := []*Source{{}, {kept: &spool{}}, {kept: &spool{file: file}}}
	if err := Close(list); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file.Name()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
	if err := Close(append(list, &Source{})); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a file that was closed: %v", err)
	}
}
