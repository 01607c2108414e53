package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// The pages in docs/cli and docs/man are those of the commands as they are.
// CRDSEM_GOLDEN=write rewrites them.
func TestPages(t *testing.T) {
	root := newCommand()
	root.DisableAutoGenTag = true
	root.InitDefaultCompletionCmd()
	root.InitDefaultVersionFlag()
	pages := map[string]string{}
	addPages(t, root, pages)
	for _, folder := range []string{"cli", "man"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "docs", folder, "crdsem*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if name := filepath.Join(folder, filepath.Base(file)); pages[name] == "" {
				t.Errorf("docs/%s is the page of no command", name)
			}
		}
	}
	for name, page := range pages {
		file := filepath.Join("..", "..", "docs", name)
		if os.Getenv("CRDSEM_GOLDEN") == "write" {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, file, page)
			continue
		}
		text, err := os.ReadFile(file)
		if diff := cmp.Diff(page, string(text)); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", file, err, diff)
		}
	}
}

// addPages adds the pages of a command and of its subcommands.
func addPages(t *testing.T, cmd *cobra.Command, pages map[string]string) {
	t.Helper()
	var markdown, man bytes.Buffer
	if err := doc.GenMarkdown(cmd, &markdown); err != nil {
		t.Fatal(err)
	}
	never := time.Time{}
	header := &doc.GenManHeader{Section: "1", Source: "crdsem", Date: &never}
	if err := doc.GenMan(cmd, header, &man); err != nil {
		t.Fatal(err)
	}
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "_")
	pages[filepath.Join("cli", name+".md")] = markdown.String()
	pages[filepath.Join("man", strings.ReplaceAll(name, "_", "-")+".1")] =
		strings.Replace(man.String(), `"Jan 0001"`, `""`, 1)
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			addPages(t, sub, pages)
		}
	}
}
