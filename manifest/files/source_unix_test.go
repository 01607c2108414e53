//go:build unix

package files_test

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/manifest/files"
)

// A link to a folder is read like the folder.
func TestLink(t *testing.T) {
	write(t, "d/b.yaml", "d/c/x.json")
	if err := os.Symlink("d", "link"); err != nil {
		t.Fatal(err)
	}
	got := names(files.Find([]string{"link"}, nil))
	if diff := cmp.Diff([]string{"link/b.yaml", "link/c/x.json"}, got); diff != "" {
		t.Error(diff)
	}
}

// A device has no end.
func TestDevice(t *testing.T) {
	for _, err := range files.Find([]string{"/dev/zero"}, nil)[0].Documents() {
		if err == nil || !strings.Contains(err.Error(), "neither a file nor a folder nor a pipe") {
			t.Error(err)
		}
	}
}

// A FIFO in a folder may have no writer. It is left out.
func TestFIFOInFolder(t *testing.T) {
	write(t, "d/a.yaml")
	if err := syscall.Mkfifo("d/b.yaml", 0o644); err != nil {
		t.Fatal(err)
	}
	got := names(files.Find([]string{"d"}, nil))
	if diff := cmp.Diff([]string{"d/a.yaml"}, got); diff != "" {
		t.Error(diff)
	}
}
