package release_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// unpinned are images that have no digest, with the reason.
var unpinned = map[string]string{
	"gcr.io/oss-fuzz-base/base-builder-go": "OSS-Fuzz builds with its own image of the day",
}

// downloads find what a line loads: an action, an image, or a package that is
// installed. Its first group is the name with all that follows.
var downloads = []struct{ line, pinned *regexp.Regexp }{
	{regexp.MustCompile(`^\s*(?:- )?uses: (.*)$`),
		regexp.MustCompile(`^(\./.*|crdsem/crdsem@.*|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$`)},
	{regexp.MustCompile(`^(?:FROM(?: --platform=\S+)?|\s*container:|\s*image:) (.*?)(?: AS \w+)?$`),
		regexp.MustCompile(`^(scratch|[\w./-]+:\d+\.\d+\.\d+@sha256:[0-9a-f]{64})$`)},
	{regexp.MustCompile(`\b(?:go (?:get|install) |npm install .*--global )(\S+)`),
		regexp.MustCompile(`^[\w./-]+@v?\d+\.\d+\.\d+[\w.-]*$`)},
}

// unpinnedIn returns what a text loads without a digest or a version.
func unpinnedIn(text string) (found []string) {
	for line := range strings.Lines(text) {
		for _, d := range downloads {
			name := d.line.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
			if name != nil && !d.pinned.MatchString(name[1]) && unpinned[name[1]] == "" {
				found = append(found, name[1])
			}
		}
	}
	return found
}

// Workflows, the action, images and the scripts that they run load nothing that
// may change: actions and images have a digest and a version.
func TestDownloadsArePinned(t *testing.T) {
	read := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		if err == nil && entry.IsDir() &&
			slices.Contains([]string{".git", "node_modules", "dist"}, name) {
			return filepath.SkipDir
		}
		inCI := strings.Contains(path, "/.github/") || strings.Contains(path, "/.ci/")
		if err != nil || !entry.Type().IsRegular() ||
			!inCI && !strings.Contains(name, "Dockerfile") && !slices.Contains([]string{
				"action.yml", "goreleaser.yaml", "build.sh", "use.md", "Makefile"}, name) {
			return err
		}
		text, err := os.ReadFile(path)
		for _, name := range unpinnedIn(string(text)) {
			t.Errorf("%s: %s has no digest or version", path, name)
		}
		read++
		return err
	})
	if err != nil || read < 12 {
		t.Errorf("%d files, %v", read, err)
	}
}

// The test above notices what it is for.
func TestUnpinned(t *testing.T) {
	digest := strings.Repeat("0a", 32)
	for _, c := range []struct{ line, found string }{
		{"      - uses: actions/checkout@v7", "actions/checkout@v7"},
		{"uses: actions/checkout@" + digest[:40], "actions/checkout@" + digest[:40]},
		{"uses: actions/checkout@" + digest[:40] + " # v7.0.1", ""},
		{"FROM golang:1.26 AS build", "golang:1.26"},
		{"FROM golang@sha256:" + digest, "golang@sha256:" + digest},
		{"FROM golang:1.26.8@sha256:" + digest + " AS build", ""},
		{"    container: golang:1.26", "golang:1.26"},
		{"FROM --platform=$BUILDPLATFORM golang:1.26", "golang:1.26"},
		{"FROM scratch", ""},
		{"go get example.com/a", "example.com/a"},
		{"go install example.com/a@latest", "example.com/a@latest"},
		{"go install example.com/a@v1.2.3", ""},
		{"npm install --silent --global node@22", "node@22"},
	} {
		if found := strings.Join(unpinnedIn(c.line+"\n"), " "); found != c.found {
			t.Errorf("%s: found %q, want %q", c.line, found, c.found)
		}
	}
}

// Workflows may read the repository and nothing else, unless a job says so, and
// keep no credentials in their checkout.
func TestWorkflowsMayRead(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(root, ".github/workflows/*.yml"))
	if err != nil || len(names) < 4 {
		t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		var workflow struct {
			Permissions map[string]string
			Jobs        map[string]struct {
				Steps []struct {
					Uses string
					With map[string]any
				}
			}
		}
		text, err := os.ReadFile(name)
		if err == nil {
			err = yaml.Unmarshal(text, &workflow)
		}
		if err != nil || len(workflow.Permissions) != 1 ||
			workflow.Permissions["contents"] != "read" {
			t.Errorf("%s: permissions %v, %v", name, workflow.Permissions, err)
		}
		for job, j := range workflow.Jobs {
			for _, step := range j.Steps {
				if strings.HasPrefix(step.Uses, "actions/checkout@") &&
					step.With["persist-credentials"] != false {
					t.Errorf("%s: job %s keeps credentials", name, job)
				}
			}
		}
	}
}
