package upgrade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/structural"
)

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
