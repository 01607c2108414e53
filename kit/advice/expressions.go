package advice

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/internal/kit/nearest"
	"github.com/crdsem/crdsem/internal/kit/yaml11"
	"github.com/crdsem/crdsem/minors"
)

// Parts of the texts of the CEL compiler that hold names.
var (
	undefinedField = regexp.MustCompile(`undefined field '([^']*)'`)
	undeclaredName = regexp.MustCompile(`undeclared reference to '([^']*)'`)
	noOverload     = regexp.MustCompile(`found no matching overload for '([^']*)' applied to '([^']*)'`)
	operator       = regexp.MustCompile(`^_([^_]+)_$`)
)

// loneEquals matches an = that is not part of another operator.
var loneEquals = regexp.MustCompile(`[^=!<>]=[^=]`)

// uncompiled names the rule that does not compile, if it is one of the node.
func uncompiled(f *finding) string {
	rules, _ := f.node()["x-kubernetes-validations"].([]any)
	for _, r := range rules {
		object, _ := r.(map[string]any)
		if rule, ok := object["rule"].(string); ok && celsyntax.Parse(rule) == nil {
			return "correct the rule " + code(rule) + ", which does not compile"
		}
	}
	return "the definition has a rule that does not compile: fix the definition"
}

// compiling says what to do about an expression that does not compile.
func compiling(f *finding) string {
	text := f.err.Detail
	switch {
	case undefinedField.MatchString(text):
		return f.undefined(undefinedField.FindStringSubmatch(text)[1])
	case undeclaredName.MatchString(text):
		return f.undeclared(undeclaredName.FindStringSubmatch(text)[1])
	case noOverload.MatchString(text):
		m := noOverload.FindStringSubmatch(text)
		if m[1] == "_[_]" {
			if hint := cmp.Or(f.misnamed(), f.indexOfObject()); hint != "" {
				return hint
			}
		}
		return cmp.Or(mismatched(m[1], m[2]), overload(m[1], m[2]))
	case strings.Contains(text, "invalid argument to has()"):
		return cmp.Or(f.misnamed(), hasHint)
	case strings.Contains(text, "does not support field selection"):
		rule, _ := f.lastValue().(string)
		return noSelection(rule)
	case strings.Contains(text, "expected type 'bool' but found"):
		return conditionHint
	case strings.Contains(text, "invalid matches argument"):
		return "the argument of `matches()` is a regular expression of RE2, which this is not"
	case strings.Contains(text, "Syntax error"):
		return f.syntax()
	case strings.Contains(text, "must evaluate to a bool"):
		return "a rule is a condition: compare the value with something, e.g. `self.a > 0` or " +
			"`has(self.a)`"
	case strings.Contains(text, "must evaluate to a string"):
		return "a messageExpression is a string: join parts with `+`, and convert values with " +
			"`string()`"
	}
	return "fix the expression at the position that the error names"
}

// undefined names the property nearest to a field that self lacks.
func (f *finding) undefined(name string) string {
	node := f.node()
	names := f.known(keyOfMap("below", node), func() []string { return f.propertiesBelow(node) })
	declares := names.has
	if slices.Contains(reservedFields, name) && declares(name) {
		return fmt.Sprintf("%s is a reserved word of CEL: write %s; Kubernetes before 1.32 knows "+
			"the field by this name only", code(name), code("__"+name+"__"))
	}
	rule, _ := f.lastValue().(string)
	if strings.Contains(rule, "metadata."+name) && name != "name" && name != "generateName" {
		return "rules see only `metadata.name` and `metadata.generateName` of the metadata"
	}
	for _, hint := range []string{f.misnamed(), f.elsewhere(name)} {
		if hint != "" {
			return hint
		}
	}
	if key, ok := yaml11.Bool(name); ok && declares(key) {
		return fmt.Sprintf("%s is the boolean %s in YAML 1.1: write the property in quotes in the "+
			"schema", code(name), key)
	}
	if near := f.near(name, names); near != "" {
		return fmt.Sprintf("did you mean %s?", code(near))
	}
	own, _ := node["properties"].(map[string]any)
	if fields := f.fieldsOf(own); len(fields) > 0 && len(own) <= maxNames {
		return "`self` has the fields " + codes(fields)
	}
	return "a rule can use the fields only that the schema declares in `properties`"
}

// propertiesBelow returns the names of all properties at a node and below it.
func (f *finding) propertiesBelow(node map[string]any) []string {
	var names []string
	for n := range f.nodesBelow("", node) {
		properties, _ := n.node["properties"].(map[string]any)
		names = slices.AppendSeq(names, maps.Keys(properties))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// reservedFields are the words of the CEL grammar that cannot be identifiers,
// but follow a dot since 1.32 (CEL-022).
var reservedFields = []string{
	"as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
	"namespace", "package", "return", "var", "void", "while",
}

func (f *finding) undeclared(name string) string {
	if since := functionSince(name); since != "" {
		return fmt.Sprintf("%s can be used since Kubernetes %s", code(name), since)
	}
	own, _ := f.node()["properties"].(map[string]any)
	if _, ok := own[name]; ok {
		return fmt.Sprintf("fields belong to `self`: write %s", code("self."+name))
	}
	if slices.Contains([]string{"now", "today", "time", "getTime", "date"}, name) {
		return "a rule has no clock: the server evaluates it only when the object is written, so " +
			"that it may compare times of the object and of the old one, no others"
	}
	if hint := ofPolicy(name); hint != "" {
		return hint
	}
	if hint := foreignNames[name]; hint != "" {
		return hint
	}
	known := append([]string{"self", "oldSelf"}, standardFunctions...)
	for _, f := range library.Functions(newest(), library.NewExpressions) {
		if strings.EqualFold(f.Name, name) {
			known = append(known, f.Name)
		}
	}
	if near := nearest.Name(name, known); near != "" {
		return fmt.Sprintf("did you mean %s?", code(near))
	}
	return "a rule knows `self`, in transition rules `oldSelf`, and the functions of the CEL " +
		"libraries; text must be in quotes"
}

// newest is the version of the libraries of the newest minor.
func newest() library.Version {
	all := minors.All()
	return library.Version(profile.Named(string(all[len(all)-1])).Minor)
}

// functionSince returns the minor whose new rules can call a function that is
// undeclared in an older one. It is empty if there is no such minor. A name
// before a dot is that of its functions, e.g. format of format.uuid.
func functionSince(name string) (since string) {
	known := map[string]bool{}
	for i, minor := range minors.All() {
		version := library.Version(profile.Named(string(minor)).Minor)
		for _, f := range library.Functions(version, library.NewExpressions) {
			if f.Name != name && !strings.HasPrefix(f.Name, name+".") || known[f.Name] {
				continue
			}
			known[f.Name] = true
			if i > 0 {
				since = minor.String()
			}
		}
	}
	return since
}

func overload(function, operands string) string {
	if m := operator.FindStringSubmatch(function); m != nil {
		function = m[1]
	}
	return fmt.Sprintf("%s does not take operands of the types %s: compare values of one type, or "+
		"convert one with `int()`, `double()` or `string()`", code(function), operands)
}

// syntax counts brackets, the most frequent cause.
func (f *finding) syntax() string {
	rule, _ := f.lastValue().(string)
	for _, pair := range []string{"()", "[]", "{}"} {
		open, closed := strings.Count(rule, pair[:1]), strings.Count(rule, pair[1:])
		if open != closed {
			return fmt.Sprintf("the expression has %d %s and %d %s", open, code(pair[:1]), closed,
				code(pair[1:]))
		}
	}
	if hint := cmp.Or(f.misnamed(), foreign(rule)); hint != "" {
		return hint
	}
	if loneEquals.MatchString(rule) {
		return "CEL compares with `==`, and has no `=`"
	}
	return "CEL is written as in `self.a == 'x' && self.b.all(e, e > 0)`; fix the expression at " +
		"the position that the error names"
}

// nodesBelow iterates over a node and all nodes below it that can hold values,
// with their paths from the first, until no steps are left.
func (f *finding) nodesBelow(path string, node map[string]any) iter.Seq[childNode] {
	return func(yield func(childNode) bool) { f.eachBelow(path, node, yield) }
}

func (f *finding) eachBelow(path string, node map[string]any, yield func(childNode) bool) bool {
	self := childNode{"", strings.TrimPrefix(path, "."), node}
	if !f.spend(1+len(path)+len(node)) || !yield(self) {
		return false
	}
	for _, c := range childrenOf(path, node) {
		switch c.keyword {
		case "properties", "items", "additionalProperties":
			if !f.eachBelow(c.path, c.node, yield) {
				return false
			}
		}
	}
	return true
}

var (
	// bare matches self or oldSelf that is followed by no field.
	bare = regexp.MustCompile(`\b(self|oldSelf)\s*($|[^.\s\[?\w])`)
	// names matches the fields of a path, e.g. properties[spec].items.
	names = regexp.MustCompile(`properties\[([^\]]+)\]`)
)

func (f *finding) lastValue() any {
	if len(f.trail) == 0 {
		return nil
	}
	return f.trail[len(f.trail)-1].value
}

func uncorrelated(f *finding) string {
	_, within, _ := strings.Cut(f.err.Detail, "within ")
	trail := follow(f.definition.Document, within)
	if len(trail) > 0 {
		last := trail[len(trail)-1]
		if node, ok := last.value.(map[string]any); ok && node["type"] == "array" {
			return identity(last.key, node)
		}
	}
	return "the server cannot say which old value belongs to a new one here; put the rule at the " +
		"node that the error names, or above it"
}

// identity says how the items of a list get old values.
func identity(name string, list map[string]any) string {
	hint := fmt.Sprintf(
		"the items of %s have no identity, so an item has no old value: put the rule at the list "+
			"itself",
		code(name))
	if items, _ := list["items"].(map[string]any); items["type"] == "object" {
		hint += ", or make it a list-map with `x-kubernetes-list-type: map` and " +
			"`x-kubernetes-list-map-keys`"
	}
	return hint
}

// failed says which values a failed rule saw.
func failed(f *finding) string {
	e := f.explanation()
	if e == nil {
		return f.broken()
	}
	var values []string
	for _, t := range e.Terms {
		text := code(t.Text) + " is " + cut(t.Value)
		if t.Failed {
			text = code(t.Text) + " fails: " + cut(t.Value)
		}
		if isPath.MatchString(t.Text) && !slices.Contains(values, text) {
			values = append(values, text)
		}
	}
	if len(values) > 1 { // self as a whole says little if its fields are known
		values = slices.DeleteFunc(values, func(v string) bool {
			return strings.HasPrefix(v, "`self` is {") || strings.HasPrefix(v, "`oldSelf` is {")
		})
	}
	hint := "the rule " + code(cut(e.Rule)) + " does not hold"
	if f.err.Origin == "CEL-091" {
		hint = "the rule " + code(cut(e.Rule)) + " fails"
	}
	if len(values) > 0 {
		hint += ": " + strings.Join(values[:min(len(values), maxNames)], ", ")
	}
	if strings.Contains(e.Rule, "oldSelf") {
		hint += "; a transition rule compares with the stored object, where `oldSelf` is the old " +
			"value"
	}
	return hint
}

// broken names the rule of the schema that has the error's text as message.
func (f *finding) broken() string {
	for _, r := range f.at.schema.Rules() {
		if !f.spend(1) {
			break
		}
		if strings.TrimSpace(r.Message) == f.err.Detail && f.err.Detail != "" {
			return "the rule " + code(cut(r.Rule)) + " does not hold"
		}
	}
	if strings.HasPrefix(f.err.Detail, "failed rule: ") {
		return "the rule is a condition in CEL, which must be true: `self` is the value at the " +
			"field"
	}
	return "a rule of the schema does not hold: the error has its message"
}

// isPath matches terms that are values of the object, not results.
var isPath = regexp.MustCompile(`^(self|oldSelf|[a-z]\w*)(\.\w+|\[[^\]]*\])*$`)

func cut(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 2*maxShown {
		return string(runes[:2*maxShown]) + "…"
	}
	return text
}

// explanation returns the explanation of the error. Its rule reports failures
// at the error's field with the error's text.
func (f *finding) explanation() *celrules.Explanation {
	if f.object == nil {
		return nil
	}
	var possible *celrules.Explanation
	for i := range f.object.Explanations {
		e := &f.object.Explanations[i]
		if !f.spend(1 + len(e.Field)) {
			return nil
		}
		if reported(e.Field, "") == f.err.Field && f.names(e.Rule) {
			return e
		}
		for _, r := range locate(f.object.Object, f.object.Schema, e.Field).schema.Rules() {
			isAt := isReported(f.err.Field, e.Field, r.FieldPath)
			switch message := strings.TrimSpace(r.Message); {
			case r.Rule != e.Rule:
			case isAt && message != "" && message == f.err.Detail,
				reported(e.Field, "") == f.err.Field && message != "" && f.names(message):
				return e
			case isAt && (r.MessageExpression != "" || f.err.Detail == ""):
				possible = e
			}
		}
	}
	return possible
}

// names reports whether the error ends with the name of a rule, which is its
// message or else its text, e.g. "division by zero evaluating rule: ratio".
func (f *finding) names(rule string) bool {
	return strings.HasSuffix(f.err.Detail, "rule: "+strings.TrimSpace(rule))
}

// reported is the field at which a rule reports failures, in the form of paths
// in errors.
func reported(field, fieldPath string) string {
	path := strings.NewReplacer("['", "[", "']", "]").Replace(fieldPath)
	if field == "<nil>" || field == "" {
		return strings.TrimPrefix(path, ".")
	}
	return field + path
}

// isReported reports whether a rule at a field reports failures at another one.
// A fieldPath that begins with a bracket follows a dot (kubernetes#133761), and
// a declared field stands without brackets.
func isReported(at, field, fieldPath string) bool {
	path := reported(field, fieldPath)
	if path == at {
		return true
	}
	bracket := strings.TrimPrefix(path, field)
	name, rest, _ := strings.Cut(strings.TrimPrefix(bracket, "["), "]")
	return strings.HasPrefix(bracket, "[") &&
		(field+"."+bracket == at || field+"."+name+rest == at)
}
