//go:build unix

package config_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
)

// Braces are no alternatives, which would take exponential time, and nothing
// waits for a pipe.
func TestHostileFolder(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, ".git/config", "")
	write(t, folder, ".gitignore", strings.Repeat("{a,aa}", 60)+"x\n{b}.yaml\n")
	if err := syscall.Mkfifo(filepath.Join(folder, config.Name), 0o600); err != nil {
		t.Fatal(err)
	}
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
