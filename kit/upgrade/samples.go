package upgrade

import (
	"math/rand/v2"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/relang"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/prune"
	"github.com/crdsem/crdsem/structural"
)

// What a junctor refuses is seen by values of its node: ones that its keywords
// bring to mind, and made ones.

// deeper is a hint: a value at a place below the node, or its removal.
type deeper struct {
	node  []string
	value any
}

// hintsBelow returns values below a node for which branches may make a
// difference.
func hintsBelow(n *node, at []string, branches []*structural.Schema) (hints []any) {
	child := func(step string, s, of *structural.Schema) {
		if s == nil || of == nil {
			return
		}
		place, values := append(slices.Clone(at), step), n.judges.node(of)
		for _, v := range valuesNear(values, []*structural.Schema{s}) {
			if values.accepts(v) {
				hints = append(hints, deeper{place, v})
			}
		}
		hints = append(hints, hintsBelow(values, place, []*structural.Schema{s})...)
	}
	for _, s := range branches {
		v := s.Values()
		for _, name := range v.Required {
			place := append(slices.Clone(at), memberStep+name)
			hints = append(hints, deeper{place, removed{}})
			of := schemaAt(n.Schema, []string{memberStep + name})
			if of == nil && n.keepsUnknown() {
				hints = append(hints, deeper{place, "x"})
			}
			if of != nil && !isTooLarge(of) {
				random := rand.New(rand.NewPCG(1, 7))
				hints = append(hints, deeper{place, generate.Object(random, of)})
			}
		}
		for name, property := range s.Properties() {
			child(memberStep+name, property, n.Property(name))
		}
		child(itemStep, s.Items(), n.Items())
		child(valueStep, s.AdditionalSchema(), n.AdditionalSchema())
		hints = append(hints,
			hintsBelow(n, at, slices.Concat(v.AllOf, v.AnyOf, v.OneOf, one(v.Not)))...)
	}
	return hints
}

// valuesNear returns values for which branches may make a difference.
func valuesNear(n *node, branches []*structural.Schema) []any {
	values := []any{"", "x", true, false, nil, []any{}, map[string]any{}}
	if enum := n.enum(); len(enum) > 0 {
		values = append(values, enum[:min(len(enum), 10)]...)
	}
	if n.admits("string") {
		values = slices.Concat(values, n.someTexts(), n.made())
	}
	near := []*node{n}
	for _, s := range branches {
		near = append(near, n.judges.node(s))
		enum := s.Values().Enum
		values = append(values, enum[:min(len(enum), 10)]...)
		for _, member := range enum[:min(len(enum), 10)] { // 97 is found in ["a"]
			if integer, isOne := asInteger(member); isOne {
				values = append(values, integer)
			}
		}
		values = append(values, n.textsAround(s.Values())...)
		for _, name := range s.Values().Required {
			values = append(values,
				map[string]any{name: ""}, map[string]any{name: map[string]any{}})
		}
	}
	return append(values, numbers(near...)...)
}

// textsAround returns strings of the lengths around the bounds of a branch, and
// some that the node accepts and a pattern of the branch does not.
func (n *node) textsAround(v *structural.ValueValidation) (texts []any) {
	const most = 1 << 8
	if n.admits("string") && v.Pattern != "" {
		found := relang.Difference(n.judges.ctx, n.language(),
			relang.Language{Patterns: []string{v.Pattern}})
		if found.Found && !found.Long {
			texts = append(texts, found.Word)
		}
	}
	if language := n.language(); n.admits("string") && v.MaxLength != nil && *v.MaxLength < most {
		found := relang.Difference(n.judges.ctx, language, relang.Language{MaxLength: v.MaxLength})
		if found.Found && !found.Long {
			texts = append(texts, found.Word)
		}
	}
	for _, bound := range []*int64{v.MinLength, v.MaxLength} {
		for length := valueOr(bound, 0) - 1; bound != nil && length <= *bound+1; length++ {
			if length >= 0 && length <= most {
				texts = append(texts, strings.Repeat("x", int(length)))
			}
		}
	}
	return texts
}

// listsAround returns lists of the sizes around the bounds of branches.
func (n *node) listsAround(branches []*structural.Schema) (lists []any) {
	const most = 1 << 8
	if n.values.Format != "" && n.Type() == "string" { // it takes any list (VAL-022)
		for size := range 4 {
			lists = append(lists, make([]any, size))
			for i := range size {
				lists[size].([]any)[i] = int64(i)
			}
		}
		return lists
	}
	if n.Type() != "array" || n.Items() == nil || isTooLarge(n.Schema) {
		return nil
	}
	random := rand.New(rand.NewPCG(1, 6))
	for _, s := range branches {
		for _, bound := range []*int64{s.Values().MinItems, s.Values().MaxItems} {
			if bound == nil || *bound < 0 || *bound > most {
				continue
			}
			var list []any
			for tries := int64(0); int64(len(list)) <= *bound && tries <= 4**bound; tries++ {
				item := generate.Object(random, n.Items())
				isNew := len(without([]any{item}, list)) > 0
				if isNew || listType(n.Schema) != structural.ListSet {
					list = append(list, item)
				}
			}
			if len(list) > 0 {
				lists = append(lists, list, list[:len(list)-1])
			}
		}
	}
	return lists
}

// samples returns values of the node, and copies with values at places below
// it.
func (n *node) samples(changed *node, below []any) (values []any) {
	const mostMade, mostBelow = 3, 32
	if n.Type() != "object" && n.Type() != "array" || isTooLarge(n.Schema) ||
		isTooLarge(changed.Schema) {
		return nil
	}
	random := rand.New(rand.NewPCG(1, 4))
	for range mostMade {
		values = append(values, generate.Object(random, n.Schema),
			generate.Object(random, changed.Schema))
	}
	for _, v := range slices.Clone(values) {
		for _, hint := range below[:min(len(below), mostBelow)] {
			d := hint.(deeper)
			_, isRemoval := d.value.(removed)
			copied := jsonvalue.DeepCopy(v)
			if replaceAt(copied, d.node, func(any) (any, bool) {
				return jsonvalue.DeepCopy(d.value), !isRemoval
			}) {
				values = append(values, copied)
			}
		}
	}
	return values
}

// isRefused reports whether a junctor of a node refuses a value that another
// node accepts, each as it reads the value.
func isRefused(v any, from, to *node, junctor string) bool {
	before := from.read(v)
	if before == nil && v != nil || !from.accepts(before) || to.accepts(to.read(v)) {
		return false
	}
	errs := to.all.Values(to.judges.ctx, nil, to.read(v))
	return slices.ContainsFunc(errs, func(err *field.Error) bool {
		return err.Origin == ruleOfJunctor[junctor] && placeOf(err) == ""
	})
}

// ruleOfJunctor are the rules of the errors of junctors.
var ruleOfJunctor = map[string]string{
	"allOf": "VAL-090", "anyOf": "VAL-091", "oneOf": "VAL-092", "not": "VAL-093",
}

// read returns what is stored of a value of the node. It is nil for one with
// fields that are not.
func (n *node) read(v any) any {
	copied := jsonvalue.DeepCopy(v)
	if len(prune.Value(copied, n.Schema)) > 0 {
		return nil
	}
	defaulting.DropNulls(copied, n.Schema)
	defaulting.Default(copied, n.Schema)
	return copied
}

// isJudgedAlone reports whether keywords alone say whether a value of the node
// is admitted, as far as the node is concerned.
func (n *node) isJudgedAlone() bool {
	isUnlike := false
	structural.Visit(n.Schema, structural.Visitor{Spine: func(s *structural.Schema) {
		isUnlike = isUnlike || listType(s) != structural.ListAtomic
	}})
	return !n.isMetadata && !isUnlike && !n.HasEmbeddedResources() && !n.HasRules()
}
