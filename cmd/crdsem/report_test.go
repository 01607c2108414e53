package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// reportedDefinition has a field for each of some findings, and more.
var reportedDefinition = boxes("", [2]string{"v1", `{type: object, properties: {
        combination: {type: string, description: how it is opened},
        doors: {type: integer, maximum: 9},
        host: {type: string, pattern: '^[a-z]+\.example\.com$'}},
        x-kubernetes-validations: [{rule: self.doors > 0, message: a box has a door}]}`})

const reportedSpec = "combination: opensesame, doors: 0, host: s7.bank.com"

var reportedObject = boxOf("v1", reportedSpec)

// reported writes the definition, an object and, if it is given, the stored
// one, and returns a report.
func reported(t *testing.T, object string, args ...string) (report, warnings string) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "crd.yaml", reportedDefinition)
	write(t, "box.yaml", object)
	args = append([]string{"report", "--crd", "crd.yaml", "box.yaml"}, args...)
	code, report, warnings := execute(t, "", args...)
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, warnings)
	}
	return report, warnings
}

// blockOf matches a file of a report.
var blockOf = map[string]*regexp.Regexp{
	"definition.yaml": regexp.MustCompile("(?s)\ndefinition.yaml\n\n```yaml\n(.*?)```"),
	"object.yaml":     regexp.MustCompile("(?s)\nobject.yaml\n\n```yaml\n(.*?)```"),
}

// TestReportReproduces takes the files out of a report and runs the command
// that it names.
func TestReportReproduces(t *testing.T) {
	for _, c := range []struct {
		name, rule, finding string
		gone                []string
	}{
		{"the first finding", "VAL-042", "spec.host in body should match",
			[]string{"doors", "combination", "description", "bank.com"}},
		{"a rule of CEL", "CEL-092", "a box has a door",
			[]string{"host", "combination", "description", "maximum"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			report, _ := reported(t, reportedObject, "--rule", c.rule)
			for _, secret := range append(c.gone, "opensesame", "namespace") {
				if strings.Contains(report, secret) {
					t.Errorf("the report still has %q:\n%s", secret, report)
				}
			}
			for name, pattern := range blockOf {
				text := pattern.FindStringSubmatch(report)
				if text == nil {
					t.Fatalf("no %s in the report:\n%s", name, report)
				}
				write(t, filepath.Base(name), text[1])
			}
			args := []string{"admit", "--crd", "definition.yaml", "object.yaml",
				"--kubernetes", "1.37"}
			code, out, _ := execute(t, "", args...)
			if code != exitRefused || !strings.Contains(out, c.finding) {
				t.Errorf("exit code %d, and not %q:\n%s", code, c.finding, out)
			}
		})
	}
}

// TestReportOfAccepted replaces texts and removes nothing.
func TestReportOfAccepted(t *testing.T) {
	object := boxOf("v1", "combination: opensesame-1, doors: 2, host: bank.example.com")
	report, warnings := reported(t, object)
	for _, want := range []string{"accepted", "combination: xxxxxxxxxx-0", "name: x\n",
		"host: bank.example.com", "how it is opened"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	want := "nothing is refused: the object and the definition are whole\n" +
		"not replaced, because the answer depends on it: spec.host\n"
	if warnings != want {
		t.Errorf("got %q, want %q", warnings, want)
	}
}

func TestReportOfUpdate(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "old.yaml", reportedObject)
	stored, err := filepath.Abs("old.yaml")
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(reportedObject, "doors: 0", "doors: 12", 1)
	report, _ := reported(t, changed, "--old", stored)
	for _, want := range []string{"stored.yaml, which is stored",
		"crdsem admit --crd definition.yaml --old stored.yaml object.yaml",
		"should be less than or equal to 9", "kubectl replace -f object.yaml"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
}

func TestReportRefuses(t *testing.T) {
	for _, c := range []struct {
		name, object string
		args         []string
		want         string
	}{
		{"two objects", reportedObject + "---\n" + reportedObject, nil, "has 2 objects"},
		{"no finding of the rule", reportedObject, []string{"--rule", "CEL-001"},
			"no finding of this rule"},
		{"no minor", reportedObject, []string{"--kubernetes", "2.0"}, "2.0"},
		{"another kind", strings.Replace(reportedObject, "kind: Box", "kind: Safe", 1), nil,
			"found 0 definitions"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, "crd.yaml", reportedDefinition)
			write(t, "box.yaml", c.object)
			args := append([]string{"report", "--crd", "crd.yaml", "box.yaml"}, c.args...)
			code, _, errs := execute(t, "", args...)
			if code != exitFailed || !strings.Contains(errs, c.want) {
				t.Errorf("exit code %d, want %d and %q: %s", code, exitFailed, c.want, errs)
			}
		})
	}
}
