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
	// ID is the rule's id, e.g. "PRN-002".
	ID string
	// Why is the reason why no vector shows the rule. It is empty if one must.
	Why string
}

// ParseRules reads a list of rules, one per line. A line holds the rule's id
// and, if no vector can show the rule, the reason. Empty lines and lines that
// start with # are skipped. A rule listed twice is an error.
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

// RulesShown returns the rule of every line of a folder of vectors, eval/ or
// other/. A line that is not a JSON object is an error that names file and
// line.
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

// OK reports whether the rule has either vectors or a reason to have none.
func (c *RuleCount) OK() bool { return (c.Vectors > 0) == (c.Why == "") }

// Coverage counts the vectors of each rule, in the order of rules. Rules that
// are only in shown are not counted. The arguments are not changed.
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

// WriteCoverage writes a line for each rule, with the reason if there is one,
// and a last line with the totals. It reports whether every rule is in order.
// The error is that of w.
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
	_, err := fmt.Fprintf(w,
		"%d rules: %d with vectors, %d with a reason to have none, %d with neither or both\n",
		len(counts), covered, reasoned, wrong)
	return wrong == 0, err
}
