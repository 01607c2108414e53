package main

import (
	"strings"
	"testing"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/conformance/spec"
	"github.com/crdsem/crdsem/kit/advice/lint"
	"github.com/crdsem/crdsem/kit/upgrade"
	"github.com/crdsem/crdsem/minors"
)

// Without arguments, explain lists the prefixes with their numbers of rules.
func TestExplainPrefixes(t *testing.T) {
	code, out, errs := execute(t, "", "explain")
	if code != exitOK || errs != "" {
		t.Fatalf("exit code %d, %s", code, errs)
	}
	rules := 0
	for _, c := range spec.Chapters() {
		rules += len(c.Rules)
		for _, r := range c.Rules {
			if !strings.Contains("\n"+out, "\n"+r.Prefix()+" ") {
				t.Fatalf("%s is not listed in\n%s", r.Prefix(), out)
			}
		}
	}
	if lines := strings.Count(out, "\n"); rules == 0 || lines == 0 || lines > rules {
		t.Errorf("%d lines for %d rules", lines, rules)
	}
}

// A rule is printed though another argument names none.
func TestExplainOneUnknown(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		code, out, errs := execute(t, "", "explain", "-o", format, "STR-047", "VRE-047")
		if code != exitFailed || !strings.Contains(out, "STR-047") ||
			!strings.Contains(errs, "VRE-047") {
			t.Errorf("%s: exit code %d, %s%s", format, code, out, errs)
		}
	}
}

// Words find rules, and a pasted error the rule that makes it.
func TestExplainWords(t *testing.T) {
	for _, c := range []struct {
		args  []string
		first string
	}{
		{[]string{"must not be empty for specified object fields"}, "STR-047"},
		{[]string{"spec.replicas: Invalid value: 15: spec.replicas in body should be less than " +
			"or equal to 10"}, "VAL-050"},
		{[]string{"unknown", "field"}, "PIPE-006"},
		{[]string{"immutable"}, "LINT-immutable"},
		{[]string{"estimated rule cost exceeds budget"}, "COST-020"},
		{[]string{"additionalProperties and properties are mutual exclusive"}, "CRD-155"},
	} {
		code, out, errs := execute(t, "", append([]string{"explain"}, c.args...)...)
		_, after, _ := strings.Cut(out, ":\n\n")
		if code != exitOK || errs != "" || !strings.Contains(after, c.first+": ") {
			t.Errorf("%q: exit code %d\n%s%s", c.args, code, out, errs)
		}
	}
	code, out, errs := execute(t, "", "explain", "zzzz", "qqq")
	if code != exitFailed || out != "" || !strings.Contains(errs, "crdsem describe") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// A rule whose wording changed holds in older minors, too.
func TestExplainWording(t *testing.T) {
	for id, want := range map[string]string{
		"CEL-092": "\nWording since: Kubernetes 1.35\n", "RAT-040": "\nSince: Kubernetes 1.33\n",
	} {
		if _, out, _ := execute(t, "", "explain", id); !strings.Contains(out, want) {
			t.Errorf("%s: %s", id, out)
		}
	}
}

// Every rule can be printed, and no tag of HTML is left.
func TestExplainEveryRule(t *testing.T) {
	for _, c := range spec.Chapters() {
		for _, r := range c.Rules {
			code, out, errs := execute(t, "", "explain", r.ID)
			if code != exitOK || errs != "" || !strings.Contains(out, r.Title) {
				t.Errorf("%s: exit code %d, %s", r.ID, code, errs)
			}
			if strings.Contains(out, "<details>") || strings.Contains(out, "<code>") {
				t.Errorf("%s: tags in\n%s", r.ID, out)
			}
		}
	}
}

// Findings of lint and changes of definitions have ids too.
func TestExplainOtherIDs(t *testing.T) {
	for _, c := range lint.Checks() {
		code, out, errs := execute(t, "", "explain", strings.ToLower(c.ID))
		if code != exitOK || errs != "" || !strings.HasPrefix(out, c.ID+": "+c.Title+"\n") ||
			!strings.Contains(out, "docs/lint.md#"+strings.ToLower(c.ID)) {
			t.Errorf("%s: exit code %d, %s%s", c.ID, code, out, errs)
		}
	}
	for _, class := range upgrade.Classes() {
		for _, id := range []string{rules.OfClass(class), rules.OfClass(class) + "/maximum"} {
			code, out, errs := execute(t, "", "explain", id)
			if code != exitOK || errs != "" ||
				!strings.HasPrefix(out, id+": "+class.Meaning()+"\n") {
				t.Errorf("%s: exit code %d, %s%s", id, code, out, errs)
			}
		}
	}
	for _, c := range minors.Changes() {
		code, out, errs := execute(t, "", "explain", c.ID)
		if code != exitOK || errs != "" || !strings.HasPrefix(out, c.ID+": What Kubernetes ") {
			t.Errorf("%s: exit code %d, %s%s", c.ID, code, out, errs)
		}
	}
	if code, _, errs := execute(t, "", "explain", "refuses-mor"); code == exitOK || errs == "" {
		t.Errorf("an unknown class: exit code %d, %s", code, errs)
	}
}

// Paragraphs and list items are wrapped; code and tables are not.
func TestWriteMarkdown(t *testing.T) {
	var b strings.Builder
	writeMarkdown(&b, "A paragraph [about a rule](#X-001) that goes on and on\n"+
		"over more than one line of the source, and [one](https://example.org/).\n\n\n"+
		"- an item\n  of a list\n- another\n\n| a | `b` |\n| --- | --- |\n\n"+
		"<details><summary>Example <code>x-1</code></summary>\n\n"+
		"```yaml\na:\n  - 1\n```\n\n</details>\n")
	want := `A paragraph about a rule that goes on and on over more than one line of the
source, and one (https://example.org/).

- an item of a list
- another

| a | ` + "`b`" + ` |
| --- | --- |

Example x-1:

    a:
      - 1

`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
