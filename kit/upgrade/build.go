package upgrade

import (
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
