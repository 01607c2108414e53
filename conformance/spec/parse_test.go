package spec

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A chapter with every line that could be taken for another one.
const tricky = `<!-- before -->
# Title
# no title
Source: outside of a rule.

<a id="A-1"></a>
### A-1: One

a
### A-6: Next to it
## no rule
### A-2: Two
b

<!-- example v-1 -->

### A-3: in an example
Source: an example.
<!-- end -->
c
<!-- end -->
### A-4 no title

Source: f.g,
h. Since: 1.30.

<a id="A-5"></a>
lost
### a-6: in small letters
### A-B-7: without a full stop
Source: g
`

func TestParse(t *testing.T) {
	want := Chapter{File: "f.md", Title: "Title", Text: tricky, Rules: []Rule{
		{ID: "A-1", Title: "One", File: "f.md", Statement: "a"},
		{ID: "A-6", Title: "Next to it", File: "f.md"},
		{
			ID: "A-2", Title: "Two", File: "f.md", Vector: "v-1",
			Statement: "b\n\nc\n<!-- end -->\n### A-4 no title",
			Example:   "### A-3: in an example\nSource: an example.",
			Source:    "f.g, h", Since: "1.30",
		},
		{ID: "A-B-7", Title: "without a full stop", File: "f.md"},
	}}
	if diff := cmp.Diff(want, parse("f.md", tricky)); diff != "" {
		t.Error(diff)
	}
}

// Of two rules that differ in case only, the first one is found.
func TestFindIgnoringCase(t *testing.T) {
	if r, ok := Find("fmt-Uuid"); !ok || r.ID != "FMT-uuid" {
		t.Errorf("found %q, %v", r.ID, ok)
	}
}
