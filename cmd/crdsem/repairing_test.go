package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// broken is a definition with findings of which some have a certain edit, and
// with a rule over its limit.
const broken = foos + `
        type: object
        properties:
          spec: # what is wanted
            type: object
            required: [size]
            properties:
              # how many
              size:
                type: integer
                pattern: ^1 # no effect
                default: 3
              names:
                type: array
                items: {type: string}
                x-kubernetes-validations:
                - rule: self.all(a, self.exists_one(b, a == b))
`

// definitionFile writes a definition into a new folder.
func definitionFile(t *testing.T, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "crd.yaml")
	write(t, path, text)
	return path
}

func TestLintFix(t *testing.T) {
	path := definitionFile(t, broken)
	want := strings.NewReplacer(
		"            required: [size]\n", "", "                pattern: ^1 # no effect\n", "",
	).Replace(broken)
	code, patch, errs := execute(t, "", "lint", "--patch", path)
	for _, line := range []string{
		"--- a" + path, "+++ b" + path, "-            required: [size]", "-                pattern: ^1 # no effect",
	} {
		if code != exitOK || !strings.Contains(patch, line+"\n") {
			t.Errorf("exit code %d, no %q in\n%s%s", code, line, patch, errs)
		}
	}
	if contentOf(t, path) != broken {
		t.Error("--patch wrote the file")
	}
	_, _, errs = execute(t, "", "lint", "--fix", path)
	if got := contentOf(t, path); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for _, fixed := range []string{":18: LINT-", ":23: LINT-"} {
		if !strings.Contains(errs, fixed) && !strings.Contains(errs, "fixed "+path) {
			t.Errorf("no %q in %s", fixed, errs)
		}
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _, errs = execute(t, "", "lint", "--fix", path)
	after, err := os.Stat(path)
	if err != nil || !after.ModTime().Equal(before.ModTime()) || strings.Contains(errs, "fixed") {
		t.Errorf("a second run wrote the file: %v %s", err, errs)
	}
	code, _, errs = execute(t, broken, "lint", "--fix", "-")
	if code != exitFailed || !strings.Contains(errs, "standard input") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// git applies a patch from any folder of a repository: its paths begin at the
// root. Without one they begin at the working folder.
func TestPatchForGit(t *testing.T) {
	for _, c := range []struct{ line, git, folder, path, want string }{
		{"from the root", ".git/HEAD", ".", "config/crd.yaml", "a/config/crd.yaml"},
		{"from a folder below", ".git/HEAD", "docs", "../config/crd.yaml", "a/config/crd.yaml"},
		{"a whole path", ".git/HEAD", "docs", "ROOT/config/crd.yaml", "a/config/crd.yaml"},
		{"without a repository", "a.txt", "config", "./crd.yaml", "a/crd.yaml"},
		{"a whole path without a repository", "a.txt", "config", "ROOT/config/crd.yaml", "a/crd.yaml"},
	} {
		writeFiles(t, map[string]string{"docs/a.md": "", c.git: "", "config/crd.yaml": broken})
		root, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		t.Chdir(c.folder)
		path := strings.Replace(c.path, "ROOT", root, 1)
		_, patch, errs := execute(t, "", "lint", "--patch", path)
		if !strings.HasPrefix(patch, "--- "+c.want+"\n") {
			t.Errorf("%s: %s%s", c.line, patch, errs)
		}
	}
}

// cost suggests the bounds that cost --fix sets.
func TestCostSuggestsTheFix(t *testing.T) {
	path := definitionFile(t, strings.Replace(widgets, "size: {type: integer}",
		"hosts: {type: array, items: {type: object, properties: {name: {type: string}, "+
			"paths: {type: array, items: {type: string}}}}, x-kubernetes-validations: "+
			"[{rule: 'self.all(h, h.paths.all(p, self.exists(o, o.name == p)))'}]}", 1))
	_, advice, _ := execute(t, "", "cost", path)
	_, _, told := execute(t, "", "cost", "--patch", path)
	bounds := regexp.MustCompile("`\\w+: \\d+` at \\S*(properties\\[hosts\\]\\S*)")
	suggested := bounds.FindAllString(lastLine(advice, "suggestion"), -1)
	if len(suggested) < 3 {
		t.Fatalf("%d suggestions in\n%s", len(suggested), advice)
	}
	for _, bound := range suggested {
		bound = strings.Replace(bound, " at ", " at spec.versions[0].schema.", 1)
		if !strings.Contains(told, bound+"\n") {
			t.Errorf("no %q in\n%s", bound, told)
		}
	}
	if !strings.Contains(told, "no server took the definition as it was: ") {
		t.Errorf("it does not say that there are no objects:\n%s", told)
	}
}

// lastLine returns the last line that has a word.
func lastLine(text, word string) (last string) {
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			last = line
		}
	}
	return last
}

func TestCostFix(t *testing.T) {
	path := definitionFile(t, broken)
	code, patch, told := execute(t, "", "cost", "--patch", path)
	if code != exitOK || !strings.HasPrefix(patch, "--- a"+path) || contentOf(t, path) != broken {
		t.Errorf("exit code %d\n%s%s", code, patch, told)
	}
	code, out, errs := execute(t, "", "cost", "--fix", path)
	if code != exitOK || out != told {
		t.Errorf("exit code %d\n%s%swith --patch\n%s", code, out, errs, told)
	}
	for _, text := range []string{
		"set `maxItems: ", "properties[names]", "from now on it refuses:\n", "spec.names: maxItems absent -> ", "e.g. {",
	} {
		if !strings.Contains(out, text) {
			t.Errorf("no %q in\n%s", text, out)
		}
	}
	fixed := contentOf(t, path)
	added := strings.Count(fixed, "\n") - strings.Count(broken, "\n")
	if added > 1 || !strings.Contains(fixed, "pattern: ^1 # no effect") {
		t.Errorf("%d lines more\n%s", added, fixed)
	}
	if code, out, errs := execute(t, "", "cost", path); code != exitOK {
		t.Errorf("the rule is over its limit still: %s%s", out, errs)
	}
	code, out, _ = execute(t, "", "cost", "--fix", path)
	if code != exitOK || !strings.Contains(out, "nothing to fix") {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// A rule that no bound makes cheaper stays, and the exit code says so.
func TestCostFixGivesUp(t *testing.T) {
	const rule = "self.all(a, self.exists_one(b, a == b))"
	path := definitionFile(t, strings.Replace(broken, rule, "self.all(", 1))
	code, out, errs := execute(t, "", "cost", "--fix", path)
	if code != exitRefused || !strings.Contains(out, "no bounds bring") {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
}

func contentOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
