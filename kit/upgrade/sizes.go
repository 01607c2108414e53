package upgrade

import (
	"math"
	"math/rand/v2"
	"slices"

	"cel.dev/cel-go/common/ast"
	"github.com/crdsem/crdsem/internal/kit/entail"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/structural"
)

func valueOr(bound *int64, absent int64) int64 {
	if bound == nil {
		return absent
	}
	return *bound
}

// refusesByMaxItems answers for lists, whose items are taken to be of many
// values unless they must differ.
func refusesByMaxItems(from, to *node) answer {
	bound := *to.values.MaxItems
	most := valueOr(from.values.MaxItems, math.MaxInt64)
	switch {
	case !from.admits("array"), most <= bound:
		return answer{verdict: no}
	case valueOr(from.values.MinItems, 0) > most:
		return answer{verdict: no} // no list was valid
	case float64(bound) >= mostItems(from):
		return answer{verdict: no}
	case listType(from.Schema) != structural.ListAtomic && !hasItems(from, bound):
		return shownByItems(from, bound)
	}
	return answer{verdict: yes}
}

// shownByItems returns the answer yes if made items that differ are a list that
// the node accepts and that has more items than a bound. Otherwise it is open.
func shownByItems(n *node, bound int64) answer {
	const most = 8
	if bound >= most || n.Items() == nil || isTooLarge(n.Schema) || n.HasRules() ||
		n.HasEmbeddedResources() || listType(n.Schema) == structural.ListMap && bound > 0 {
		return answer{}
	}
	random := rand.New(rand.NewPCG(1, 8))
	var list []any
	for range 4 * most {
		item := generate.Object(random, n.Items())
		if item != nil && len(without([]any{item}, list)) > 0 && int64(len(list)) <= bound {
			list = append(list, item)
		}
	}
	if int64(len(list)) <= bound || !n.accepts(list) {
		return answer{}
	}
	return answer{yes, []any{list}}
}

// hasItems reports whether there are surely more distinct items than a number.
func hasItems(n *node, number int64) bool {
	keys := []*structural.Schema{n.Items()}
	if listType(n.Schema) == structural.ListMap {
		keys = nil
		for _, key := range n.ListMapKeys() {
			keys = append(keys, n.Items().Property(key))
		}
	}
	return slices.ContainsFunc(keys, func(s *structural.Schema) bool {
		return distinct(n.judges.node(s)) > float64(number)
	})
}

// mostItems returns how many items a list of a node has at most: because they
// or their keys differ and have few values, or because each one is refused.
// Without such a bound it is infinite.
func mostItems(n *node) float64 {
	count := func(s *structural.Schema) float64 {
		if s == nil || s.Type() != "boolean" && s.Type() != "string" || s.Values().Format != "" {
			return math.Inf(1)
		}
		item := n.judges.node(s)
		values := item.finite()
		if values == nil {
			return math.Inf(1)
		}
		return float64(len(slices.DeleteFunc(values, func(v any) bool {
			return !item.accepts(v)
		})))
	}
	v := voids{judges: n.judges}
	switch {
	case n.Items() == nil || n.Type() != "array" || n.values.Format != "":
	case !n.Items().Nullable() && v.isVoid(n.Items(), []string{"", anyChild}):
		return 0
	case listType(n.Schema) == structural.ListSet:
		return count(n.Items())
	case listType(n.Schema) == structural.ListMap:
		most := 1.0
		for _, key := range n.ListMapKeys() {
			most *= count(n.Items().Property(key))
		}
		return most
	}
	return math.Inf(1)
}

// distinct returns how many values a node accepts at least, 0 if that is not
// known.
func distinct(n *node) float64 {
	const letters = 1 << 16 // there are more
	v := n.values
	switch {
	case len(v.Enum) > 0 || v.MultipleOf != nil || junctorAbout(v, nil) != "":
		return 0
	case n.Type() == "string" && v.Pattern == "" && v.Format == "":
		return math.Pow(letters, float64(min(valueOr(v.MaxLength, 4), 4)))
	case n.Type() == "integer" && n.isSound(v.Minimum, v.Maximum):
		low, high := n.interval()
		return high - low - 1
	}
	return 0
}

func refusesByMinItems(from, to *node) answer {
	least := valueOr(from.values.MinItems, 0)
	if !from.admits("array") || least >= *to.values.MinItems ||
		least > valueOr(from.values.MaxItems, math.MaxInt64) {
		return answer{verdict: no}
	}
	if least <= 0 {
		return answer{yes, []any{[]any{}}}
	}
	return answer{verdict: yes}
}

// properties returns the bounds of the number of properties of the node's valid
// values: those that are always there, and those that may be.
func (n *node) properties() (low, high int64) {
	names, present := n.PropertyNames(), map[string]bool{}
	low, high = valueOr(n.values.MinProperties, 0), valueOr(n.values.MaxProperties, math.MaxInt64)
	for _, name := range n.values.Required {
		present[name] = true
	}
	for _, s := range n.values.AllOf {
		v := s.Values()
		low = max(low, valueOr(v.MinProperties, 0))
		high = min(high, valueOr(v.MaxProperties, math.MaxInt64))
		for _, name := range v.Required {
			present[name] = true
		}
	}
	if not := n.values.Not; not != nil && isOnlyBound(not) {
		low = max(low, valueOr(not.Values().MaxProperties, -1)+1)
		high = min(high, valueOr(not.Values().MinProperties, math.MaxInt64)-1)
	}
	for _, name := range names {
		if n.Property(name).Default() != nil {
			present[name] = true
		}
	}
	low = max(low, int64(len(present)))
	if !n.keepsUnknown() {
		high = min(high, int64(len(names)))
	}
	return low, high
}

// isOnlyBound reports whether a branch has one bound of properties, and nothing
// else.
func isOnlyBound(s *structural.Schema) bool {
	for name, bound := range map[string]*int64{
		"maxProperties": s.Values().MaxProperties, "minProperties": s.Values().MinProperties,
	} {
		if bound != nil {
			only, err := structural.FromMap(map[string]any{name: *bound})
			return err == nil && structural.Equal(s, only)
		}
	}
	return false
}

// keepsUnknown reports whether the node keeps fields that it does not declare.
func (n *node) keepsUnknown() bool {
	return n.PreservesUnknownFields() || n.AdditionalProperties() != nil || n.EmbeddedResource() ||
		n.isMetadata
}

func refusesByMaxProperties(from, to *node) answer {
	low, high := from.properties()
	return decided(from.admits("object") && low <= high && high > *to.values.MaxProperties)
}

func refusesByMinProperties(from, to *node) answer {
	low, high := from.properties()
	if !from.admits("object") || low >= *to.values.MinProperties || low > high {
		return answer{verdict: no}
	}
	if low == 0 {
		return answer{yes, []any{map[string]any{}}}
	}
	return answer{verdict: yes}
}

// refusesByListType answers for duplicates in lists.
func refusesByListType(from, to *node) answer {
	was, is := listType(from.Schema), listType(to.Schema)
	if is == structural.ListAtomic || !from.admits("array") ||
		valueOr(from.values.MaxItems, 2) < 2 || isKeptApart(from, to) {
		return answer{verdict: no}
	}
	if was != structural.ListAtomic {
		return answer{} // items differ, but perhaps in other fields
	}
	return answer{verdict: yes}
}

// isKeptApart reports whether items that differ to one node do to the other.
func isKeptApart(from, to *node) bool {
	was, is := listType(from.Schema), listType(to.Schema)
	switch {
	case was == structural.ListAtomic:
		return false
	case was == structural.ListMap && is == structural.ListMap:
		return !hasOther(from.ListMapKeys(), to.ListMapKeys())
	}
	return is == structural.ListSet
}

// sizeOf returns a function that compares the size of what an expression asks
// it of, or of a value that is compared with an empty list. It is nil for
// anything else.
func (l *logic) sizeOf(e ast.Expr, s scope) func(int64, func(order int) bool) entail.Condition {
	if isCallOf(e, "size") {
		e = append(targetOf(e.AsCall()), e.AsCall().Args()...)[0]
	} else if at, ok := s.selected(e); !ok || l.schemaIf(at, ok, s) == nil ||
		l.changed(at.path).Type() != "array" {
		return nil
	}
	if call := filtered(e); call != nil {
		return func(n int64, holds func(order int) bool) entail.Condition {
			return l.countOf(call, s, func(count int) bool {
				return holds(jsonOrder(int64(count), n))
			})
		}
	}
	at, ok := s.selected(e)
	if schema := l.schemaIf(at, ok, s); schema == nil || schema.Type() == "" || s.isNull(at) {
		return nil
	} else if schema.Type() == "string" {
		t := l.term(e, s)
		if t == nil {
			return nil
		}
		return t.sizeIs
	}
	t := l.sizeTerm(at, s)
	return func(n int64, holds func(order int) bool) entail.Condition {
		return t.order(point{number: float64(n), literal: n}, holds)
	}
}

func jsonOrder(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// sizeTerm returns the size of a list or of a map.
func (l *logic) sizeTerm(at name, s scope) *term {
	if value, isKnown := s.literal(at); isKnown {
		n := int64(0)
		switch value := value.(type) {
		case []any:
			n = int64(len(value))
		case map[string]any:
			n = int64(len(value))
		}
		return &term{kind: intTerm, literal: &point{number: float64(n), literal: n}}
	}
	return l.named(s.key("size", at.path, at.isOld), func(t *term) {
		t.kind, t.low, t.present = intTerm, 0, l.present(at.path, at.isOld, s)
	})
}
