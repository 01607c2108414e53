//go:build unix

package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
)

// A configuration that is no file is an error that says what it is, and nothing
// waits for a pipe.
func TestNoFile(t *testing.T) {
	for want, make := range map[string]func(path string) error{
		"expected a file, found a named pipe": func(path string) error {
			return syscall.Mkfifo(path, 0o600)
		},
		"expected a file, found a folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"expected a file, found a device": func(path string) error {
			return os.Symlink("/dev/null", path)
		},
		"expected a file, found a link to nothing": func(path string) error {
			return os.Symlink(path+"-gone", path)
		},
	} {
		folder := t.TempDir()
		if err := make(filepath.Join(folder, config.Name)); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Read("", []string{folder}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Braces are no alternatives, which would take exponential time.
func TestHostileFolder(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, ".git/config", "")
	write(t, folder, ".gitignore", strings.Repeat("{a,aa}", 60)+"x\n{b}.yaml\n")
	file, err := config.Read("", []string{folder})
	if err != nil || file.Path != "" {
		t.Fatalf("%+v: %v", file, err)
	}
	for name, want := range map[string]bool{
		strings.Repeat("a", 120): false, "b.yaml": false, "{b}.yaml": true,
	} {
		if skips, err := file.GitIgnores(filepath.Join(folder, name)); skips != want || err != nil {
			t.Errorf("%.9s: %v, %v", name, skips, err)
		}
	}
}
