package edit

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/costs"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/test/testschema"
)

var ruledTab = testschema.Definition("Ruled", `
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - rule: "self.min-b == 0 || self.s.startsWith('a')"
              messageExpression: "self.s + 'x'"
            - rule: has(self.l) && self.l.all(x, x.num > size(self.s))
              message: The second.
            properties:
              min-b: {type: integer}
              s: {type: string, maxLength: 5, description: Some text., default: aa}
              l:
                type: array
                maxItems: 10
                items:
                  type: object
                  required: [num]
                  x-kubernetes-validations:
                  - rule: self.num > 0
                  properties:
                    num: {type: integer}
              words: {type: array, items: {type: string, maxLength: 3}}
              t41: {type: string, default: AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA}
              obj: {type: object, properties: {a: {type: string, default: x}}}
              emb: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
`)

// at returns a workspace whose file x.yaml has a text, and the place of the
// cursor in it.
func at(text string) (*Workspace, Position) {
	before, after, _ := strings.Cut(text, "‸")
	w := NewWorkspace(UTF8)
	w.Set("crd.yaml", strings.Replace(ruledTab, "self.min-b", "self.min__dash__b", 1))
	w.Set("x.yaml", before+after)
	return w, cursor(before)
}

// cursor returns the position behind a text.
func cursor(before string) Position {
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return Position{strings.Count(before, "\n"), len(line)}
}

const ruledHead = "apiVersion: example.com/v1\nkind: Ruled\nmetadata: {name: a}\n"

var costText = regexp.MustCompile(`cost [\d,]+ of 10,000,000(\. .* may cost\.)?`)

// Hover describes fields, items, and the rules that name them; in a definition,
// keywords, fields, and the parts of rules.
func TestHovers(t *testing.T) {
	const first = "\n\n```cel\nself.min__dash__b == 0 || self.s.startsWith('a')\n```\n(COST)"
	const second = "\n\n```cel\nhas(self.l) && self.l.all(x, x.num > size(self.s))\n```\n" +
		"The second.\n(COST)"
	const inner = "\n\n```cel\nself.num > 0\n```\n(COST)"
	crd := strings.Replace(ruledTab, "self.min-b", "self.min__dash__b", 1)
	in := func(from, to string) string { return strings.Replace(crd, from, to, 1) }
	const rule = "self.min__dash__b == 0 || self.s.startsWith('a')"
	for text, want := range map[string]string{
		ruledHead + "spec:\n  s‸: a\n":                                "**s**: string\n\nSome text.\n- default: `\"aa\"`\n- greatest length: `5`" + first + second,
		ruledHead + "spec:\n  min‸-b: 1\n":                            "**min-b**: integer" + first,
		ruledHead + "spec:\n  l‸: []\n":                               "**l**: list of object\n- most items: `10`\n- unknown fields: removed" + second,
		ruledHead + "spec:\n  l:\n  - num‸: 1\n":                      "**num**: integer, required" + inner + second,
		ruledHead + "spec:\n  words:\n  - a‸\n":                       "**item**: string\n- greatest length: `3`",
		ruledHead + "spec:\n  s: a\n  ‸\n":                            "**spec**: object\n- unknown fields: removed" + first + second,
		ruledHead + "‸\n":                                             "",
		ruledHead + "spec:\n  none‸: 1\n":                             "",
		strings.Replace(ruledHead, "name", "na‸me", 1):                "",
		strings.Replace(ruledHead, "Ruled", "Other\nspec: ‸", 1):      "",
		in("    served", "    serv‸ed"):                               "**served**: boolean\n\nWhether the version can be asked for.",
		in("min-b: {", "min‸-b: {"):                                   "**min-b**: int in CEL, written `min__dash__b`",
		in("words: {", "wor‸ds: {"):                                   "**words**: list(string) in CEL",
		in("{name: v1", "{na‸me: v1"):                                 "",
		in(rule, "self.min__dash‸__b == 0 || self.s.startsWith('a')"): "**min__dash__b**: int\n\nCOST",
		in(rule, "‸self.min__dash__b == 0 || self.s.startsWith('a')"): "**self**: object\n\nCOST",
		in(rule, "self.min__dash__b == 0 || self.s‸.startsWith('a')"): "**s**: string\n\nSome text.\n\nCOST",
		in(rule, "self.min__dash__b == 0 || self.s.starts‸With('a')"): "`<string>.startsWith(string) -> bool`\n\n" +
			"whether a string starts so; cost ⌈0.1m⌉\n\nCOST",
		in(rule, "self.min__dash__b == 0 || self.s.startsWith('a‸')"): "COST",
		in("self.s + 'x'", "self.s‸ + 'x'"):                           "**s**: string\n\nSome text.",
		in("x.num > size", "x.num‸ > size"):                           "**num**: int\n\nCOST",
		in("x.num > size", "x‸.num > size"):                           "**x**: object\n\nCOST",
		in("x.num > size", "x.num > si‸ze"):                           "`size(dyn) -> int`\n\nthe number of characters, elements or keys\n\nCOST",
		in(rule, "self.s.no‸ne() > 0"):                                "does not compile.",
		in(rule, "self.s.si‸ze() > 0"):                                "`<string>.size() -> int`\n\nthe number of characters\n\nCOST",
		in(rule, "has(self.words) && self.words.si‸ze() > 0"):         "`<list(A)>.size() -> int`\n\nthe number of elements\n\nCOST",
		in("self.l.all", "self.l.al‸l"):                               "`<list(A)>.all(x, test) -> bool`\n\nwhether a test is true of all elements or keys\n\nCOST",
	} {
		w, place := at(text)
		got := w.Hover(t.Context(), "x.yaml", place)
		got = costText.ReplaceAllString(got, "COST") // another test has the numbers
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text[max(0, len(text)-99):], diff)
		}
	}
	w, _ := at("a: 1")
	for _, line := range []int{-1, 1} {
		if got := w.Hover(t.Context(), "x.yaml", Position{Line: line}); got != "" {
			t.Errorf("line %d: %s", line, got)
		}
	}
}

// What a rule refuses is said with six of its terms at most.
func TestRefusals(t *testing.T) {
	r := &verdict.Result{Kind: "A", Name: "a", File: "f", Line: 3}
	x := &verdict.Explanation{}
	want := "- A a (f:3)"
	for i := range 7 {
		if got := refusalText(r, x); got != want {
			t.Errorf("%d terms: %s, want %s", i, got, want)
		}
		x.Terms = append(x.Terms, verdict.Term{Text: fmt.Sprint("t", i), Value: fmt.Sprint("v", i)})
		if i < 6 {
			want += fmt.Sprintf(", `t%d` is `v%d`", i, i)
		}
	}
	if got := refusalText(r, x); got != want {
		t.Errorf("7 terms: %s, want %s", got, want)
	}
}

// The cost of a rule is compared with the limits of a rule and of a version.
func TestCostTexts(t *testing.T) {
	one, two := uint64(1), uint64(2)
	for _, c := range []struct {
		rule        costs.Rule
		short, long string
	}{
		{costs.Rule{Total: 1e7, Cardinality: &one, ShareOfSchemaLimit: 1}, "cost 10,000,000 of 10,000,000",
			"It is 100.00 % of what all rules of the version may cost."},
		{costs.Rule{Total: 1e7 + 1, MaxCost: 5, ShareOfSchemaLimit: 1.01}, "cost 10,000,001: 1 times the limit",
			"Once 5, for any number of values. It is more than all rules of the version may cost."},
		{costs.Rule{Total: 3e7, MaxCost: 5, Cardinality: &two, ShareOfSchemaLimit: 0.0001}, "cost 30,000,000: 3 times the limit",
			"Once 5, for at most 2 values. It is 0.01 % of what all rules of the version may cost."},
		{costs.Rule{Cardinality: &one, ShareOfSchemaLimit: 0.00009, Suggestion: []costs.Edit{
			{Path: "p", Keyword: "maxItems", Value: 7}, {Path: "q", Keyword: "maxLength", Value: 8}}},
			"cost 0 of 10,000,000", "It is less than 0.01 % of what all rules of the version may cost.\n" +
				"Set `maxItems: 7` at p.\nSet `maxLength: 8` at q."},
		{costs.Rule{Errors: make([]protocol.FieldError, 1)}, "does not compile", ""},
	} {
		r := &ruleCost{Rule: c.rule}
		if got := r.short(); got != c.short {
			t.Errorf("%s, want %s", got, c.short)
		}
		if got := r.long(); got != c.long {
			t.Errorf("%s, want %s", got, c.long)
		}
	}
}

// An inlay says what is done to a value; it is at the end of the line of the
// value, or of the object that gets it.
func TestChanges(t *testing.T) {
	w, _ := at(ruledHead + "spec:\n  l: [{num: 9}]\n  min-b: 0\n  words: null\n" +
		"  q: 1 \n  obj: {}\n" +
		"  emb:\n    apiVersion: v1\n    kind: A\n    metadata: {name: b, labels: null}\n")
	w.Configure(Settings{Objects: crdsem.Warn})
	found, err := w.Inlays(t.Context(), "x.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range found {
		got = append(got, fmt.Sprintf("%d:%d %s", i.Position.Line, i.Position.Column, i.Text))
	}
	want := []string{"3:5 + s: aa", "3:5 + t41", "6:13 null, removed", "7:6 removed", "8:9 + a: x",
		"12:37 written in its normal form"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, err := w.Inlays(t.Context(), "none.yaml"); got != nil || err != nil {
		t.Errorf("no file: %v, %v", got, err)
	}
}

// Why no object is stored.
func TestNotStored(t *testing.T) {
	w, _ := at(ruledHead + "spec: {l: [{num: 9}], min-b: 0}\n---\n" +
		ruledHead + "spec: {s: 1}\n---\n" +
		"apiVersion: v1\nkind: Other\nmetadata: {name: o}\n---\na: [\n")
	for line, want := range map[int]string{
		-1: "x.yaml: no object at line 0", 0: "", 3: "", 4: "",
		5:  "Ruled a is not stored: spec.s: Invalid value: \"integer\": spec.s in body must be of type string: \"integer\"",
		10: "Other o is not stored: its kind has no definition", 14: "Other o is not stored: its kind has no definition",
	} {
		text, err := w.Stored(t.Context(), "x.yaml", line)
		if got := fmt.Sprint(err); want == "" && err != nil || want != "" && got != want {
			t.Errorf("line %d: %s, want %q", line, got, want)
		}
		if (text == "") != (want != "") {
			t.Errorf("line %d: %s", line, text)
		}
	}
	_, err := w.Stored(t.Context(), "none.yaml", 0)
	if err == nil || err.Error() != "none.yaml is not open" {
		t.Errorf("no file: %v", err)
	}
}

// After the end of a context there are no answers, and later ones are whole.
func TestCanceled(t *testing.T) {
	w, _ := at(ruledHead + "spec: {s: 1}\n")
	cause := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if found, err := w.Diagnose(ctx, "x.yaml"); err != cause || found != nil {
		t.Errorf("diagnoses: %v, %v", found, err)
	}
	if found, err := w.Actions(ctx, "x.yaml", 0, 9); err == nil || found != nil {
		t.Errorf("actions: %v, %v", found, err)
	}
	if _, err := w.Inlays(ctx, "crd.yaml"); err == nil {
		t.Error("inlays")
	}
	if text, err := w.Stored(ctx, "x.yaml", 0); text != "" || err != cause {
		t.Errorf("stored: %s, %v", text, err)
	}
	if _, err := w.Diagnose(ctx, "none.yaml"); err == nil {
		t.Error("no file")
	}
	if found, err := w.Diagnose(t.Context(), "x.yaml"); err != nil || len(found) != 1 {
		t.Errorf("diagnoses after it: %v, %v", found, err)
	}
	if found, err := w.Inlays(t.Context(), "crd.yaml"); err != nil || len(found) != 3 {
		t.Errorf("inlays after it: %v, %v", found, err)
	}
}
