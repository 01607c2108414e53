// Package release_test checks the files that a release needs against each
// other. `make release-check` reads the first of them as goreleaser does.
package release_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const root = "../../.."

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The manifest for krew names each archive of a release, once.
func TestKrewNamesEveryArchive(t *testing.T) {
	var config struct {
		Builds []struct{ Goos, Goarch []string }
	}
	if err := yaml.Unmarshal([]byte(read(t, ".goreleaser.yaml")), &config); err != nil {
		t.Fatal(err)
	}
	manifest := read(t, ".krew.yaml")
	for _, system := range config.Builds[0].Goos {
		for _, arch := range config.Builds[0].Goarch {
			archive, binary := fmt.Sprintf("crdsem_%s_%s.tar.gz", system, arch), "bin: crdsem\n"
			if system == "windows" {
				archive, binary = fmt.Sprintf("crdsem_%s_%s.zip", system, arch), "bin: crdsem.exe\n"
			}
			_, rest, found := strings.Cut(manifest, fmt.Sprintf("{os: %s, arch: %s}", system, arch))
			entry, _, _ := strings.Cut(rest, "- selector:")
			if !found || !strings.Contains(entry, "/"+archive+`"`) || !strings.Contains(entry, binary) {
				t.Errorf("no entry for %s with %s", archive, strings.TrimSpace(binary))
			}
		}
	}
	if n := strings.Count(manifest, "selector:"); n != 6 {
		t.Errorf("%d platforms, want 6", n)
	}
}

// The image is built with the Go version of go.mod, and its files exist.
func TestDockerfile(t *testing.T) {
	_, version, _ := strings.Cut(read(t, "go.mod"), "\ngo ")
	version, _, _ = strings.Cut(version, "\n")
	version = strings.TrimSuffix(version, ".0")
	file := read(t, "Dockerfile")
	if !strings.Contains(file, "FROM golang:"+version+" ") {
		t.Errorf("the image is not built with Go %s", version)
	}
	for line := range strings.Lines(file) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "COPY" || strings.HasPrefix(words[1], "--") {
			continue
		}
		for _, name := range words[1 : len(words)-1] {
			if _, err := os.Stat(filepath.Join(root, name)); err != nil {
				t.Errorf("the image copies %s: %v", name, err)
			}
		}
	}
}
