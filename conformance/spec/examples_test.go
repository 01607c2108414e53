package spec_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/suite"
	"github.com/crdsem/crdsem/internal/test/vectors"
)

var update = flag.Bool("update", false, "write the examples of the chapters again")

// shown is what an example shows: a vector or a case.
type shown struct {
	id, rule, title string
	input, want     json.RawMessage
}

// ops are the ops that show the rules of a chapter best.
var ops = map[string]string{
	"PRN": protocol.OpPrune, "DEF": protocol.OpDefault, "STR": protocol.OpStructural,
	"VAL": protocol.OpValidate, "FMT": protocol.OpValidate, "LST": protocol.OpValidate,
	"RAT": protocol.OpValidate, "CEL": protocol.OpCEL, "LIB": protocol.OpCEL,
	"COST": protocol.OpCost, "VER": protocol.OpSort,
}

// cost is what an example asks of its reader: its length, and more if the op is
// not that of the chapter or if nothing happens in it.
func (s shown) cost() int {
	var request struct {
		Op     string
		Object json.RawMessage
		Names  []string
	}
	var answer struct {
		Object json.RawMessage
		Errors []json.RawMessage
	}
	cost := len(s.input) + len(s.want)
	if json.Unmarshal(s.input, &request) != nil || json.Unmarshal(s.want, &answer) != nil {
		return cost
	}
	prefix, _, _ := strings.Cut(s.rule, "-")
	if op := ops[prefix]; op != "" && request.Op != op {
		cost += 2000
	}
	nothing := len(answer.Errors) == 0 && sameJSON(request.Object, answer.Object)
	trivial := request.Op == protocol.OpSort && len(request.Names) < 2
	if nothing && request.Op != protocol.OpCost || trivial {
		cost += 1000
	}
	return cost
}

// sameJSON reports whether two documents are equal, or if one is missing.
func sameJSON(a, b json.RawMessage) bool {
	var left, right any
	if json.Unmarshal(a, &left) != nil || json.Unmarshal(b, &right) != nil {
		return true
	}
	return reflect.DeepEqual(left, right)
}

// examples holds what the examples can show, by id and by rule.
type examples struct {
	byID   map[string]shown
	byRule map[string]shown // the best of each rule; vectors before cases
}

func loadExamples(t *testing.T) examples {
	t.Helper()
	all := examples{byID: map[string]shown{}, byRule: map[string]shown{}}
	list, err := suite.Load(os.DirFS("../vectors/eval"))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		title := "Request of the evaluation protocol"
		all.add(shown{v.ID, v.Rule, title, v.Request, v.Want})
	}
	fromVectors := len(all.byRule)
	cases, err := suite.LoadCases(os.DirFS("../vectors/other"))
	if err != nil {
		t.Fatal(err)
	}
	best := examples{byID: all.byID, byRule: map[string]shown{}}
	for _, c := range cases {
		best.add(shown{c.ID, c.Rule, "Case `" + c.Kind + "`", c.Input, c.Want})
	}
	for rule, s := range best.byRule {
		if _, ok := all.byRule[rule]; !ok {
			all.byRule[rule] = s
		}
	}
	if fromVectors == 0 || len(cases) == 0 {
		t.Fatalf("%d rules with vectors, %d cases", fromVectors, len(cases))
	}
	return all
}

func (e *examples) add(s shown) {
	e.byID[s.id] = s
	if known, ok := e.byRule[s.rule]; !ok || s.cost() < known.cost() {
		e.byRule[s.rule] = s
	}
}

// blockYAML writes a JSON document as YAML in block style; members keep their
// order and numbers their spelling.
func blockYAML(doc json.RawMessage) (string, error) {
	var node yaml.Node
	if err := yaml.Unmarshal(doc, &node); err != nil {
		return "", err
	}
	useBlockStyle(&node)
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(&node); err != nil {
		return "", err
	}
	return out.String(), nil
}

func useBlockStyle(n *yaml.Node) {
	n.Style = 0
	for _, child := range n.Content {
		useBlockStyle(child)
	}
}

// The most bytes of an example, and of a line of it, that a chapter prints.
const maxPrinted, maxLine = 8000, 600

func longestLine(text string) int {
	longest := 0
	for line := range strings.Lines(text) {
		longest = max(longest, len(line))
	}
	return longest
}

// render writes an example as it stands in a chapter.
func (s shown) render() (string, error) {
	input, err := blockYAML(s.input)
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.id, err)
	}
	want, err := blockYAML(s.want)
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.id, err)
	}
	if len(input)+len(want) > maxPrinted || longestLine(input+want) > maxLine {
		const form = "The example `%s` is too long to print; it stands in `conformance/vectors`.\n"
		return fmt.Sprintf(form, s.id), nil
	}
	const head = "<details><summary>Example <code>%s</code></summary>\n\n"
	const body = "%s:\n\n```yaml\n%s```\n\n" +
		"Answer of the real code:\n\n```yaml\n%s```\n\n</details>\n"
	return fmt.Sprintf(head+body, s.id, s.title, input, want), nil
}

var (
	marker  = regexp.MustCompile(`(?m)^<!-- example(?: (\S+))? -->\n(?s:(.*?))^<!-- end -->$`)
	heading = regexp.MustCompile(`(?m)^### ([A-Z]+-[A-Za-z0-9-]+): `)
)

// Every example is what its vector says. With -update the examples are written;
// a marker without an id gets the best vector of its rule.
func TestExamples(t *testing.T) {
	all := loadExamples(t)
	names, err := filepath.Glob("*.md")
	if err != nil || len(names) == 0 {
		t.Fatalf("no chapters: %v", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		filled := fill(t, name, string(text), all)
		switch {
		case filled == string(text):
		case *update:
			if err := os.WriteFile(name, []byte(filled), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s: examples differ from the vectors; run go test ./spec -update", name)
		}
	}
}

// fill returns a chapter with the examples that its markers name.
func fill(t *testing.T, name, text string, all examples) string {
	t.Helper()
	var out strings.Builder
	at := 0
	for _, m := range marker.FindAllStringSubmatchIndex(text, -1) {
		heads := heading.FindAllStringSubmatch(text[:m[0]], -1)
		if len(heads) == 0 {
			t.Fatalf("%s: an example belongs to no rule", name)
		}
		rule := heads[len(heads)-1][1]
		s, ok := all.byRule[rule]
		if m[2] >= 0 {
			s, ok = all.byID[text[m[2]:m[3]]]
		}
		if !ok {
			t.Errorf("%s: no vector for the example of %s", name, rule)
			continue
		}
		if s.rule != rule {
			t.Errorf("%s: the example of %s shows %s", name, rule, s.rule)
		}
		body, err := s.render()
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(text[at:m[0]])
		fmt.Fprintf(&out, "<!-- example %s -->\n%s<!-- end -->", s.id, body)
		at = m[1]
	}
	return out.String() + text[at:]
}

// Every example that is a request is answered as the chapter says.
func TestExamplesRun(t *testing.T) {
	shownIDs := map[string]bool{}
	for _, c := range chaptersOf(t) {
		for _, r := range c.Rules {
			shownIDs[r.Vector] = true
		}
	}
	ran, handle := 0, whole.New()
	for _, v := range vectors.Eval(t) {
		if !shownIDs[v.ID] {
			continue
		}
		result, err := handle(context.Background(), v.Req)
		if err != nil {
			t.Errorf("%s: %v", v.ID, err)
			continue
		}
		v.Check(t, result)
		ran++
	}
	if ran == 0 {
		t.Error("no example was run")
	}
	t.Logf("%d examples ran", ran)
}
