package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// inPage is a command in a page: a line of an indented block, or a part of a
// text.
var inPage = regexp.MustCompile(
	"(?m)(?:^[ \t][ \t$]*|\\| |script: |`)(?:crdsem|\\$\\(CRDSEM\\)) ([a-z][^`\n>|#]*)")

// withBlocksIndented returns a page whose blocks between fences are indented.
func withBlocksIndented(t *testing.T, page string) string {
	t.Helper()
	var out strings.Builder
	isBlock := false
	for line := range strings.Lines(readFiles(t, page)) {
		if strings.HasPrefix(line, "```") {
			isBlock = !isBlock
		} else if isBlock {
			out.WriteString("    ")
		}
		out.WriteString(line)
	}
	return out.String()
}

// Commands of all pages are commands, and their flags exist.
func TestCommandsOfPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range append(pages, "../../README.md") {
		for _, m := range inPage.FindAllStringSubmatch(withBlocksIndented(t, page), -1) {
			found++
			root := newCommand()
			cmd, rest, err := root.Find(strings.Fields(m[1]))
			if err == nil && cmd != root {
				err = cmd.ParseFlags(rest)
			}
			if err != nil || cmd == root {
				t.Errorf("%s: %s: %v", page, m[0], err)
			}
		}
	}
	if found < 80 {
		t.Errorf("%d commands", found)
	}
}

// Commands in the blocks of pages run in a project that has what they name.
// Those that never end, need another program, or print what is shown have tests
// of their own.
func TestPagesRun(t *testing.T) {
	crd, objects := readFiles(t, "../../examples/crontab/crd.yaml"),
		readFiles(t, "../../examples/crontab/objects.yaml")
	suite := blocks(t, "docs/testing.md", "yaml")[0]
	for page, files := range map[string]map[string]string{
		"kubebuilder": {
			"config/crd/bases/crd.yaml": crd, "config/samples/a.yaml": objects,
			"bin/before/config/crd/bases/crd.yaml": crd, "go.mod": "module m\n",
			"api/v1/types.go": "// +groupName=stable.example.com\npackage v1\n\ntype CronTab struct{}\n",
		},
		"repositories": {"config/crd.yaml": crd, "apps/a.yaml": objects, "openapi.json": gadgets},
		"schema":       {"config/crd/crd.yaml": crd},
		"start": {
			"crds.yaml": crd, "crd.yaml": crd, "old.yaml": crd, "examples/crontab/crd.yaml": crd,
			"examples/crontab/objects.yaml": objects, "upstream/crd.yaml": crd, ".git/HEAD": "",
			".crdsem.yaml": "definitions: {sources: [upstream]}\n",
		},
		"testing": {"crd.yaml": crd, "crontab.crdtest.yaml": suite},
		"vendor": {
			".crdsem.yaml": "definitions: {sources: [upstream]}\n", "upstream/crd.yaml": crd,
			"apps/a.yaml": objects, ".git/HEAD": "",
		},
	} {
		t.Run(page, func(t *testing.T) {
			text := withBlocksIndented(t, "../../docs/"+page+".md")
			writeFiles(t, maps.Clone(files))
			ran := 0
			for line := range strings.Lines(text) {
				m := inPage.FindStringSubmatch(line)
				if m == nil || strings.Contains(line, "--watch") ||
					strings.Contains(line, "--kustomize") || strings.Contains(line, "--helm") ||
					!strings.HasPrefix(line, "    ") {
					continue
				}
				ran++
				code, out, errs := execute(t, "", strings.Fields(m[1])...)
				if code != exitOK && code != exitRefused || strings.Contains(errs, "error: ") {
					t.Errorf("%s: exit code %d\n%s%s", m[1], code, out, errs)
				}
			}
			if ran == 0 {
				t.Error("no command")
			}
			if _, err := os.Stat("schemas/all.json"); page == "schema" && err != nil {
				t.Error(err)
			}
		})
	}
}
