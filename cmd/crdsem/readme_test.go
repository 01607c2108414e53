package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// blocks returns the code blocks of a language in the README.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
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

// Commands of the README print what is shown. A line with three dots stands for
// the rest.
func TestReadmeOutputs(t *testing.T) {
	all := blocks(t, "console")
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
	all := blocks(t, "sh")
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
