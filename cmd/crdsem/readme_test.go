package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// blocks returns the code blocks of a language in a page.
func blocks(t *testing.T, page, language string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", page))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	fence := regexp.MustCompile("(?ms)^```" + language + "\n(.*?)^```$")
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
		found = append(found, m[1])
	}
	if len(found) == 0 {
		t.Fatalf("no block of %s", language)
	}
	return found
}

// Commands of the README and of the guides print what is shown. A line with
// three dots stands for the rest.
func TestReadmeOutputs(t *testing.T) {
	all := blocks(t, "README.md", "console")
	all = append(all, blocks(t, "docs/upgrade.md", "console")...)
	all = append(all, blocks(t, "docs/use.md", "console")...)
	t.Chdir(filepath.Join("..", ".."))
	for _, block := range all {
		line, want, _ := strings.Cut(block, "\n")
		args, ok := strings.CutPrefix(line, "$ crdsem ")
		if !ok {
			t.Errorf("%q is not a command of crdsem", line)
			continue
		}
		_, out, errs := execute(t, "", strings.Fields(args)...)
		start, elided := strings.CutSuffix(want, "...\n")
		if elided && !strings.HasPrefix(out, start) || !elided && out != want || errs != "" {
			t.Errorf("%s prints\n%s%s\nwant\n%s", line, out, errs, want)
		}
	}
}

// Recipes of the README run. Other programs that they start are replaced by the
// documents that those would print.
func TestReadmeRecipes(t *testing.T) {
	stream := readFiles(t, "../../examples/crontab/crd.yaml", "../../examples/crontab/objects.yaml")
	all := append(blocks(t, "README.md", "sh"), blocks(t, "docs/use.md", "sh")...)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"crds.yaml":             readFiles(t, "../../examples/crontab/crd.yaml"),
		"config/crd/crd.yaml":   readFiles(t, "../../examples/crontab/crd.yaml"),
		"config/crontab.yaml":   readFiles(t, "../../examples/crontab/objects.yaml"),
		"new/changed/cron.yaml": readFiles(t, "../../examples/crontab/objects.yaml"),
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, file, text)
	}
	t.Chdir(dir)
	ran := 0
	for line := range strings.Lines(strings.Join(all, "")) {
		line, _, _ = strings.Cut(line, " # ")
		line, _, _ = strings.Cut(line, " > ")
		before, args, found := strings.Cut(strings.TrimSpace(line), "crdsem ")
		if !found || before != "" && !strings.HasSuffix(before, "| ") {
			continue // git, go and kubectl
		}
		ran++
		code, out, errs := execute(t, stream, strings.Fields(args)...)
		if code == exitFailed || code == exitNotJudged || errs != "" || out == "" {
			t.Errorf("%s: exit code %d\n%s%s", line, code, out, errs)
		}
	}
	if ran < 8 {
		t.Errorf("%d recipes ran", ran)
	}
}

// The program of the page on the library prints what is shown. The lines of the
// README are from it.
func TestReadmeProgram(t *testing.T) {
	programs, outputs := blocks(t, "docs/library.md", "go"), blocks(t, "docs/library.md", "text")
	programs = slices.DeleteFunc(programs, func(text string) bool {
		return !strings.HasPrefix(text, "package main\n")
	})
	if len(programs) != 1 || len(outputs) != 1 {
		t.Fatalf("%d programs, %d outputs", len(programs), len(outputs))
	}
	for line := range strings.Lines(blocks(t, "README.md", "go")[0]) {
		text, isCreate := strings.CutSuffix(line, "object) // or Update, Patch, Apply, Read\n")
		if !isCreate {
			text, _, _ = strings.Cut(line, " //")
		}
		if !strings.Contains(programs[0], strings.TrimSpace(text)) {
			t.Errorf("the program lacks the line %s", line)
		}
	}
	file := filepath.Join(t.TempDir(), "main.go")
	write(t, file, programs[0])
	cmd := exec.Command("go", "run", file)
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != outputs[0] {
		t.Errorf("%v; it prints\n%s", err, out)
	}
}

// The command is installed as the README says.
func TestReadmeInstall(t *testing.T) {
	found := false
	for line := range strings.Lines(strings.Join(blocks(t, "README.md", "sh"), "")) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != "go" {
			continue
		}
		found = true
		cmd := exec.Command("go", words[1:]...)
		cmd.Dir = filepath.Join("..", "..")
		cmd.Env = append(os.Environ(), "GOBIN="+t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
	if !found {
		t.Error("no line installs the command")
	}
}

// The configurations of the guide name inputs and hooks that there are.
func TestReadmeConfigurations(t *testing.T) {
	all := blocks(t, "docs/use.md", "yaml")
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct{ With map[string]string }
		}
	}
	var hooks struct {
		Repos []struct{ Hooks []struct{ ID string } }
	}
	if len(all) != 2 || yaml.Unmarshal([]byte(all[0]), &workflow) != nil ||
		yaml.Unmarshal([]byte(all[1]), &hooks) != nil {
		t.Fatalf("blocks %q", all)
	}
	var action struct{ Inputs map[string]any }
	var known []struct{ ID string }
	for file, to := range map[string]any{
		"action.yml": &action, ".pre-commit-hooks.yaml": &known,
	} {
		if err := yaml.Unmarshal([]byte(readFiles(t, "../../"+file)), to); err != nil {
			t.Fatal(err)
		}
	}
	for name := range workflow.Jobs["validate"].Steps[1].With {
		if action.Inputs[name] == nil {
			t.Errorf("the action has no input %q", name)
		}
	}
	if hooks.Repos[0].Hooks[0].ID != known[0].ID {
		t.Errorf("the hook is %q", known[0].ID)
	}
}

// readFiles returns some files as the documents of one stream.
func readFiles(t *testing.T, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("---\n")
		b.Write(text)
	}
	return b.String()
}
