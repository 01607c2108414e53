//go:build unix

package inputs_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/inputs"
)

// A link to a folder is read like the folder.
func TestLink(t *testing.T) {
	files(t, "d/b.yaml", "d/c/x.json")
	if err := os.Symlink("d", "link"); err != nil {
		t.Fatal(err)
	}
	got := names(inputs.Find([]string{"link"}, nil))
	if diff := cmp.Diff([]string{"link/b.yaml", "link/c/x.json"}, got); diff != "" {
		t.Error(diff)
	}
}

// A device has no end.
func TestDevice(t *testing.T) {
	for _, err := range inputs.Find([]string{"/dev/zero"}, nil)[0].Documents() {
		if err == nil || !strings.Contains(err.Error(), "neither a file nor a folder nor a pipe") {
			t.Error(err)
		}
	}
}
