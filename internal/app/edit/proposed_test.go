package edit

import (
	"strings"
	"testing"
)

// A rule that the next minor refuses is written otherwise, in whatever form it
// stands, and the hover says so.
func TestProposedEdits(t *testing.T) {
	const rule = `self.image.split('/')[0].matches('^[a-z]+$')`
	const cured = `'(self.image + "/").substring(0, (self.image + "/").indexOf("/")).matches("^[a-z]+$")'`
	for _, c := range []struct{ name, written, want string }{
		{"plain", "            - rule: " + rule + "\n", "            - rule: " + cured + "\n"},
		{"in quotes", "            - rule: \"" + rule + "\"\n              message: wrong\n",
			"            - rule: " + cured + "\n              message: wrong\n"},
		{"in single quotes", "            - rule: '" + strings.ReplaceAll(rule, "'", "''") + "' # why\n",
			"            - rule: " + cured + " # why\n"},
		{"a block", "            - rule: |-\n                " + rule + "\n              message: wrong\n",
			"            - rule: " + cured + "\n              message: wrong\n"},
		{"a folded block", "            - message: wrong\n              rule: >-\n                self.image.split('/')[0]\n                .matches('^[a-z]+$')\n\n",
			"            - message: wrong\n              rule: " + cured + "\n\n"},
		{"flow style", "            - {rule: \"" + rule + "\", message: wrong}\n",
			"            - {rule: " + cured + ", message: wrong}\n"},
	} {
		before := strings.Replace(tab, "            required: [image]\n",
			"            required: [image]\n            x-kubernetes-validations:\n"+c.written, 1)
		after := strings.Replace(before, c.written, c.want, 1)
		w := NewWorkspace(UTF32)
		w.Set("x.yaml", before)
		actions, err := w.Actions(t.Context(), "x.yaml", 0, 999)
		if err != nil {
			t.Fatal(err)
		}
		offered := 0
		for _, a := range actions {
			if a.Fixes == nil || a.Fixes.Rule != "LINT-next" || !a.Preferred {
				continue
			}
			offered++
			if got := applied(before, a.Edits); got != after {
				t.Errorf("%s: %q makes\n%s", c.name, a.Title, got)
			}
		}
		if offered != 1 {
			t.Errorf("%s: offered %d times in %+v", c.name, offered, actions)
		}
		head, _, _ := strings.Cut(before, "self.image")
		column := len(head[strings.LastIndexByte(head, '\n')+1:]) + 1
		at := Position{strings.Count(head, "\n"), column}
		hover := w.Hover(t.Context(), "x.yaml", at)
		if !strings.Contains(hover, "1.38") || !strings.Contains(hover, "write the rule as") {
			t.Errorf("%s: hover %q", c.name, hover)
		}
	}
}
