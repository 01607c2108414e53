package main

import (
	"strings"
	"testing"
)

// Objects are matched as on a server, and one that cannot be compared does not
// keep the others from it.
func TestDiff(t *testing.T) {
	named := strings.Replace(widget, "{name: w}", "{name: w, namespace: default}", 1)
	other := strings.Replace(widget, "name: w", "name: other", 1)
	change := func(text, size string) string { return strings.Replace(text, "size: 1", size, 1) }
	writeFiles(t, map[string]string{
		"crd.yaml": widgets, "w.yaml": widget, "named.yaml": named,
		"two.yaml": change(widget, "size: 2"), "bad.yaml": change(widget, "size: x"),
		"unknown.yaml": change(widget, "sise: 1"), "both.yaml": widget + "---\n" + other,
		"changed.yaml": change(widget, "size: x") + "---\n" + change(other, "size: 2"),
	})
	for _, c := range []struct {
		old, updated, out, errs string
		code                    int
	}{
		{"named.yaml", "w.yaml", "", "", exitOK},
		{"w.yaml", "named.yaml", "", "", exitOK},
		{"named.yaml", "two.yaml", "two.yaml:1:1: Widget.example.com/default/w\n" +
			"  ~ .spec.size: 1 -> 2 (two.yaml:4:14)\n", "", exitRefused},
		{"bad.yaml", "w.yaml", "", "bad.yaml:4:14: .spec.size: expected number, got string\n", exitFailed},
		{"w.yaml", "bad.yaml", "", "bad.yaml:4:14: .spec.size: expected number, got string\n", exitFailed},
		{"unknown.yaml", "bad.yaml", "", "unknown.yaml:4:8: .spec.sise: field not declared in schema\n" +
			"bad.yaml:4:14: .spec.size: expected number, got string\n", exitFailed},
		{"both.yaml", "changed.yaml", "changed.yaml:6:1: Widget.example.com/default/other\n" +
			"  ~ .spec.size: 1 -> 2 (changed.yaml:9:14)\n",
			"changed.yaml:4:14: .spec.size: expected number, got string\n", exitFailed},
	} {
		code, out, errs := execute(t, "", "diff", "--crd", "crd.yaml", c.old, c.updated)
		if code != c.code || out != c.out || errs != c.errs {
			t.Errorf("%s, %s: exit code %d\n%s%s", c.old, c.updated, code, out, errs)
		}
	}
}
