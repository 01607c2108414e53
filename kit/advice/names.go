package advice

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/kit/celsyntax"
)

var (
	// selfText matches the start of a path in a rule.
	selfText = regexp.MustCompile(`\b(self|oldSelf)\b`)
	// quotedIndex matches the index of a path by a string, e.g. ['a-b'].
	quotedIndex = regexp.MustCompile(`^\[['"]([^'"\]]+)['"]\]`)
	// reachable matches the names of properties that rules can read (CEL-030).
	reachable = regexp.MustCompile(`^[A-Za-z_./-][A-Za-z0-9_./-]*$`)
)

// misnamed says how a rule reads a field whose name it writes as the schema
// does, where CEL has another name for it, e.g. self.foo-bar. It is empty if
// the rule has no such name.
func (f *finding) misnamed() string {
	rule, _ := f.lastValue().(string)
	if !f.spend(1 + len(rule)) {
		return ""
	}
	for _, at := range selfText.FindAllStringIndex(rule, -1) {
		if hint := f.along(rule[at[0]:at[1]], rule[at[1]:], f.node()); hint != "" {
			return hint
		}
	}
	for n := range f.nodesBelow("", f.node()) { // paths that begin with a variable
		properties, _ := n.node["properties"].(map[string]any)
		for _, field := range slices.Sorted(maps.Keys(properties)) {
			if strings.ContainsAny(field, "-/") && strings.Contains(rule, "."+field) {
				return otherName(field, "")
			}
		}
	}
	return ""
}

// along follows a path of a rule through a node, up to the first field that CEL
// names otherwise. way is what was followed, and text what comes next.
func (f *finding) along(way, text string, node map[string]any) string {
	for node != nil && f.spend(1) {
		properties, _ := node["properties"].(map[string]any)
		if m := quotedIndex.FindStringSubmatch(text); m != nil && properties[m[1]] != nil {
			if !reachable.MatchString(m[1]) {
				return otherName(m[1], way)
			}
			return "an object with named fields has no index: write " +
				code(way+"."+celsyntax.Name(m[1]))
		}
		if strings.HasPrefix(text, "[") {
			index, rest, _ := strings.Cut(text, "]")
			way, text = way+index+"]", rest
			node = itemOf(node)
			continue
		}
		field, rest := fieldAt(text, properties)
		switch written := celsyntax.Name(field); {
		case field == "":
			return ""
		case written != field && !slices.Contains(reservedFields, field),
			!reachable.MatchString(field):
			return otherName(field, way)
		default:
			way, text = way+"."+written, rest
		}
		node, _ = properties[field].(map[string]any)
	}
	return ""
}

// itemOf returns the node of the items of a list or of the values of a map.
func itemOf(node map[string]any) map[string]any {
	for _, keyword := range []string{"items", "additionalProperties"} {
		if item, ok := node[keyword].(map[string]any); ok {
			return item
		}
	}
	return nil
}

// fieldAt returns the property with the longest name that a text has after a
// dot, and the rest of the text.
func fieldAt(text string, properties map[string]any) (field, rest string) {
	for name := range properties {
		after, ok := strings.CutPrefix(text, "."+name)
		isWhole := after == "" || !strings.ContainsRune(nameCharacters, rune(after[0]))
		if ok && isWhole && len(name) > len(field) {
			field, rest = name, after
		}
	}
	return field, rest
}

const nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// otherName says how CEL writes a field below a way, which is empty if it is
// not known.
func otherName(field, way string) string {
	written := celsyntax.Name(field)
	if way != "" {
		written = way + "." + written
	}
	switch {
	case !reachable.MatchString(field):
		return fmt.Sprintf("a rule cannot read the field %s, because of its name: put a rule at "+
			"the field itself, or use its keywords", code(field))
	case slices.Contains([]string{"in", "true", "false", "null"}, field):
		return fmt.Sprintf("%s is a word of CEL: write %s", code(field), code(written))
	}
	return fmt.Sprintf("the name of the field %s is no name in CEL: write %s", code(field),
		code(written))
}

// fieldsOf lists the fields of a node as a rule writes them. The root of a
// definition has those of every object.
func (f *finding) fieldsOf(properties map[string]any) []string {
	names := slices.Collect(maps.Keys(properties))
	if strings.Contains(f.err.Field, "openAPIV3Schema.x-kubernetes-validations") {
		names = append(names, "apiVersion", "kind", "metadata")
	}
	slices.Sort(names)
	fields := []string{}
	for _, field := range slices.Compact(names) {
		switch {
		case slices.Contains(reservedFields, field):
			fields = append(fields, field)
		case reachable.MatchString(field):
			fields = append(fields, celsyntax.Name(field))
		}
	}
	return fields
}

// elsewhere says what self is, where a rule begins at another place, e.g.
// self.spec.replicas in a rule at spec.
func (f *finding) elsewhere(name string) string {
	rule, _ := f.lastValue().(string)
	own := ""
	for i, s := range f.trail {
		if i > 0 && f.trail[i-1].key == "properties" {
			own = s.key
		}
	}
	properties, _ := f.node()["properties"].(map[string]any)
	switch {
	case own == "" || properties[name] != nil:
		return ""
	case name == "metadata":
		return fmt.Sprintf("`self` is the value of %s here: only rules at the root of the schema "+
			"see `self.metadata.name`", code(own))
	case name != own:
		return ""
	}
	_, after, _ := strings.Cut(rule, "self."+name)
	if field, _ := fieldAt(after, properties); field != "" {
		return fmt.Sprintf("`self` is the value of %s here: write %s", code(own),
			code("self."+celsyntax.Name(field)))
	}
	return ""
}

// ofPolicies are variables of admission policies, which are in CEL too.
var ofPolicies = map[string]string{
	"object": "`self`", "oldObject": "`oldSelf`", "request": "", "params": "",
	"namespaceObject": "", "authorizer": "", "variables": "",
}

// ofPolicy says what a rule has in place of a variable of admission policies.
func ofPolicy(name string) string {
	instead, isKnown := ofPolicies[name]
	switch {
	case !isKnown:
		return ""
	case instead == "":
		return fmt.Sprintf("%s is known to admission policies only: a rule sees the value, "+
			"`self`, and the stored one, `oldSelf`", code(name))
	}
	return fmt.Sprintf("%s is known to admission policies only: write %s", code(name), instead)
}
