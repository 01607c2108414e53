package lint

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// trial judges values of a node: by its keywords, and by its rules.
type trial struct {
	schema   *structural.Schema
	keywords *validation.Validator
	rules    *celrules.Rules
	// isField is set if the rules are those of a field: the outermost node has
	// those of a whole object, which has metadata.
	isField bool
	count   int // of rules, of which each is evaluated for a value
}

// trial returns what judges values of the node, nil if its schema is none.
func (n *node) trial() *trial {
	if !n.isJudged {
		n.judge, n.isJudged = newTrial(n.doc, !n.isRoot), true
	}
	return n.judge
}

// own returns what judges values of the node by one of its rules only. It is
// quick, where the node and those below it have many.
func (n *node) own(rule string) *trial {
	doc, _ := withoutRules(n.doc).(map[string]any)
	doc[rulesKeyword] = []any{map[string]any{"rule": rule}}
	return newTrial(doc, !n.isRoot)
}

const rulesKeyword = "x-kubernetes-validations"

// withoutRules returns a copy of a schema without rules.
func withoutRules(doc any) any {
	switch v := doc.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			if key != rulesKeyword {
				out[key] = withoutRules(value)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = withoutRules(v[i])
		}
		return out
	}
	return doc
}

// countRules returns the number of rules of a schema.
func countRules(s *structural.Schema) int {
	n := len(s.Rules())
	for _, property := range s.Properties() {
		n += countRules(property)
	}
	for _, below := range []*structural.Schema{s.Items(), s.AdditionalSchema()} {
		if below != nil {
			n += countRules(below)
		}
	}
	return n
}

func newTrial(doc map[string]any, isField bool) *trial {
	schema, err := structural.FromMap(doc)
	if err != nil {
		return nil
	}
	t := &trial{schema, validation.Compile(schema), nil, isField, 1 + countRules(schema)}
	around := schema
	if t.isField {
		around, err = structural.FromMap(map[string]any{
			"type": "object", "properties": map[string]any{"value": doc},
		})
		if err != nil {
			return nil
		}
	}
	t.rules = celrules.Compile(around)
	return t
}

// placed returns a value where the rules look for it.
func (t *trial) placed(value any) any {
	if t.isField {
		return map[string]any{"value": value}
	}
	return value
}

// ends returns the error with which a rule ends for a value, empty if the value
// is refused by something else as well, or if it is not refused. Another rule
// that ends with an error refuses nothing by what it says.
func (t *trial) ends(w *walk, rule string, value any) string {
	if len(t.keywords.Values(w.ctx, nil, value)) > 0 {
		return ""
	}
	w.tried += t.count
	result := t.rules.Validate(w.ctx, t.placed(value), nil, celrules.NameFailures())
	if result.Err != nil || len(result.Explanations) != len(result.Errors) {
		return ""
	}
	text := ""
	for i, err := range result.Errors {
		why := evaluationError(err)
		if why == "" {
			return ""
		}
		if text == "" && result.Explanations[i].Rule == rule {
			text = why
		}
	}
	return text
}

// evaluationError returns the text of an error of evaluation, empty for any
// other error.
func evaluationError(err *field.Error) string {
	for _, end := range []string{" evaluating rule: ", "': call arguments "} {
		if text, _, isOne := strings.Cut(err.Detail, end); isOne {
			return strings.TrimPrefix(text, "'")
		}
	}
	return ""
}

// safe are functions that never end with an error.
var safe = []string{
	operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional,
	operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals,
	operators.Greater, operators.GreaterEquals, operators.In, operators.OptIndex,
	operators.OptSelect, "has", "size", "all", "exists", "exists_one", "existsOne", "startsWith",
	"endsWith", "contains", "hasValue", "or", "orValue", "optMap", "optFlatMap", "isQuantity",
	"isURL", "isIP", "isCIDR", "isSemver", "lowerAscii", "upperAscii", "trim", "isSorted",
}

// isRisky reports whether a part of the rule may end with an error, other than
// because of a field that is not there.
func (r *rule) isRisky() bool {
	found := false
	ast.PostOrderVisit(r.root, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.SelectKind {
			_, n := r.field(e.AsSelect().Operand())
			found = found || n != nil && n.child("additionalProperties") != nil
		}
		_, n := r.field(e)
		found = found || n != nil && n.doc["x-kubernetes-int-or-string"] == true
		found = found || e.Kind() == ast.CallKind &&
			!slices.Contains(safe, e.AsCall().FunctionName())
	}))
	return found
}

// field returns the text and the node of a field of self, e.g. self.l.
func (r *rule) field(e ast.Expr) (text string, n *node) {
	switch e.Kind() {
	case ast.IdentKind:
		if e.AsIdent() == "self" {
			return "self", r.node
		}
	case ast.SelectKind:
		text, n = r.field(e.AsSelect().Operand())
		if n != nil {
			name := e.AsSelect().FieldName()
			return text + "." + name, n.property(celsyntax.Field(name))
		}
	}
	return "", nil
}

// anyItem is the step of a path to an item of a list, or to a value of a map.
const anyItem = "[]"

// looks returns the paths of the values that the rule looks at, also those of
// items.
func (r *rule) looks() (paths [][]string) {
	add := func(path []string) {
		if path != nil && !slices.ContainsFunc(paths, func(p []string) bool {
			return slices.Equal(p, path)
		}) {
			paths = append(paths, path)
		}
	}
	var look func(e ast.Expr, names map[string][]string) []string
	look = func(e ast.Expr, names map[string][]string) []string {
		switch e.Kind() {
		case ast.IdentKind:
			return names[e.AsIdent()]
		case ast.SelectKind:
			path := look(e.AsSelect().Operand(), names)
			if path == nil {
				return nil
			}
			path = append(slices.Clone(path), celsyntax.Field(e.AsSelect().FieldName()))
			add(path)
			return path
		case ast.ListKind:
			for _, element := range e.AsList().Elements() {
				add(look(element, names))
			}
		case ast.CallKind:
			return lookCall(e.AsCall(), names, look, add)
		}
		return nil
	}
	add(look(r.root, map[string][]string{"self": {}}))
	add([]string{})
	return paths
}

// lookCall looks at a call. It returns the path of an item.
func lookCall(
	call ast.CallExpr, names map[string][]string,
	look func(ast.Expr, map[string][]string) []string, add func([]string),
) []string {
	args := call.Args()
	if call.FunctionName() == operators.Index {
		add(look(args[1], names))
		if path := look(args[0], names); path != nil {
			return append(slices.Clone(path), anyItem)
		}
		return nil
	}
	inner := names
	if call.IsMemberFunction() {
		target := look(call.Target(), names)
		if len(args) == 2 && args[0].Kind() == ast.IdentKind {
			inner = map[string][]string{}
			for name, path := range names {
				inner[name] = path
			}
			delete(inner, args[0].AsIdent())
			if target != nil {
				inner[args[0].AsIdent()] = append(slices.Clone(target), anyItem)
			}
			args = args[1:]
		}
	}
	for _, arg := range args {
		add(look(arg, inner))
	}
	return nil
}

// schemaAt returns the schema at a path, nil if it is not declared.
func schemaAt(s *structural.Schema, path []string) *structural.Schema {
	for _, step := range path {
		switch {
		case s == nil:
			return nil
		case step == anyItem && s.Items() != nil:
			s = s.Items()
		case step == anyItem || s.Property(step) == nil:
			s = s.AdditionalSchema()
		default:
			s = s.Property(step)
		}
	}
	return s
}

// The bounds of a search for a value.
const (
	mostLooks = 12 // paths
	mostBases = 6
)

// endsWithError looks for an ordinary value for which the rule ends with an
// error: the server refuses it with that, and not with the message.
func (r *rule) endsWithError() {
	if r.isTransition || !r.isRisky() || r.w.isOver() {
		return
	}
	t, own := r.node.trial(), r.node.own(r.text)
	if t == nil || own == nil {
		return
	}
	random := generate.NewRand(1)
	paths := r.looks()
	paths = paths[:min(len(paths), mostLooks)]
	literals := r.readings().literals
	for base := range mostBases {
		value := generate.Object(random, t.schema)
		for _, path := range paths {
			if base%2 == 0 { // with all that the rule reads
				value = put(value, path, t.schema, nil)
			}
		}
		if own.ends(r.w, r.text, value) != "" && base < mostBases-1 {
			continue // perhaps because of a field that is not there
		}
		for _, path := range paths {
			special := specials(schemaAt(t.schema, path), literals)
			if s := schemaAt(t.schema, path); s != nil && s.Type() == "string" {
				special = slices.Concat(s.Values().Enum, special,
					[]any{generate.Object(random, s), generate.Object(random, s)})
			}
			if r.endsWithErrorAt(path, value, t, own, special) {
				return
			}
		}
	}
}

// endsWithErrorAt tries special values at a path of a value. It reports whether
// the search is over.
func (r *rule) endsWithErrorAt(path []string, value any, t, own *trial, specials []any) bool {
	s := schemaAt(t.schema, path)
	for _, special := range specials {
		changed := put(jsonvalue.DeepCopy(value), path, t.schema, special)
		why := own.ends(r.w, r.text, changed)
		if why == "" || isOfField(why, s, special) {
			continue
		}
		if why = t.ends(r.w, r.text, changed); r.w.isOver() {
			return true
		}
		if why != "" && !r.isRefusedAround(path, special) {
			instead := ""
			if r.hasMessage {
				instead = ", and not with its message,"
			}
			r.w.add("LINT-error", r.at+".rule", hintOf(why, path),
				"the rule ends with an error%s if %s is %s: %s",
				instead, placeText(path), jsonText(special), why)
			return true
		}
	}
	return false
}

// isOfField reports whether an error for a value is about a field that is not
// there, which LINT-has looks for. A map that has no key is another matter: the
// value is the map, or a string that has the key in it.
func isOfField(why string, s *structural.Schema, value any) bool {
	key, isKey := strings.CutPrefix(why, "no such key: ")
	text, isText := value.(string)
	return isKey && s.AdditionalSchema() == nil && !(isText && strings.Contains(text, key))
}

// specials returns values of a schema for which functions may fail.
func specials(s *structural.Schema, literals []any) []any {
	const most = 12
	if s == nil {
		return nil
	}
	var list []any
	random := generate.NewRand(2)
	switch {
	case s.Type() == "string":
		list = []any{"x", "", "a-b", "a b"}
		for _, v := range literals {
			if text, isText := v.(string); isText && len(text) < 64 {
				list = append(list, text)
			}
		}
	case s.Type() == "integer" || s.IntOrString():
		list = []any{int64(0), int64(1)}
		for _, v := range literals {
			if n, isInt := v.(int64); isInt {
				list = append(list, n, -n)
			}
		}
		if s.IntOrString() {
			list = append([]any{"x", "10%"}, list...)
		}
	case s.Items() != nil:
		list = []any{[]any{}}
		for n := 1; n < 4; n++ {
			items := make([]any, n)
			for i := range items {
				items[i] = generate.Object(random, s.Items())
			}
			list = append(list, items)
		}
	case s.AdditionalSchema() != nil:
		list = []any{map[string]any{},
			map[string]any{"k": generate.Object(random, s.AdditionalSchema())}}
		if s.AdditionalSchema().Type() == "string" {
			list = append(list, map[string]any{"k": "x"})
		}
	}
	return list[:min(len(list), most)]
}

// least returns a small value of a schema: an object with the required fields.
func least(s *structural.Schema, depth int) any {
	const mostDepth = 12
	if s.Type() != "object" || depth > mostDepth {
		return generate.Object(generate.NewRand(3), s)
	}
	object := map[string]any{}
	for _, name := range s.Values().Required {
		if property := schemaAt(s, []string{name}); property != nil {
			object[name] = least(property, depth+1)
		}
	}
	return object
}

// put returns a value with another one at a path, and with what is missing
// around it. Without another one it only adds what is missing.
func put(value any, path []string, s *structural.Schema, special any) any {
	if s == nil {
		return value
	}
	if len(path) == 0 {
		if special != nil {
			return special
		}
		return value
	}
	step, rest := path[0], path[1:]
	next := schemaAt(s, path[:1])
	if next == nil {
		return value
	}
	inner := func(old any) any {
		if old == nil {
			old = least(next, 0)
		}
		return put(old, rest, next, special)
	}
	switch v := value.(type) {
	case []any:
		if len(v) == 0 {
			return []any{inner(nil)}
		}
		v[0] = inner(v[0])
	case map[string]any:
		if step == anyItem {
			keys := append(jsonvalue.SortedKeys(v), "k")
			step = keys[0]
		}
		v[step] = inner(v[step])
	}
	return value
}

// placeText returns a path as rules name it.
func placeText(path []string) string {
	text := "self"
	for _, step := range path {
		if step == anyItem {
			text += "[…]"
		} else {
			text += "." + celsyntax.Name(step)
		}
	}
	return text
}

func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}
