//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Neovim, without a screen, opens a document, gets its findings, acts, types
// and completes.
func TestNeovim(t *testing.T) {
	editor, err := exec.LookPath("nvim")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("Neovim is not installed") // users of the Go module need none; CI has it
	}
	session, err := filepath.Abs("editors/neovim/session.lua")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, text := range map[string]string{"crd.yaml": lspCRD, "x.yaml": lspObject} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := command(t, editor, "--headless", "-u", "NONE", "-i", "NONE", "-n",
		"-c", "luafile "+session)
	cmd.Dir = folder
	cmd.Env = append(cmd.Env, "CRDSEM="+os.Args[0], "XDG_STATE_HOME="+folder,
		"XDG_CACHE_HOME="+folder)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), "ok") {
		t.Errorf("%v\n%s", err, out)
	}
}
