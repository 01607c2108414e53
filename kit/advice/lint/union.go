package lint

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
)

// exclusive matches a message or a description which says that an object has
// one of some fields. exclusivePair matches one that says so of two fields; of
// more it may say that one excludes the others.
var (
	exclusive = regexp.MustCompile(
		`(?i)\b(exactly one|only one|one and only one|at most one)\b`)
	exclusivePair = regexp.MustCompile(`(?i)\b(exactly one|only one|one and only one|` +
		`at most one|mutually exclusive|(can ?not|can't|must not|may not) both|not both|` +
		`(can ?not|can't|must not|may not) be (\w+ )?(together|at the same time))\b`)
)

// claim returns the words by which a text says that some fields exclude each
// other, empty if it does not.
func claim(text string, members []string) string {
	if len(members) == 2 {
		return exclusivePair.FindString(text)
	}
	return exclusive.FindString(text)
}

// union looks for fields of which one excludes the others, by what a text says
// or by a discriminator, and which are accepted together.
func (w *walk) union(n *node, rules []*rule) {
	plain := slices.DeleteFunc(slices.Clone(rules), func(r *rule) bool {
		return r.root == nil || r.isTransition
	})
	for _, r := range plain {
		members := r.askedFor()
		if len(members) < 2 {
			continue
		}
		if says := claim(w.message(r), members); says != "" {
			if a, b, ok := w.together(n, plain, []*rule{r}, members); ok {
				w.add("LINT-union", r.at+".rule", "write `"+countOf(members)+"`, or `<= 1`",
					"the message says %q, and an object with both %s and %s is accepted",
					says, a, b)
				continue
			}
		}
		r.parity(members)
	}
	w.described(n, plain)
	w.discriminated(n, plain)
}

// message returns the message of a rule.
func (w *walk) message(r *rule) string {
	for i, doc := range branchesOf(r.node.doc, "x-kubernetes-validations") {
		if r.at == fmt.Sprintf("%s.x-kubernetes-validations[%d]", r.node.at, i) {
			text, _ := doc["message"].(string)
			return text
		}
	}
	return ""
}

// countOf returns an expression that is true for exactly one member.
func countOf(members []string) string {
	list := make([]string, len(members))
	for i, name := range members {
		list[i] = "has(self." + name + ")"
	}
	return "[" + strings.Join(list, ", ") + "].filter(x, x).size() == 1"
}

// askedFor returns the optional fields of the node itself that a rule asks for
// by has().
func (r *rule) askedFor() []string {
	found := map[string]bool{}
	ast.PostOrderVisit(r.root, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "has" ||
			len(e.AsCall().Args()) != 1 {
			return
		}
		at, n := r.selected(e.AsCall().Args()[0])
		name := strings.TrimPrefix(at.path, ".")
		if n != nil && !at.isOld && !strings.Contains(name, ".") && !r.node.has(name) {
			found[name] = true
		}
	}))
	return slices.Sorted(maps.Keys(found))
}

// only pins the members that are there.
func only(members []string, there ...string) map[place]any {
	pins := map[place]any{}
	for _, name := range members {
		pins[place{path: "." + name}] = missing{}
	}
	for _, name := range there {
		pins[place{path: "." + name}] = token("1")
	}
	return pins
}

// together returns two members that an object may have both: the claiming rules
// hold, no other rule that asks for one of them may refuse it, and no junctor
// does.
func (w *walk) together(
	n *node, rules, claiming []*rule, members []string,
) (a, b string, ok bool) {
	for i, a := range members {
		for _, b := range members[i+1:] {
			pins := assumptions{pins: only(members, a, b)}
			isFine := func(r *rule) bool {
				if slices.Contains(claiming, r) {
					return r.in(pins) == yes
				}
				asked := r.askedFor()
				return !slices.Contains(asked, a) && !slices.Contains(asked, b) || r.in(pins) == yes
			}
			if !slices.ContainsFunc(rules, func(r *rule) bool { return !isFine(r) }) &&
				w.junctorsAllow(n, a, b) {
				return a, b, true
			}
		}
	}
	return "", "", false
}

// junctors are the keywords that may refuse two fields next to each other.
var junctors = []string{"allOf", "anyOf", "oneOf", "not", "maxProperties"}

// junctorsAllow reports whether the junctors of a node surely accept an object
// with some fields. Junctors that look at values are not sure.
func (w *walk) junctorsAllow(n *node, fields ...string) bool {
	doc := map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
	for _, keyword := range junctors {
		if value, has := n.doc[keyword]; has {
			if looksAtValues(value) {
				return false
			}
			doc[keyword] = value
		}
	}
	object := map[string]any{}
	for _, name := range fields {
		object[name] = true
	}
	return refusal(w, doc)(object) == ""
}

func looksAtValues(junctor any) bool {
	switch junctor := junctor.(type) {
	case []any:
		return slices.ContainsFunc(junctor, looksAtValues)
	case map[string]any:
		_, has := junctor["properties"]
		return has || slices.ContainsFunc(slices.Collect(maps.Values(junctor)), looksAtValues)
	}
	return false
}

// parity looks for a rule that compares has() of three or more fields with each
// other: it holds for one of them, and for three again.
func (r *rule) parity(members []string) {
	const most = 6
	if len(members) < 3 || len(members) > most {
		return
	}
	holds := func(there ...string) bool {
		return r.in(assumptions{pins: only(members, there...)}) == yes
	}
	for i, a := range members {
		if !holds(a) {
			return
		}
		for _, b := range members[i+1:] {
			if r.in(assumptions{pins: only(members, a, b)}) != no {
				return
			}
		}
	}
	if holds(members[:3]...) {
		r.w.add("LINT-union", r.at+".rule", "write `"+countOf(members)+"`",
			"the rule holds for one of %s, and for three of them again",
			strings.Join(members, ", "))
	}
}

// described looks for junctors of required fields that do not do what the
// description of the object says.
func (w *walk) described(n *node, rules []*rule) {
	text, _ := n.doc["description"].(string)
	for _, keyword := range []string{"anyOf", "oneOf"} {
		var members []string
		for _, b := range branchesOf(n.doc, keyword) {
			names := texts(b["required"])
			if len(b) != 1 || len(names) != 1 || !isWord(text, names[0]) || n.has(names[0]) {
				return
			}
			members = append(members, names[0])
		}
		says := claim(text, members)
		if a, b, ok := w.together(n, rules, nil, members); ok && says != "" {
			w.add("LINT-union", n.at+"."+keyword, "use `oneOf`",
				"the description says %q, and an object with both %s and %s is accepted",
				says, a, b)
		}
	}
}

func isWord(text, name string) bool {
	return regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(name) + `\b`).MatchString(text)
}

// discriminated looks for members that rules require by the value of an enum,
// and do not forbid with another value.
func (w *walk) discriminated(n *node, rules []*rule) {
	properties, _ := n.doc["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		property := n.property(name)
		if property == nil || property.doc["type"] != "string" || !n.has(name) {
			continue
		}
		of := membersOf(name, texts(property.doc["enum"]), rules)
		w.mixed(n, name, of, rules)
	}
}

// membersOf returns the fields that rules require by the values of a
// discriminator.
func membersOf(discriminator string, values []string, rules []*rule) map[string][]string {
	found := map[string][]string{}
	const most = 30
	if len(values) < 2 || len(values) > most {
		return nil
	}
	members := map[string]bool{}
	for _, r := range rules {
		if of := r.readings(); of.new["."+discriminator] {
			for _, name := range r.askedFor() {
				members[name] = true
			}
		}
	}
	for _, v := range values {
		for _, name := range slices.Sorted(maps.Keys(members)) {
			pins := only([]string{name})
			pins[place{path: "." + discriminator}] = v
			if slices.ContainsFunc(rules, func(r *rule) bool {
				return r.in(assumptions{pins: pins}) == no
			}) {
				found[v] = append(found[v], name)
			}
		}
	}
	return found
}

// mixed looks for a member of one value that is accepted with another value,
// although each value has its own.
func (w *walk) mixed(n *node, discriminator string, of map[string][]string, rules []*rule) {
	values := slices.Sorted(maps.Keys(of))
	owner := map[string]string{}
	for _, v := range values {
		for _, name := range of[v] {
			if owner[name] != "" {
				return // several values share a member
			}
			owner[name] = v
		}
	}
	if len(values) < 2 {
		return
	}
	for _, v := range values {
		for _, name := range slices.Sorted(maps.Keys(owner)) {
			there := []string{of[v][0], name}
			if owner[name] != v && !w.accepts(n, discriminator, v, there, rules) {
				return // they are told apart, at least here
			}
		}
	}
	own, another := of[values[0]][0], of[values[1]][0]
	at := rules[slices.IndexFunc(rules, func(r *rule) bool {
		return r.readings().new["."+discriminator] && slices.Contains(r.askedFor(), own)
	})].at
	w.add("LINT-union", at+".rule",
		fmt.Sprintf("write `self.%s == '%s' ? has(self.%s) : !has(self.%s)`",
			discriminator, values[0], own, own),
		"%s requires %s, and does not forbid %s, which belongs to %s: an object may have both",
		values[0], own, another, values[1])
}

// accepts reports whether the rules surely accept an object with a value of the
// discriminator and some members.
func (w *walk) accepts(
	n *node, discriminator, value string, there []string, rules []*rule,
) bool {
	pins := only(there, there...)
	pins[place{path: "." + discriminator}] = value
	for _, r := range rules {
		asked := r.askedFor()
		isAbout := slices.ContainsFunc(there, func(name string) bool {
			return slices.Contains(asked, name)
		})
		if isAbout && r.in(assumptions{pins: pins}) != yes {
			return false
		}
	}
	return w.junctorsAllow(n, there...)
}
