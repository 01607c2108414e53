package edit

import (
	"slices"
	"testing"
)

func TestLinks(t *testing.T) {
	w := NewWorkspace(UTF16)
	w.Set("x.yaml", `# yaml-language-server: $schema=https://example.com/tab.json
apiVersion: v1
spec:
  # crdsem:ignore VAL-021 because ö
  a: 1 # crdsem:ignore LINT-bound and VAL-022 because PIPE is no rule
  b: "# crdsem is not VAL-023"
`)
	w.Set("x.json", "{\n  \"$schema\": \"./x.schema.json\"\n}\n")
	span := func(line, start, end int) Range {
		return Range{Position{line, start}, Position{line, end}}
	}
	got := append(w.Links("x.yaml"), w.Links("x.json")...)
	if want := []Link{
		{span(0, 32, 60), "https://example.com/tab.json", ""},
		{span(3, 18, 25), "", "VAL-021"},
		{span(4, 23, 33), "", "LINT-bound"}, {span(4, 38, 45), "", "VAL-022"},
		{span(1, 14, 29), "./x.schema.json", ""},
	}; !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestSelections(t *testing.T) {
	w := NewWorkspace(UTF16)
	w.Set("x.yaml", "kind: A\n---\nkind: B\nspec:\n  list:\n  - name: a\n    size: 1\n  more: 2\n")
	span := func(line, start, last, end int) Range {
		return Range{Position{line, start}, Position{last, end}}
	}
	for _, c := range []struct {
		at   Position
		want []Range
	}{
		{Position{6, 5}, []Range{span(6, 4, 6, 8), span(6, 4, 6, 11), span(4, 2, 6, 11), span(3, 0, 7, 9), span(2, 0, 7, 9)}},
		{Position{6, 11}, []Range{span(6, 4, 6, 11), span(4, 2, 6, 11), span(3, 0, 7, 9), span(2, 0, 7, 9)}},
		{Position{0, 0}, []Range{span(0, 0, 0, 4), span(0, 0, 0, 7)}},
		{Position{1, 1}, nil},
		{Position{99, 0}, nil},
	} {
		if got := w.Selections("x.yaml", c.at); !slices.Equal(got, c.want) {
			t.Errorf("%+v: got %+v\nwant %+v", c.at, got, c.want)
		}
	}
}
