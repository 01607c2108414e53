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

// The pages in docs/cli are those of the commands as they are.
// CRDSEM_GOLDEN=write rewrites them.
func TestPages(t *testing.T) {
	pages := map[string]string{}
	eachCommand(documented(), func(cmd *cobra.Command) {
		var page bytes.Buffer
		if err := doc.GenMarkdown(cmd, &page); err != nil {
			t.Fatal(err)
		}
		pages[strings.ReplaceAll(cmd.CommandPath(), " ", "_")+".md"] = page.String()
	})
	folder := filepath.Join("..", "..", "docs", "cli")
	files, err := filepath.Glob(filepath.Join(folder, "crdsem*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if pages[filepath.Base(file)] == "" {
			t.Errorf("%s is the page of no command", file)
		}
	}
	for name, page := range pages {
		file := filepath.Join(folder, name)
		if os.Getenv("CRDSEM_GOLDEN") == "write" {
			write(t, file, page)
			continue
		}
		text, err := os.ReadFile(file)
		if diff := cmp.Diff(page, string(text)); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", file, err, diff)
		}
	}
}

// Each command has a manual page. A release packs them: CRDSEM_MAN names the
// folder that they are written into.
func TestManualPages(t *testing.T) {
	folder := os.Getenv("CRDSEM_MAN")
	if folder == "" {
		folder = t.TempDir()
	}
	eachCommand(documented(), func(cmd *cobra.Command) {
		var page bytes.Buffer
		never := time.Time{}
		header := &doc.GenManHeader{Section: "1", Source: "crdsem", Date: &never}
		if err := doc.GenMan(cmd, header, &page); err != nil {
			t.Fatal(err)
		}
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		text := strings.Replace(page.String(), `"Jan 0001"`, `""`, 1)
		if !strings.Contains(text, cmd.Short) {
			t.Errorf("%s does not say: %s", name, cmd.Short)
		}
		write(t, filepath.Join(folder, name), text)
	})
}

// documented returns the command with everything that its pages show.
func documented() *cobra.Command {
	root := newCommand()
	root.DisableAutoGenTag = true
	root.InitDefaultCompletionCmd()
	root.InitDefaultVersionFlag()
	return root
}

// eachCommand visits a command and its subcommands.
func eachCommand(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			eachCommand(sub, visit)
		}
	}
}
