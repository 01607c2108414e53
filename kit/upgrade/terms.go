package upgrade

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/crdsem/crdsem/internal/base/quantity"
	"github.com/crdsem/crdsem/internal/kit/entail"
	"github.com/crdsem/crdsem/internal/kit/relang"
)

// kindOfTerm is the kind of values of a term.
type kindOfTerm int

const (
	otherTerm kindOfTerm = iota
	boolTerm
	textTerm
	intTerm
	doubleTerm
	amountTerm // quantities and durations
)

func (k kindOfTerm) isNumber() bool { return k == intTerm || k == doubleTerm }

func (k kindOfTerm) isOrdered() bool { return k >= intTerm }

// term is a value that conditions compare: of a field, of a size, or of what a
// function returns for one. Its variable says in which range the value is.
type term struct {
	key     string
	kind    kindOfTerm
	present entail.Condition // nil if it always has a value
	path    []string         // of a field
	isOld   bool
	// isEither is set for what may be an integer or a string.
	isEither bool
	// literal is the value of a constant.
	literal *point
	points  []point  // ranges are between them, in order
	low     float64  // the least value
	high    float64  // the largest one
	texts   []string // with which a text is compared
	size    *term    // the size of a text
	is      *entail.Variable
}

// point is a literal with which a term is compared.
type point struct {
	number   float64
	quantity *quantity.Quantity
	literal  any // as a field has it
}

func (p point) compare(q point) int {
	if p.quantity != nil && q.quantity != nil {
		return p.quantity.Compare(*q.quantity)
	}
	return cmp.Compare(p.number, q.number)
}

// pointOf returns a literal as the argument of a function, e.g. duration.
func pointOf(function string, literal any) (point, bool) {
	switch v := literal.(type) {
	case int64:
		const exact = 1 << 53
		return point{number: float64(v), literal: v}, function == "" && v > -exact && v < exact
	case float64:
		return point{number: v, literal: v}, function == ""
	case string:
		switch function {
		case "quantity":
			q, err := quantity.Parse(v)
			return point{quantity: &q, literal: v}, err == nil
		case "duration":
			d, err := time.ParseDuration(v)
			return point{number: float64(d), literal: v}, err == nil
		}
	}
	return point{}, false
}

// at adds a literal with which the term is compared.
func (t *term) at(p point) {
	if !slices.ContainsFunc(t.points, func(q point) bool { return p.compare(q) == 0 }) {
		t.points = append(t.points, p)
	}
}

func (t *term) with(text string) {
	if !slices.Contains(t.texts, text) {
		t.texts = append(t.texts, text)
	}
}

// finish gives the variable its values, when all literals are known. A range
// 2i+1 is the point i, a range 2i what is below it. Of a text, the first values
// are the texts, and those that follow the ranges of the size of another one.
func (t *term) finish() {
	slices.SortFunc(t.points, point.compare)
	switch {
	case t.literal != nil:
	case t.kind == textTerm && t.size != nil && len(t.size.points) > 0:
		t.with("")
		slices.SortFunc(t.size.points, point.compare)
		t.is.Size = len(t.texts) + 2*len(t.size.points) + 1
		t.is.Allows = func(value int) bool {
			return value < len(t.texts) || t.size.allows(value-len(t.texts), 1)
		}
	case t.kind == textTerm:
		t.is.Size = len(t.texts) + 1
	case t.kind == boolTerm:
		t.is.Size = 2
	default:
		t.is.Size = 2*len(t.points) + 1
		t.is.Allows = func(value int) bool { return t.allows(value, t.low) }
	}
}

// bounds returns the bounds of a range. Those of a range between points are
// open.
func (t *term) bounds(value int) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	if t.kind == amountTerm {
		return low, high
	}
	if i := value / 2; value%2 == 1 {
		return t.points[i].number, t.points[i].number
	} else if i > 0 {
		low = t.points[i-1].number
	}
	if i := value / 2; i < len(t.points) {
		high = t.points[i].number
	}
	return low, high
}

// allows reports whether a range has a value that is at least some number.
func (t *term) allows(value int, least float64) bool {
	low, high := t.bounds(value)
	switch {
	case value%2 == 1:
		return low >= least && low <= t.high && (t.kind != intTerm || low == math.Trunc(low))
	case t.kind == intTerm:
		first := max(math.Floor(low)+1, math.Ceil(least))
		return first < high && first <= t.high
	}
	return high > least && low < t.high
}

// order returns the condition that the term and a literal compare in a way.
func (t *term) order(p point, holds func(order int) bool) entail.Condition {
	if t.literal != nil {
		return entail.Constant(entail.Of(holds(t.literal.compare(p))))
	}
	t.at(p)
	return t.where(entail.Is(t.is, func(value int) entail.Truth {
		return entail.Of(holds(t.compare(value, p)))
	}))
}

// compare returns how the values of a range compare with one of the points.
func (t *term) compare(value int, p point) int {
	i := value / 2
	if value%2 == 1 {
		return t.points[i].compare(p)
	}
	if i < len(t.points) && t.points[i].compare(p) <= 0 {
		return -1
	}
	return 1
}

// where returns a condition of the term, which fails if it has no value.
func (t *term) where(c entail.Condition) entail.Condition {
	if t.present == nil {
		return c
	}
	return where(t.present, c)
}

// equals returns the condition that a text is a literal.
func (t *term) equals(text string) entail.Condition {
	if t.literal != nil {
		return entail.Constant(entail.Of(t.literal.literal == any(text)))
	}
	t.with(text)
	return t.where(entail.Is(t.is, func(value int) entail.Truth {
		return entail.Of(value < len(t.texts) && t.texts[value] == text)
	}))
}

// sizeIs returns the condition that the size of a text compares with a number.
func (t *term) sizeIs(n int64, holds func(order int) bool) entail.Condition {
	p := point{number: float64(n), literal: n}
	length := func(text string) int {
		return cmp.Compare(int64(utf8.RuneCountInString(text)), n)
	}
	if t.literal != nil {
		text, _ := t.literal.literal.(string)
		return entail.Constant(entail.Of(holds(length(text))))
	}
	if t.size == nil {
		t.size = &term{kind: intTerm, high: math.Inf(1)}
	}
	t.size.at(p)
	return t.where(entail.Is(t.is, func(value int) entail.Truth {
		if value < len(t.texts) {
			return entail.Of(holds(length(t.texts[value])))
		}
		return entail.Of(holds(t.size.compare(value-len(t.texts), p)))
	}))
}

// test is whether a text matches a pattern. Its variable is that of a text that
// is none of those it is compared with.
type test struct {
	of      *term
	pattern string
	is      *entail.Variable
}

// matches returns the condition that a text matches a pattern, nil if that does
// not compile.
func (l *logic) matches(t *term, pattern string) entail.Condition {
	matcher, err := regexp.Compile(pattern)
	if err != nil {
		return nil
	}
	if t.literal != nil {
		text, _ := t.literal.literal.(string)
		return entail.Constant(entail.Of(matcher.MatchString(text)))
	}
	key := t.key + " matches " + pattern
	is := l.variables[key]
	if is == nil {
		is = l.variable(key, 2)
		l.tests = append(l.tests, &test{t, pattern, is})
	}
	return t.where(func(m *entail.Model) (entail.Truth, *entail.Variable) {
		value, has := m.Value(t.is)
		switch {
		case !has:
			return entail.False, t.is
		case value < len(t.texts):
			return entail.Of(matcher.MatchString(t.texts[value])), nil
		}
		return entail.Is(is, func(value int) entail.Truth { return entail.Of(value == 1) })(m)
	})
}

// pair is how two terms compare: its variable is 0 if the first is less, 1 if
// they are equal, 2 if it is more.
type pair struct {
	a, b *term
	is   *entail.Variable
}

// compared returns the condition that two terms compare in a way.
func (l *logic) comparedTerms(a, b *term, holds func(order int) bool) entail.Condition {
	if a.literal != nil && b.literal != nil {
		return entail.Constant(entail.Of(holds(a.literal.compare(*b.literal))))
	}
	if b.key < a.key {
		turned := holds
		a, b, holds = b, a, func(order int) bool { return turned(-order) }
	}
	key := "pair:" + a.key + " " + b.key
	is := l.variables[key]
	if is == nil {
		is = l.variable(key, 3)
		l.pairs = append(l.pairs, &pair{a, b, is})
	}
	return a.where(b.where(entail.Is(is, func(value int) entail.Truth {
		return entail.Of(holds(value - 1))
	})))
}

// isConsistent reports whether there may be an object of a model: texts that
// match what they match, and pairs whose ranges compare as they do.
func (l *logic) isConsistent(m *entail.Model, isWhole bool) bool {
	for _, p := range l.pairs {
		if order, has := m.Value(p.is); has && !p.isPossible(m, order-1) {
			return false
		}
	}
	const most = 16
	switch {
	case !isWhole:
		return true
	case !l.isOrder(m):
		return false
	case l.compared > most:
		return true
	}
	l.compared++
	done := map[*term]bool{}
	for _, t := range l.tests {
		if !done[t.of] && !l.isText(m, t.of) {
			return false
		}
		done[t.of] = true
	}
	return true
}

// isOrder reports whether the pairs of a model are those of an order: what is
// less than another value is less than those above it.
func (l *logic) isOrder(m *entail.Model) bool {
	const most = 12
	if len(l.pairs) < 3 || len(l.pairs) > most {
		return true
	}
	least := map[[2]*term]int{} // how the terms compare, as far as it is known
	for _, p := range l.pairs {
		if order, has := m.Value(p.is); has {
			least[[2]*term{p.a, p.b}], least[[2]*term{p.b, p.a}] = order-1, 1-order
		}
	}
	for first, order := range least {
		for second, next := range least {
			whole, isKnown := least[[2]*term{first[0], second[1]}]
			if first[1] != second[0] || !isKnown || order > 0 || next > 0 {
				continue
			}
			if whole > 0 || whole == 0 && order+next < 0 || whole < 0 && order+next == 0 {
				return false
			}
		}
	}
	return true
}

func (p *pair) isPossible(m *entail.Model, order int) bool {
	if p.a.kind == textTerm && p.b.kind == textTerm {
		a, knownA := p.a.textIn(m)
		b, knownB := p.b.textIn(m)
		return !knownA || !knownB || cmp.Compare(a, b) == order
	}
	if !p.a.kind.isNumber() || !p.b.kind.isNumber() {
		return true
	}
	lowA, highA, pointA := p.a.rangeIn(m)
	lowB, highB, pointB := p.b.rangeIn(m)
	isClosed := pointA && pointB
	switch order {
	case -1:
		return lowA < highB
	case 1:
		return highA > lowB
	}
	return lowA < highB && lowB < highA || isClosed && lowA == lowB
}

// textIn returns the text of a term in a model, if it is known.
func (t *term) textIn(m *entail.Model) (text string, isKnown bool) {
	if t.literal != nil {
		text, isKnown = t.literal.literal.(string)
		return text, isKnown
	}
	value, has := m.Value(t.is)
	if !has || value >= len(t.texts) {
		return "", false
	}
	return t.texts[value], true
}

// rangeIn returns the bounds of a number in a model, and whether it is one
// point.
func (t *term) rangeIn(m *entail.Model) (low, high float64, isPoint bool) {
	if t.literal != nil {
		return t.literal.number, t.literal.number, true
	}
	value, has := m.Value(t.is)
	if !has {
		return t.low - 1, t.high + 1, false
	}
	low, high = t.bounds(value)
	if value%2 == 1 {
		return low, high, true
	}
	return max(low, t.low-1), min(high, t.high+1), false
}

// isText reports whether there is a text that matches what a model says.
func (l *logic) isText(m *entail.Model, t *term) bool {
	value, has := m.Value(t.is)
	if !has || value < len(t.texts) {
		return true
	}
	in, not := relang.Language{}, []string{}
	if t.size != nil && len(t.size.points) > 0 {
		in.MinLength, in.MaxLength = t.lengths(value - len(t.texts))
	}
	count := 0
	for _, other := range l.tests {
		if is, has := m.Value(other.is); has && other.of == t {
			if count++; is == 1 {
				in.Patterns = append(in.Patterns, other.pattern)
			} else {
				not = append(not, "(?:"+other.pattern+")")
			}
		}
	}
	if count < 2 && in.MinLength == nil && in.MaxLength == nil && len(t.texts) == 0 {
		return true
	}
	for _, text := range t.texts {
		not = append(not, exactly([]any{text}))
	}
	outcome := relang.Shortest(l.judges.ctx, in)
	if len(not) > 0 {
		joined := not[0]
		for _, pattern := range not[1:] {
			joined += "|" + pattern
		}
		outcome = relang.Difference(l.judges.ctx, in, relang.Language{Patterns: []string{joined}})
	}
	return !outcome.Decided || outcome.Found
}

// lengths returns the bounds of a range of sizes.
func (t *term) lengths(value int) (low, high *int64) {
	from, to := t.size.bounds(value)
	least, most := int64(1), int64(math.MaxInt32)
	if value%2 == 1 {
		least, most = int64(from), int64(from)
		return &least, &most
	}
	if from > 0 {
		least = int64(from) + 1
	}
	if to < math.MaxInt32 {
		most = int64(to) - 1
	}
	return &least, &most
}
