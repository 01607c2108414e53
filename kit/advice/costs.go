package advice

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/kit/skew"
)

// maxMissing is the number of missing maxima that a hint lists.
const maxMissing = 4

// expensive names what has no maximum at the rule's node, below it, and on the
// way to it: the costs of a rule grow with these.
func expensive(f *finding) string {
	text, isText := f.lastValue().(string)
	if isText && f.trail[len(f.trail)-1].key == "messageExpression" {
		if formatted := celsyntax.Formatted(text); formatted != "" {
			return "`string()` counts as a string of any length: write " + code(formatted)
		}
	}
	if cure := f.rewritten(); cure != "" {
		return cure
	}
	var missing []string
	for i, s := range f.trail {
		node, _ := s.value.(map[string]any)
		if keyword := f.unbounded(node); keyword != "" && i+1 < len(f.trail) &&
			(f.trail[i+1].key == "items" || f.trail[i+1].key == "additionalProperties") {
			missing = append(missing, fmt.Sprintf("%s at %s", code(keyword), code(s.key)))
		}
	}
	node := f.node()
	if rest, ok := f.lastValue().(map[string]any); ok && node == nil {
		node = rest
	}
	for n := range f.nodesBelow("", node) {
		keyword := f.unbounded(n.node)
		if keyword == "" || !f.isRead(node, n.path) {
			continue
		}
		missing = append(missing, fmt.Sprintf("%s at %s", code(keyword),
			code(cmp.Or(n.path, "self"))))
		if len(missing) > maxMissing {
			break
		}
	}
	if len(missing) == 0 {
		return "simplify the rule, or lower the maxima of the lists, maps and strings that it " +
			"reads; if only a newer Kubernetes refuses it, `crdsem lint` shows how to write it"
	}
	more := ""
	if len(missing) > maxMissing {
		missing, more = missing[:maxMissing], " and others"
	}
	return "give the values that rules read a maximum: " + strings.Join(missing, ", ") + more +
		"; `crdsem cost` says which maximum would do"
}

// maxCures bounds the rules of a definition that are written otherwise: all
// minors are asked about the whole definition for each of them.
const maxCures = 8

// rewritten says how to write a rule that only a newer minor refuses, "" if
// nothing but bounds makes it fit.
func (f *finding) rewritten() string {
	node, rest, found := strings.Cut(f.err.Field, ".x-kubernetes-validations[")
	text, isRule := f.lastValue().(string)
	index, err := strconv.Atoi(strings.TrimSuffix(rest, "].rule"))
	if !found || !isRule || err != nil || skew.Rewritten(text) == "" ||
		f.effort.cures == maxCures {
		return ""
	}
	f.effort.cures++
	cure, _ := skew.CureOf(f.ctx, f.definition.Document, schemapath.V1(node),
		&check.RuleCost{Index: index, Rule: text}) // nil with an error
	if cure == nil {
		return ""
	}
	return cure.String() + ", which judges objects as before, and all minors accept"
}

// isRead reports whether the cost of rules may grow with the node at a path
// below another one: a rule above it names the fields on the way, or it lies on
// the way to a node with a rule.
func (f *finding) isRead(node map[string]any, path string) bool {
	rule, _ := f.lastValue().(string)
	if rule != "" {
		return mentions(rule, path)
	}
	hasRules := false
	for n := range f.nodesBelow("", node) {
		rules, _ := n.node["x-kubernetes-validations"].([]any)
		if len(rules) == 0 {
			continue
		}
		hasRules = true
		below, isBelow := strings.CutPrefix(path, n.path)
		onTheWay := strings.HasPrefix(n.path, path) && n.path != path
		for _, r := range rules {
			rule, _ := r.(map[string]any)
			text, _ := rule["rule"].(string)
			if onTheWay || isBelow && (n.path == "" || below == "" || below[0] == '.' ||
				below[0] == '[') && mentions(text, below) {
				return true
			}
		}
	}
	return !hasRules
}

// mentions reports whether a rule may read what is at a path below self: it
// names each field on the way, or reads self as a whole.
func mentions(rule, path string) bool {
	if bare.MatchString(rule) {
		return true
	}
	for _, name := range names.FindAllStringSubmatch(path, -1) {
		if !strings.Contains(rule, celsyntax.Name(name[1])) {
			return false
		}
	}
	return true
}

// unbounded returns the keyword of the maximum that a node lacks.
func (f *finding) unbounded(node map[string]any) string {
	lacks := func(keyword string) bool { return node[keyword] == nil }
	switch {
	case node["type"] == "array" && lacks("maxItems"):
		return "maxItems"
	case node["type"] == "object" && !lacks("additionalProperties") && lacks("maxProperties"):
		return "maxProperties"
	case node["type"] == "string" && lacks("maxLength") && lacks("enum") && lacks("format"):
		return "maxLength"
	}
	return ""
}
