package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// The standard output is one document in every format for machines. Coverage
// and mutants are part of JSON and YAML, and text on the standard error else.
func TestTestDocuments(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	var documents []map[string]any
	for _, format := range []string{"json", "yaml", "sarif", "junit", "github"} {
		_, out, errs := execute(t, "", "test", "-o", format, "--cover", "--mutate",
			"examples/crdtest", "cmd/crdsem/testdata/wrong.crdtest.yaml")
		inDocument := strings.Contains(out, "noticedBy") && strings.Contains(out, "goals")
		asText := strings.Contains(errs, "mutants noticed") && strings.Contains(errs, " goals\n")
		var document map[string]any
		var err error
		switch format {
		case "json":
			err = json.Unmarshal([]byte(out), &document)
		case "yaml":
			err = yaml.Unmarshal([]byte(out), &document)
		case "sarif":
			err = json.Unmarshal([]byte(out), new(any))
		case "junit":
			if err = xml.Unmarshal([]byte(out), new(struct{})); err == nil &&
				!strings.HasSuffix(out, "</testsuites>\n") {
				t.Errorf("junit: %s", out)
			}
		case "github":
			for line := range strings.Lines(out) {
				if !strings.HasPrefix(line, "::") {
					t.Errorf("github: %s", line)
				}
			}
		}
		if err != nil || inDocument == asText || inDocument != (document != nil) {
			t.Errorf("%s: %v\n%s--- stderr\n%s", format, err, out, errs)
		}
		if document != nil {
			documents = append(documents, document)
		}
	}
	if diff := cmp.Diff(documents[0], documents[1]); diff != "" {
		t.Errorf("JSON and YAML differ: %s", diff)
	}
}

// --fail-under asks for a score of what is measured.
func TestFailUnder(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--cover --fail-under 1", exitOK, ""},
		{"--cover --fail-under 99", exitRefused, "less than --fail-under 99\n"},
		{"--mutate --fail-under 1", exitOK, ""},
		{"--mutate --fail-under 99.5", exitRefused, "mutants noticed: "},
		{"--fail-under 50", exitFailed, "--fail-under needs --cover or --mutate"},
		{"--cover --fail-under 101", exitFailed, "no percentage"},
	} {
		args := append([]string{"test", "examples/crdtest"}, strings.Fields(c.args)...)
		code, out, errs := execute(t, "", args...)
		if code != c.code || !strings.Contains(errs, c.want) || c.want == "" && errs != "" {
			t.Errorf("%s: exit code %d\n%s%s", c.args, code, out, errs)
		}
	}
}

// A served version that no case uses has a line, and fields that no case has
// are named.
func TestCoverNames(t *testing.T) {
	const version = "  - name: v2\n    served: SERVED\n    storage: false\n    schema:\n" +
		"      openAPIV3Schema: {type: object}\n"
	empty := strings.Replace(widget, "spec: {size: 1}", "spec: {}", 1)
	suite := "crds: crd.yaml\ncases:\n- name: a\n  create:\n    " +
		strings.ReplaceAll(empty, "\n", "\n    ")
	for served, want := range map[string]string{
		"true": "crd.yaml: widgets.example.com v2: no case sends an object of this served version\n", "false": "",
	} {
		writeFiles(t, map[string]string{
			"crd.yaml": widgets + strings.Replace(version, "SERVED", served, 1), "a.crdtest.yaml": suite,
		})
		_, out, errs := execute(t, "", "test", "--cover", ".")
		if !strings.Contains(out, "1 of 2; missing: spec.size\n") || !strings.Contains(out, want) ||
			strings.Contains(out, "served version") != (want != "") {
			t.Errorf("served %s:\n%s%s", served, out, errs)
		}
	}
}

// A message does not repeat its place.
func TestTestPlaces(t *testing.T) {
	for _, format := range []string{"text", "json", "yaml", "sarif", "junit", "github"} {
		_, out, _ := execute(t, "", "test", "-o", format, "testdata/wrong.crdtest.yaml")
		for line := range strings.Lines(out) {
			if strings.Count(line, "wrong.crdtest.yaml") > 1 {
				t.Errorf("%s: %s", format, line)
			}
		}
		if !strings.Contains(out, "wrong.crdtest.yaml") {
			t.Errorf("%s names no file: %s", format, out)
		}
	}
}

// A file that now states the opposite is warned of on the standard error.
func TestTestUpdateWarns(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "crd.yaml"), readFiles(t, "../../examples/crontab/crd.yaml"))
	suite, err := os.ReadFile("testdata/wrong.crdtest.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	text := strings.Replace(string(suite), "../../../examples/crontab/", "", 1)
	write(t, "wrong.crdtest.yaml", text)
	code, out, errs := execute(t, "", "test", "--update", "wrong.crdtest.yaml")
	const want = "wrong.crdtest.yaml: warning: cases[1] (no error): the request was to be " +
		"refused; the file now states that it is admitted\n" +
		"wrong.crdtest.yaml: warning: cases[2] (an error): the request was to be admitted; " +
		"the file now states that it is refused: CronTab.stable.example.com "
	if code != exitOK || out != "wrong.crdtest.yaml: updated\n" || !strings.HasPrefix(errs, want) ||
		strings.Count(errs, "warning") != 2 {
		t.Errorf("exit code %d\n%s--- stderr\n%s", code, out, errs)
	}
}

// The first suite of docs/testing.md is one of the definition that the page
// names: --update completes it, and all cases are as stated then.
func TestTestingPage(t *testing.T) {
	suite := blocks(t, "docs/testing.md", "yaml")[0]
	crd := readFiles(t, "../../examples/crontab/crd.yaml")
	t.Chdir(t.TempDir())
	write(t, "crd.yaml", crd)
	write(t, "crontab.crdtest.yaml", suite)
	if code, out, _ := execute(t, "", "test", "."); code != exitRefused ||
		!strings.Contains(out, "\n2 cases: 1 passed, 1 failed, 0 skipped\n") {
		t.Errorf("at first: exit code %d\n%s", code, out)
	}
	if code, out, errs := execute(t, "", "test", ".", "--update"); code != exitOK ||
		out != "crontab.crdtest.yaml: updated\n" || errs != "" {
		t.Errorf("--update: exit code %d\n%s%s", code, out, errs)
	}
	after := readFiles(t, "crontab.crdtest.yaml")
	if code, out, errs := execute(t, "", "test", "."); code != exitOK || errs != "" ||
		!strings.Contains(after, "replicas: 1\n") {
		t.Errorf("then: exit code %d\n%s%s\n%s", code, out, errs, after)
	}
}

// A file that cannot be read and an empty folder are failed cases; the others
// are run.
func TestTestGoesOn(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "crd.yaml"), readFiles(t, "../../examples/crontab/crd.yaml"))
	for _, folder := range []string{"a", "empty"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "a", "broken.crdtest.yaml"), "cases: [")
	write(t, filepath.Join(dir, "empty", "README"), "")
	t.Chdir(dir)
	if code, out, errs := execute(t, "", "test", "--init", "crd.yaml"); code != exitOK ||
		out != "crontabs.crdtest.yaml: written\n" {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	code, out, _ := execute(t, "", "test", "-v", "a", "empty", "crontabs.crdtest.yaml")
	for _, want := range []string{
		"ok   crontabs/the smallest object", "FAIL files/can be read", "broken.crdtest.yaml",
		"empty: the folder has no file", "2 passed, 2 failed",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	if code != exitRefused {
		t.Errorf("exit code %d", code)
	}
	if code, _, errs := execute(t, "", "test", "--init", "crd.yaml"); code == exitOK ||
		!strings.Contains(errs, "exists already") {
		t.Errorf("a suite is replaced: %d %s", code, errs)
	}
}
