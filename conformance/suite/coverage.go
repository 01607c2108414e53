package suite

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Rule is a rule of the specification.
type Rule struct {
	// ID is the rule's id, such as PRN-002.
	ID string
	// Why says why no vector shows the rule. Empty where one has to.
	Why string
}

// ParseRules reads a list of rules: a line for each, its id first, and behind it,
// where no vector can show the rule, the reason. Empty lines and lines that start
// with # do not count. A rule listed twice is an error.
func ParseRules(doc []byte) ([]Rule, error) {
	var rules []Rule
	listed := map[string]bool{}
	for line := range strings.Lines(string(doc)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		id, why, _ := strings.Cut(line, " ")
		if listed[id] {
			return nil, fmt.Errorf("rule %s is listed twice", id)
		}
		listed[id] = true
		rules = append(rules, Rule{ID: id, Why: strings.TrimSpace(why)})
	}
	return rules, nil
}

// RulesShown returns the rule of every line of a folder of vectors, of eval/ or of
// other/. A line that is no JSON object is an error that names file and line.
func RulesShown(folder fs.FS) ([]string, error) {
	return loadLines(folder, func(_ string, line []byte) (string, error) {
		var head struct{ Rule string }
		err := json.Unmarshal(line, &head)
		return head.Rule, err
	})
}

// RuleCount is a rule with the number of vectors that show it.
type RuleCount struct {
	Rule
	Vectors int
}

// OK tells whether the rule has either vectors or a reason to have none.
func (c *RuleCount) OK() bool { return (c.Vectors > 0) == (c.Why == "") }

// Coverage counts how often each rule is shown, in the order of rules. What is shown
// of a rule that is not among them does not count. The arguments are not changed.
func Coverage(rules []Rule, shown []string) []RuleCount {
	vectors := map[string]int{}
	for _, rule := range shown {
		vectors[rule]++
	}
	counts := make([]RuleCount, len(rules))
	for i, rule := range rules {
		counts[i] = RuleCount{Rule: rule, Vectors: vectors[rule.ID]}
	}
	return counts
}

// WriteCoverage writes a line for each rule, with the reason where there is one, and
// a last one with the totals. It reports whether every rule is in order. The error
// is that of w.
func WriteCoverage(w io.Writer, counts []RuleCount) (bool, error) {
	covered, reasoned, wrong := 0, 0, 0
	for i := range counts {
		c := &counts[i]
		note := c.Why
		switch {
		case !c.OK() && c.Vectors == 0:
			wrong++
			note = "NO VECTOR AND NO REASON"
		case !c.OK():
			wrong++
			note = "HAS VECTORS, YET A REASON TO HAVE NONE: " + c.Why
		case c.Vectors > 0:
			covered++
		default:
			reasoned++
		}
		line := strings.TrimRight(fmt.Sprintf("%-20s %5d  %s", c.ID, c.Vectors, note), " ")
		if _, err := fmt.Fprintln(w, line); err != nil {
			return false, err
		}
	}
	_, err := fmt.Fprintf(w, "%d rules: %d with vectors, %d with a reason to have none, %d with neither or both\n",
		len(counts), covered, reasoned, wrong)
	return wrong == 0, err
}
