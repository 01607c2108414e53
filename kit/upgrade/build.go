package upgrade

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/prune"
	"github.com/crdsem/crdsem/structural"
)

// Some changes need no search, because logic knows what shows them: a
// transition rule two admitted objects that differ at its node, a default an
// object without the field and with a companion that does not bear it, a key of
// a list two items. The objects are built from a few admitted ones. How many
// does not depend on [Tries].

// builder builds objects for a change.
type builder struct {
	w      *witnessSearch
	random *rand.Rand
	bases  []map[string]any // admitted objects with the node of the change
	built  []candidate
}

const (
	mostBases = 2   // of each definition
	mostBuilt = 500 // candidates
)

// built returns the objects that are built for the change.
func (r *Report) built(w *witnessSearch, o options) []candidate {
	node := w.change.target.node
	target := &w.change.target
	if w.change.Class != Stricter || len(node) == 0 ||
		w.change.Decided && !w.isTransition() && len(target.examples) == 0 {
		return nil
	}
	b := &builder{w: w, random: rand.New(rand.NewPCG(o.seed, 1))}
	for range mostBases {
		for _, made := range []*generate.Search{w.bases.before, w.bases.after} {
			if object, err := made.Valid(); err == nil && object != nil {
				b.bases = append(b.bases, b.filled(w.known(object)))
			}
		}
	}
	if len(b.bases) == 0 {
		b.lacking(r, o)
	}
	if object := b.grown(); object != nil {
		b.bases = append(b.bases, object)
	}
	b.exampled()
	switch {
	case w.isTransition():
		b.transitions(node)
	case target.isIndirect:
		b.absences(node)
		b.keys(node)
	}
	if !w.change.Decided {
		b.direct(node)
	}
	return b.built[:min(len(b.built), mostBuilt)]
}

// lacking adds bases without the node of the change, where none with it is
// found: one with the node around it, or else any one.
func (b *builder) lacking(r *Report, o options) {
	from, side := b.w.change.Version, r.old
	if b.w.change.From != "" {
		from, side = b.w.change.From, r.writtenBy(b.w.change.From)
	}
	resources, err := side.resources(from)
	if err != nil {
		return
	}
	around := b.w.change.target.node[:len(b.w.change.target.node)-1]
	for _, node := range [][]string{around, nil} {
		random := rand.New(rand.NewPCG(o.seed, 2))
		made := resources.Search(b.w.ctx, random, node, DefaultTries)
		object, err := made.Valid()
		b.w.judgedBuilt += made.Judged()
		if err == nil && object != nil {
			b.bases = append(b.bases, b.w.known(object))
			return
		}
	}
}

// oddKeys returns keys of maps that rules may refuse, or look for.
func (b *builder) oddKeys() []string {
	keys := []string{"unknown", "*", "a b", "A/", strings.Repeat("x", 70)}
	for _, literal := range b.w.literalsOfMessage() {
		if text, isText := literal.(string); isText {
			keys = append(keys, text)
		}
	}
	return keys
}

// direct adds the admitted objects themselves, with each value at the node that
// comes to mind, and with made ones.
func (b *builder) direct(node []string) {
	const mostMade = 4
	var made []any
	for _, of := range []*crdsem.Version{b.w.refuses, b.w.admits} {
		schema := schemaAt(of.Schema(), node)
		for i := 0; schema != nil && i < mostMade; i++ {
			made = append(made, generate.Object(b.random, schema))
		}
	}
	if b.w.change.target.rule != "" && len(made) > 0 { // a format takes any list (VAL-022)
		if s := schemaAt(b.w.admits.Schema(), node); s != nil && s.Values().Format != "" {
			made = append(made, []any{})
		}
	}
	for _, base := range b.bases {
		b.add(base, nil)
		b.keyed(base, node, made)
		b.built = append(b.built, b.w.planted(base)...)
		if b.w.change.target.expression != nil {
			b.built = append(b.built, b.w.probes(base)...)
		}
		if b.w.isTransition() {
			continue
		}
		for _, value := range append(made, b.lengthened(base, node)...) {
			b.addUnless(with(base, node, value))
		}
	}
}

// keyed adds maps around a node with one more key, of a made value or of a null
// that a default replaces.
func (b *builder) keyed(base map[string]any, node []string, made []any) {
	around := node[:len(node)-1]
	if node[len(node)-1] != valueStep || len(around) == 0 {
		return
	}
	for _, v := range valuesAt(base, around) {
		object, ok := v.(map[string]any)
		if !ok {
			continue
		}
		if len(made) > 0 {
			b.addUnless(with(base, around, fieldValue{"unknown", made[len(made)-1]}.in(object)))
		}
		if b.w.change.Keyword != "default" {
			continue
		}
		for _, key := range b.oddKeys() {
			b.addUnless(with(base, around, fieldValue{key, nil}.in(object)))
		}
	}
}

// filled returns a copy of an admitted object with more fields, as far as it
// stays admitted: the new definition may require some of them.
func (b *builder) filled(object map[string]any) map[string]any {
	const mostFields = 16
	tried := 0
	node := b.w.change.target.node
	for depth := 1; depth <= len(node); depth++ {
		schema := schemaAt(b.w.admits.Schema(), node[:depth])
		if schema == nil || len(valuesAt(object, node[:depth])) == 0 {
			break
		}
		for _, name := range schema.PropertyNames() {
			at := append(slices.Clone(node[:depth]), memberStep+name)
			if tried == mostFields || b.w.ctx.Err() != nil {
				return object
			}
			if len(valuesAt(object, at)) > 0 {
				continue
			}
			tried++
			fuller := with(object, at, generate.Object(b.random, schema.Property(name)))
			if fuller != nil && b.w.ask(b.w.admits, candidate{object: fuller}).Admitted() {
				object = fuller
			}
		}
	}
	return object
}

// known removes the fields that the admitting definition does not know.
func (w *witnessSearch) known(object map[string]any) map[string]any {
	if w.change.From != "" {
		return object
	}
	copied := jsonvalue.DeepCopyMap(object)
	prune.Resource(copied, w.admits.Schema())
	return copied
}

func (b *builder) add(object, old map[string]any) {
	b.built = append(b.built, candidate{object, old})
}

// with returns a copy of an object with another value at a node, nil if there
// is no place for it.
func with(object map[string]any, node []string, value any) map[string]any {
	copied := jsonvalue.DeepCopyMap(object)
	_, isRemoval := value.(removed)
	if !replaceAt(copied, node, func(any) (any, bool) {
		return jsonvalue.DeepCopy(value), !isRemoval
	}) {
		return nil
	}
	return copied
}

// transitions adds pairs of objects that differ at a node, or at one below it
// that the rule reads.
func (b *builder) transitions(node []string) {
	schema := schemaAt(b.w.admits.Schema(), node)
	var values []any
	for _, base := range b.bases {
		for _, v := range valuesAt(base, node) {
			values = append(values, v, another(v))
		}
	}
	const mostValues = 6
	for range mostValues {
		values = append(values, generate.Object(b.random, schema))
	}
	places := map[string][]any{strings.Join(node, "\x00"): values}
	if x := b.w.change.target.expression; x != nil {
		for _, r := range x.reads {
			below := slices.Concat(node, nodeOf(r.path))
			literals := append(x.literals(), false, removed{})
			at := strings.Join(below, "\x00")
			places[at] = append(places[at], literals...)
			if s := schemaAt(b.w.admits.Schema(), below); s != nil {
				for range mostValues {
					places[at] = append(places[at], generate.Object(b.random, s))
				}
			}
		}
	}
	for _, at := range jsonvalue.SortedKeys(places) {
		b.pairs(strings.Split(at, "\x00"), places[at])
	}
}

// pairs adds each object with each of some values at a node as the old and as
// the new one.
func (b *builder) pairs(node []string, values []any) {
	seen := map[string]bool{}
	before := make([]map[string]any, len(b.bases))
	for _, value := range values {
		text := fmt.Sprintf("%T %s", value, canonical(value))
		if seen[text] {
			continue
		}
		seen[text] = true
		for i, base := range b.bases {
			object := with(base, node, value)
			if object == nil {
				continue
			}
			b.add(object, base)
			b.add(base, object)
			if before[i] != nil {
				b.add(object, before[i])
				b.add(before[i], object)
			}
			before[i] = object
		}
	}
}

// nodeOf returns the steps of a path that a rule reads.
func nodeOf(path []string) (node []string) {
	for _, name := range path {
		if name == anyChild {
			node = append(node, itemStep)
		} else {
			node = append(node, memberStep+name)
		}
	}
	return node
}

// schemaAt returns the schema of a node, nil if it is not declared.
func schemaAt(s *structural.Schema, node []string) *structural.Schema {
	for _, step := range node {
		if s == nil {
			return nil
		}
		if name, isName := strings.CutPrefix(step, memberStep); !isName {
			s = itemsOrValues(s)
		} else if property := s.Property(name); property != nil {
			s = property
		} else {
			s = s.AdditionalSchema()
		}
	}
	return s
}

// absences adds objects without the field at a node: with all other fields of
// the object around it, with the required ones only, and with one or two of the
// others.
func (b *builder) absences(node []string) {
	name, isName := strings.CutPrefix(node[len(node)-1], memberStep)
	around := node[:len(node)-1]
	if len(around) > 0 && node[len(node)-1] == valueStep {
		b.nulls(around)
		b.nullPairs(around)
	}
	if !isName || len(around) == 0 {
		return
	}
	schema := schemaAt(b.w.admits.Schema(), around)
	for _, base := range b.bases {
		lacking := with(base, node, removed{})
		if lacking == nil && len(valuesAt(base, around)) > 0 {
			lacking = base
		}
		b.addUnless(lacking)
		if lacking != nil && strings.Contains(b.w.change.Message, "oldSelf") {
			values := append(b.w.literalsOfMessage(), false, b.w.change.Old, b.w.change.New)
			values = append(values, generate.Object(b.random, schemaAt(b.w.admits.Schema(), node)))
			for _, value := range values {
				if old := with(base, node, value); old != nil && value != nil {
					b.add(lacking, old)
					b.add(old, lacking)
				}
			}
		}
		if schema == nil {
			continue
		}
		required, optional := b.fieldsAround(base, around, schema, name)
		b.addUnless(with(base, around, required))
		b.addUnless(with(base, around, full(schema, required, optional)))
		for i, first := range optional {
			one := first.in(required)
			b.addUnless(with(base, around, one))
			for _, second := range optional[i+1:] {
				b.addUnless(with(base, around, second.in(one)))
			}
		}
	}
}

// nulls adds maps at a node with as many values as may be, or as have to be,
// and a null.
func (b *builder) nulls(node []string) {
	const most = 5_000
	s := schemaAt(b.w.admits.Schema(), node)
	if s == nil || s.AdditionalSchema() == nil {
		return
	}
	bounds := s.Values()
	for _, size := range []int64{
		valueOr(bounds.MaxProperties, most+1), max(valueOr(bounds.MinProperties, 0), 1) - 1,
	} {
		if size < 0 || size > most {
			continue
		}
		for _, base := range b.bases {
			known := valuesAt(base, append(slices.Clone(node), valueStep))
			values := map[string]any{"n": nil}
			for i := range size {
				value := generate.Object(b.random, s.AdditionalSchema())
				if len(known) > 0 && known[0] != nil {
					value = known[0]
				}
				values[fmt.Sprintf("x%d", i)] = value
			}
			b.addUnless(with(base, node, values))
		}
	}
}

// nullPairs adds updates of a map from a default to a null, which is replaced
// by it, and the other way round.
func (b *builder) nullPairs(node []string) {
	c := b.w.change
	if c.Keyword != "default" || !strings.Contains(c.Message, "oldSelf") {
		return
	}
	for _, base := range b.bases {
		null := with(base, node, map[string]any{"k": nil})
		for _, value := range []any{c.Old, c.New} {
			given := with(base, node, map[string]any{"k": value})
			if value != nil && null != nil && given != nil {
				b.add(null, given)
				b.add(given, null)
			}
		}
	}
}

// full returns a copy of an object with as many fields as its definition allows
// next to its defaults: unknown ones, if it keeps them, or some of the optional
// ones.
func full(s *structural.Schema, object map[string]any, optional []fieldValue) map[string]any {
	const most = 64
	copied := jsonvalue.DeepCopy(object).(map[string]any)
	bound := s.Values().MaxProperties
	if bound == nil || *bound > most {
		return copied
	}
	count := func() int64 {
		n := len(copied)
		for _, name := range s.PropertyNames() {
			if _, isPresent := copied[name]; !isPresent && s.Property(name).Default() != nil {
				n++
			}
		}
		return int64(n)
	}
	for i := 0; !isPruning(s) && count() < *bound; i++ {
		copied[fmt.Sprintf("x%d", i)] = "x"
	}
	for _, f := range optional {
		if _, isPresent := copied[f.name]; !isPresent && isPruning(s) {
			if copied[f.name] = f.value; count() > *bound {
				delete(copied, f.name)
			}
		}
	}
	return copied
}

// addUnless adds an object, if it is one. Where null is what differs, one with
// null at the change is added too.
func (b *builder) addUnless(object map[string]any) {
	if object == nil {
		return
	}
	b.add(object, nil)
	if c := b.w.change; c.Keyword == "nullable" {
		if null := with(object, c.target.node, nil); null != nil {
			b.add(null, nil)
		}
	}
}

// fieldValue is a field and a value that it may have.
type fieldValue struct {
	name  string
	value any
}

// in returns a copy of an object with the field.
func (f fieldValue) in(object map[string]any) map[string]any {
	copied := jsonvalue.DeepCopyMap(object)
	copied[f.name] = f.value
	return copied
}

// fieldsAround returns an object with the required fields of a node, and values
// for the other ones, all without the field of the change.
func (b *builder) fieldsAround(
	base map[string]any, around []string, schema *structural.Schema, without string,
) (required map[string]any, optional []fieldValue) {
	const mostFields, mostValues = 8, 2
	required = map[string]any{}
	present := map[string]any{}
	for _, v := range valuesAt(base, around) {
		if object, ok := v.(map[string]any); ok {
			present = object
		}
	}
	literals := b.w.literalsOfMessage()
	for _, name := range schema.Values().Required {
		if schema.Property(name) == nil && name != without { // kept without a schema
			required[name] = cmp.Or(present[name], any("x"))
		}
	}
	for _, name := range schema.PropertyNames() {
		value, isPresent := present[name]
		switch isRequired := slices.Contains(schema.Values().Required, name); {
		case name == without:
			continue
		case isRequired && isPresent:
			required[name] = value
			continue
		case isRequired:
			required[name] = generate.Object(b.random, schema.Property(name))
			continue
		case len(optional) >= mostFields*mostValues:
			continue
		}
		if isPresent {
			optional = append(optional, fieldValue{name, value})
		}
		for range mostValues {
			optional = append(optional,
				fieldValue{name, generate.Object(b.random, schema.Property(name))})
		}
		of := &node{Schema: schema.Property(name)}
		for _, literal := range append(slices.Clone(literals), b.w.change.New) {
			if isOfType(literal, of.Type()) {
				optional = append(optional, fieldValue{name, literal})
			}
		}
	}
	return required, optional
}

// literalsOfMessage returns the literals of the rule that the values may meet.
func (w *witnessSearch) literalsOfMessage() []any {
	rule, isMet := strings.CutPrefix(w.change.Message, meetsText)
	if !isMet {
		return nil
	}
	const most = 8
	list := parseExpression(rule).literals()
	return list[:min(len(list), most)]
}

// isOfType reports whether a scalar or a list is of a type.
func isOfType(v any, of string) bool {
	switch v.(type) {
	case []any:
		return of == "array"
	case string:
		return of == "string"
	case bool:
		return of == "boolean"
	case int64:
		return of == "integer" || of == "number"
	}
	return false
}

// keys adds lists around the node with two items, of which one or both lack the
// field: an item that gets it by its default may equal another one.
func (b *builder) keys(node []string) {
	at := len(node) - 1
	for at >= 0 && node[at] != itemStep {
		at--
	}
	if at <= 0 || at == len(node)-1 {
		return
	}
	list, below := node[:at], node[at+1:]
	items := schemaAt(b.w.admits.Schema(), node[:at+1])
	for _, base := range b.bases {
		values := append(valuesAt(base, node[:at+1]), generate.Object(b.random, items))
		for _, value := range values {
			item, ok := value.(map[string]any)
			if !ok {
				continue
			}
			lacking := with(item, below, removed{})
			for _, filled := range []any{b.w.change.New, b.w.change.Old} {
				if other := with(item, below, filled); filled != nil && lacking != nil {
					b.addUnless(with(base, list, []any{lacking, other}))
				}
			}
			if lacking != nil {
				b.addUnless(with(base, list, []any{lacking, jsonvalue.DeepCopyMap(lacking)}))
			}
		}
	}
}
