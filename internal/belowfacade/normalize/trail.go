package normalize

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/structural"
)

// A trail keeps where a walk changed something. Steps are kept once, whatever
// the number of changes below them, and paths are rendered when the walk is
// over: a key of 300 KB above 100,000 changes takes 300 KB, not 30 GB.
type trail struct {
	places []place // the first one is the root
	marks  []mark
}

// place is a kept step.
type place struct {
	parent int
	step   step
	long   [styles]int // the lengths of its paths
}

// mark is a change at a place.
type mark struct {
	action     structural.Action
	style      style // of the path
	at, schema int   // places
	value      any   // see structural.Change
}

// style is a way to render a path.
type style uint8

const (
	// byPruning joins keys with dots, and quotes none (PRN-021).
	byPruning style = iota
	// byField has keys of additionalProperties in brackets (META-005).
	byField
	// bySchema is the way through the schema, as far as there is one.
	bySchema
	styles
	// byPointer is a JSON Pointer.
	byPointer = styles
)

const schemaRoot = "openAPIV3Schema"

// keep returns the place of a step.
func (t *trail) keep(s *step) int {
	if len(t.places) == 0 {
		root := place{long: [styles]int{bySchema: len(schemaRoot)}}
		t.places = append(make([]place, 0, 4), root)
	}
	if s == nil {
		return 0
	}
	if s.kept == 0 {
		own := step{key: strings.Clone(s.key), index: s.index, kind: s.kind}
		s.kept = t.below(t.keep(s.parent), own)
	}
	return s.kept
}

// below keeps a step below a place.
func (t *trail) below(parent int, s step) int {
	text := make([]byte, 0, 64) // most steps are shorter
	p := place{parent: parent, step: s, long: t.places[parent].long}
	for i := range styles {
		p.long[i] += len(p.appendTo(text, i))
	}
	t.places = append(t.places, p)
	return len(t.places) - 1
}

// appendTo appends what a step adds to a path.
func (p *place) appendTo(b []byte, as style) []byte {
	switch kind := p.step.kind; {
	case as == bySchema:
		return p.appendSchema(b)
	case as == byPointer:
		return p.appendPointer(b)
	case kind == toItem || kind == toBareItem:
		return append(strconv.AppendInt(append(b, '['), int64(p.step.index), 10), ']')
	case as == byField && (kind == toAdditional || kind == toProperty && p.step.key == ""):
		// as field.Path has it
		return append(append(append(b, '['), p.step.key...), ']')
	case p.parent != 0:
		b = append(b, '.')
	}
	return append(b, p.step.key...)
}

func (p *place) appendPointer(b []byte) []byte {
	b = append(b, '/')
	if kind := p.step.kind; kind == toItem || kind == toBareItem {
		return strconv.AppendInt(b, int64(p.step.index), 10)
	}
	if p.step.kind != toUnknown && !strings.ContainsAny(p.step.key, "~/") {
		return append(b, p.step.key...)
	}
	keys := []string{p.step.key}
	if p.step.kind == toUnknown {
		keys = metadata.UnknownKeys(p.step.key)
	}
	var at structural.Pointer
	for _, key := range keys {
		at = at.Append(key)
	}
	return append(b, at[1:]...)
}

func (p *place) appendSchema(b []byte) []byte {
	switch p.step.kind {
	case toItem:
		return append(b, ".items"...)
	case toBareItem:
		return b
	case toAdditional:
		return append(b, ".additionalProperties"...)
	default:
		return append(append(append(b, ".properties["...), p.step.key...), ']')
	}
}

// appendPath appends the path of a place.
func (t *trail) appendPath(b []byte, at int, as style) []byte {
	switch p := &t.places[at]; {
	case at != 0:
		return p.appendTo(t.appendPath(b, p.parent, as), as)
	case as == bySchema:
		return append(b, schemaRoot...)
	}
	return b
}

// change renders a change. Its paths share one string.
func (t *trail) change(m mark, scratch []byte) (c structural.Change, text []byte) {
	text = t.appendPath(scratch[:0], m.at, m.style)
	end := len(text)
	text = t.appendPath(text, m.schema, bySchema)
	last := len(text)
	text = t.appendPath(text, m.at, byPointer)
	paths := string(text)
	return structural.Change{
		Action: m.action, Path: paths[:end], Schema: paths[end:last],
		Pointer: structural.Pointer(paths[last:]), Value: m.value,
	}, text
}

// size returns the length of the paths of a change.
func (t *trail) size(m mark) int {
	return t.places[m.at].long[m.style] + t.places[m.schema].long[bySchema]
}

// changes returns the changes, ordered by the server's order of steps, then by
// path. If all would take more than a number of bytes, the last ones are
// omitted.
func (t *trail) changes(most int) Changes {
	total := 0
	for _, m := range t.marks {
		total += t.size(m)
	}
	listed := t.marks
	var omitted []mark
	if total > most {
		listed, omitted = t.cut(most)
	}
	c := Changes{List: make([]structural.Change, 0, len(listed)), Omitted: len(omitted)}
	text := make([]byte, 0, 256) // most paths are shorter
	for _, m := range listed {
		var one structural.Change
		one, text = t.change(m, text)
		c.List = append(c.List, one)
	}
	sortChanges(c.List)
	for _, m := range omitted {
		switch m.action {
		case structural.Pruned, structural.MetadataPruned:
			c.OmittedUnknown++
		case structural.Defaulted:
			c.OmittedDefaults++
		}
	}
	return c
}

// cut orders the marks, whose paths together take more than a number of bytes,
// and tells those that have room from those that do not.
func (t *trail) cut(most int) (listed, omitted []mark) {
	rank := t.ranks()
	slices.SortStableFunc(t.marks, func(a, b mark) int {
		return cmp.Or(
			cmp.Compare(stepOf(a.action), stepOf(b.action)),
			cmp.Compare(rank[a.at], rank[b.at]),
		)
	})
	n := 0
	for most -= t.size(t.marks[0]); most >= 0; most -= t.size(t.marks[n]) {
		n++
	}
	return t.marks[:n], t.marks[n:]
}

// ranks returns the order of the places: those below a place follow it, in the
// order of their steps.
func (t *trail) ranks() []int {
	below := make([][]int, len(t.places))
	for i := 1; i < len(t.places); i++ {
		parent := t.places[i].parent
		below[parent] = append(below[parent], i)
	}
	rank, next, todo := make([]int, len(t.places)), 0, []int{0}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		rank[at] = next
		next++
		slices.SortFunc(below[at], func(a, b int) int {
			return compareSteps(&t.places[b].step, &t.places[a].step)
		})
		todo = append(todo, below[at]...)
	}
	return rank
}

func compareSteps(a, b *step) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.index, b.index),
		cmp.Compare(a.kind, b.kind))
}

// precedes reports whether a place comes before another one: by the order of
// their steps below the last place that both are below. Neither is below the
// other.
func (t *trail) precedes(a, b int) bool {
	up, other := t.ancestors(a), t.ancestors(b)
	for up[len(up)-1] == other[len(other)-1] {
		up, other = up[:len(up)-1], other[:len(other)-1]
	}
	x, y := up[len(up)-1], other[len(other)-1]
	return compareSteps(&t.places[x].step, &t.places[y].step) < 0
}

// ancestors returns a place and all above it, the highest last.
func (t *trail) ancestors(at int) (list []int) {
	for ; at != 0; at = t.places[at].parent {
		list = append(list, at)
	}
	return list
}
