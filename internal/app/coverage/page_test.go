package coverage

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
)

// A line of a page has the colour, the titles and the operands of its items.
func TestPageFile(t *testing.T) {
	item := func(line int, class Class, text string, seen ...int) *Item {
		i := &Item{Class: class, Path: "openAPIV3Schema.properties[a]", Keyword: "k[0]",
			Text: text, Line: line}
		for at, count := range seen {
			i.Goals = append(i.Goals, Goal{string(rune('x' + at)), count})
		}
		return i
	}
	report := Report{Versions: []*Version{
		{File: "f", Items: []*Item{
			item(1, Fields, "", 2), item(2, Constraints, "3", 0, 1), item(2, EnumValues, "4", 1),
			item(4, ValidationRules, "r", 0, 0), item(4, Operands, "o", 1, 0),
			item(4, Operands, "p", 0), item(5, Defaults, "d", 0, 0),
		}},
		{File: "g", Items: []*Item{item(1, Fields, "", 0)}},
		{File: "f", Items: []*Item{item(1, Fields, "", 1)}},
	}}
	want := pageFile{Name: "f", Score: "41.7% of 12 goals", Lines: []pageLine{
		{Number: 1, Text: "one", Class: "full", Title: "a: x 2\na: x 1"},
		{Number: 2, Text: " two", Class: "part", Title: "a: k 3: x 0, y 1\na: k 4: x 1"},
		{Number: 3},
		{Number: 4, Text: "four", Class: "part", Title: "a: rule r: x 0, y 0", Notes: []pageNote{
			{"o", "part", "x 1, y 0"}, {"p", "no", "x 0"}}},
		{Number: 5, Text: "five", Class: "no", Title: "a: k d: x 0, y 0"},
	}}
	got := report.pageFile("f", []byte("one\r\n two\n\nfour\nfive"))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"f", "g"}, report.files()); diff != "" {
		t.Error(diff)
	}
}

// Rules of nodes that the schema does not have outside of junctors are left
// out.
func TestRulesElsewhere(t *testing.T) {
	s := &schemaCoverage{}
	seen := ruleoptions.Observation{Path: "elsewhere"}
	s.addOperands(seen)
	s.countRules([]ruleoptions.Observation{seen})
	if len(s.Items) != 0 {
		t.Errorf("%v", s.Items)
	}
}
