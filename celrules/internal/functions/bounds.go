package functions

import (
	"math"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/celrules/internal/meter"
	"github.com/crdsem/crdsem/internal/base/saturate"
	"github.com/crdsem/crdsem/internal/chapter/profile"
)

// Bound keeps one function within the bounds of an evaluation.
type Bound struct {
	// Before counts what a call will make and read; it panics if that is too
	// much. Arguments that the function does not accept are left to it.
	Before func(m *meter.Meter, args []ref.Val)
	// Run replaces the implementation if it is not nil. It returns nil to leave
	// a call to the implementation.
	Run func(m *meter.Meter, args []ref.Val) ref.Val
	// Reads: Before counts what is read, and nothing else. It need not be
	// called for arguments that are short (see [IsShort]).
	Reads bool
}

// shortString is the length in bytes up to which reading a string takes no time
// worth counting.
const shortString = 1 << 10

// IsShort reports whether a value is no list and no error, and takes no time to
// read.
func IsShort(v ref.Val) bool {
	switch v := v.(type) {
	case types.String:
		return len(v) <= shortString
	case types.Bytes:
		return len(v) <= shortString
	case types.Int, types.Uint, types.Double, types.Bool, types.Null:
		return true
	case traits.Lister:
		return false
	}
	return !types.IsUnknownOrError(v)
}

// BoundOf returns the bound of a function, and false for a function that makes
// and reads little. The overload is empty if it is chosen at run time.
func BoundOf(p *profile.Profile, function, overload string) (Bound, bool) {
	switch function {
	case operators.Add:
		switch overload {
		case "", overloads.AddString, overloads.AddBytes, overloads.AddList:
			return Bound{Before: boundSum}, true
		}
		return Bound{}, false
	case operators.Equals, operators.NotEquals:
		return Bound{Before: boundComparison}, true
	case operators.In:
		return Bound{Before: boundMembership}, true
	case "indexOf":
		return Bound{Before: boundSearch, Run: withinString(p, indexOfString)}, true
	case "lastIndexOf":
		return Bound{Before: boundSearch, Run: withinString(p, lastIndexOfString)}, true
	case "lists.range":
		return Bound{Before: boundRange, Run: rangeOf(p)}, true
	case "findAll":
		return Bound{Before: boundMatch, Run: findAllDynamic}, true
	}
	if before := boundBefore(function); before != nil {
		return Bound{Before: before}, true
	}
	return Bound{Before: boundReading, Reads: true}, !isOperator(function)
}

// boundBefore returns the bound of a function of a library.
func boundBefore(function string) func(*meter.Meter, []ref.Val) {
	switch function {
	case "replace":
		return boundReplace
	case "join":
		return boundJoin
	case "format":
		return boundFormat
	case "strings.quote":
		return boundQuote
	case "split":
		return boundSplit
	case "find", "matches":
		return boundMatch
	case "flatten":
		return boundFlatten
	case "reverse", "slice", "sort", "@sortByAssociatedKeys":
		return boundCopy
	case "distinct":
		return boundDistinct
	case "sets.contains", "sets.equivalent", "sets.intersects":
		return boundSets
	case "includes":
		return boundSearch
	}
	return nil
}

// isOperator reports whether a function is an operator of CEL or of a macro.
func isOperator(function string) bool {
	return strings.ContainsAny(function, "_@")
}

// boundReading counts the strings that a function reads.
func boundReading(m *meter.Meter, args []ref.Val) {
	for _, arg := range args {
		switch arg := arg.(type) {
		case types.String:
			m.Read(uint64(len(arg)))
		case types.Bytes:
			m.Read(uint64(len(arg)))
		case traits.Lister:
			m.Traverse(arg)
		}
	}
}

// boundSum is for `a + b`.
func boundSum(m *meter.Meter, args []ref.Val) {
	switch a := args[0].(type) {
	case types.String:
		if b, ok := args[1].(types.String); ok {
			m.Make(uint64(len(a) + len(b)))
		}
	case types.Bytes:
		if b, ok := args[1].(types.Bytes); ok {
			m.Make(uint64(len(a) + len(b)))
		}
	case traits.Lister:
		if b, ok := args[1].(traits.Lister); ok {
			boundListSum(m, a, b)
		}
	}
}

// boundListSum is for `a + b` of lists. cel-go copies no item of a list that
// the expression made, but what goes through the sum visits them all.
func boundListSum(m *meter.Meter, a, b traits.Lister) {
	sum := saturate.Add(itemsOf(a), itemsOf(b))
	if _, inPlace := a.(traits.MutableLister); inPlace {
		m.MakeItems(itemsOf(b))
		return
	}
	if _, copied := a.(meter.Flat); copied {
		m.MakeItems(sum)
		return
	}
	m.Fits(sum)
	m.MakeItems(1)
}

// itemsOf returns the number of items of a list.
func itemsOf(v ref.Val) uint64 {
	if l, ok := v.(traits.Lister); ok {
		size, _ := l.Size().(types.Int)
		return uint64(max(size, 0))
	}
	return 0
}

func boundComparison(m *meter.Meter, args []ref.Val) { m.Compare(args[0], args[1]) }

func boundMembership(m *meter.Meter, args []ref.Val) {
	if _, ok := args[1].(traits.Lister); ok {
		m.Search(args[1], args[0], 1)
	}
}

// boundSearch is for list.indexOf(item) and the like.
func boundSearch(m *meter.Meter, args []ref.Val) {
	boundReading(m, args)
	if _, ok := args[0].(traits.Lister); ok && len(args) > 1 {
		m.Search(args[0], args[1], 1)
	}
}

// boundDistinct is for a comparison of each item with each other one.
func boundDistinct(m *meter.Meter, args []ref.Val) {
	boundCopy(m, args)
	m.Search(args[0], args[0], int(min(itemsOf(args[0]), math.MaxInt32)))
}

// boundSets is for a search of each item of one list in another one.
func boundSets(m *meter.Meter, args []ref.Val) {
	if len(args) == 2 {
		m.Search(args[0], args[1], int(min(itemsOf(args[1]), math.MaxInt32)))
		m.Search(args[1], args[0], int(min(itemsOf(args[0]), math.MaxInt32)))
	}
}

// boundCopy is for a list of some items of another one.
func boundCopy(m *meter.Meter, args []ref.Val) { m.MakeItems(itemsOf(args[0])) }

func boundRange(m *meter.Meter, args []ref.Val) {
	if n, ok := args[0].(types.Int); ok && n > 0 && n <= maxRange {
		m.MakeItems(uint64(n))
	}
}

// maxRange is the longest list that lists.range makes.
const maxRange = 1_000_000

// boundFlatten counts the items of the flat list.
func boundFlatten(m *meter.Meter, args []ref.Val) {
	depth := types.IntOne
	if len(args) == 2 {
		depth, _ = args[1].(types.Int)
	}
	if depth > 0 {
		m.Traverse(args[0])
		flatten(m, args[0], depth)
	}
}

// flatten counts lists too, since empty ones take time as well.
func flatten(m *meter.Meter, v ref.Val, depth types.Int) {
	m.MakeItems(1)
	list, ok := v.(traits.Lister)
	if !ok {
		return
	}
	if depth == 0 {
		m.MakeItems(itemsOf(list))
		return
	}
	for it := list.Iterator(); it.HasNext() == types.True; {
		flatten(m, it.Next(), depth-1)
	}
}

func boundReplace(m *meter.Meter, args []ref.Val) {
	s, isText := args[0].(types.String)
	from, isFrom := args[1].(types.String)
	to, isTo := args[2].(types.String)
	if !isText || !isFrom || !isTo {
		return
	}
	m.Read(uint64(len(s)))
	count := uint64(strings.Count(string(s), string(from)))
	if len(args) == 4 {
		if most, ok := args[3].(types.Int); ok && most >= 0 {
			count = min(count, uint64(most))
		}
	}
	if count == 0 {
		return // the result is the same string
	}
	kept := uint64(len(s)) - count*uint64(len(from))
	m.Make(saturate.Add(kept, saturate.Mul(count, uint64(len(to)))))
}

func boundSplit(m *meter.Meter, args []ref.Val) {
	s, isText := args[0].(types.String)
	separator, isSeparator := args[1].(types.String)
	if !isText || !isSeparator {
		return
	}
	m.Read(uint64(len(s)))
	parts := uint64(strings.Count(string(s), string(separator))) + 1
	if len(args) == 3 {
		if most, ok := args[2].(types.Int); ok && most >= 0 {
			parts = min(parts, uint64(most))
		}
	}
	m.MakeItems(parts)
}

func boundJoin(m *meter.Meter, args []ref.Val) {
	list, ok := args[0].(traits.Lister)
	if !ok {
		return
	}
	m.Fits(itemsOf(list))
	size := uint64(0)
	if len(args) == 2 {
		separator, _ := args[1].(types.String)
		size = saturate.Mul(uint64(len(separator)), itemsOf(list))
	}
	for it := list.Iterator(); it.HasNext() == types.True; {
		item := it.Next()
		s, ok := item.(types.String)
		if !ok { // the error shows it
			m.Make(writtenSize(m, item))
			return
		}
		size += uint64(len(s))
	}
	m.Make(size)
}

func boundQuote(m *meter.Meter, args []ref.Val) {
	if s, ok := args[0].(types.String); ok {
		m.Make(quotedSize(string(s)))
	}
}

// boundFormat counts the arguments as they are written, and precisions.
func boundFormat(m *meter.Meter, args []ref.Val) {
	format, isText := args[0].(types.String)
	list, isList := args[1].(traits.Lister)
	if !isText || !isList {
		return
	}
	m.Traverse(list)
	m.Make(saturate.Add(uint64(len(format)), precisions(string(format))))
	for it := list.Iterator(); it.HasNext() == types.True; {
		switch item := it.Next().(type) {
		case types.String: // %x doubles it
			m.Make(2 * uint64(len(item)))
		case types.Bytes:
			m.Make(4 * uint64(len(item)))
		default:
			m.Make(writtenSize(m, item))
		}
	}
}

// precisions adds up the precisions in a format, e.g. 2 for "%.2f".
func precisions(format string) uint64 {
	const most = 1 << 20 // Go's package fmt writes no more
	sum := uint64(0)
	for rest := format; ; {
		at := strings.Index(rest, "%.")
		if at < 0 {
			return sum
		}
		rest = rest[at+2:]
		digits := uint64(0)
		for rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			digits = min(digits*10+uint64(rest[0]-'0'), most)
			rest = rest[1:]
		}
		sum += 2 * digits
	}
}

// scalarSize is more than the text of a number, a time or a type takes.
const scalarSize = 400

// writtenSize returns how long the text of a value is at most. It stops the
// evaluation as soon as that is too much.
func writtenSize(m *meter.Meter, v ref.Val) uint64 {
	switch v := v.(type) {
	case types.String:
		return quotedSize(string(v))
	case types.Bytes:
		return 4*uint64(len(v)) + 3
	case types.Double:
		return scalarSize
	case types.Int, types.Uint, types.Bool, types.Null:
		return 20
	case traits.Lister:
		sum := uint64(2)
		for it := v.Iterator(); it.HasNext() == types.True; {
			if sum += 2 + writtenSize(m, it.Next()); sum > m.Left() {
				m.Make(sum)
			}
		}
		return sum
	case traits.Mapper:
		sum := uint64(2)
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			if sum += 3 + writtenSize(m, key) + writtenSize(m, v.Get(key)); sum > m.Left() {
				m.Make(sum)
			}
		}
		return sum
	}
	return scalarSize
}

// quotedSize returns how long a string is at most in quotes.
func quotedSize(s string) uint64 {
	size := uint64(2)
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c >= utf8.RuneSelf:
			size += 4
		case c == '"', c == '\\':
			size += 2
		default:
			size++
		}
	}
	return size
}

// boundMatch is for a regular expression that is not constant.
func boundMatch(m *meter.Meter, args []ref.Val) {
	boundReading(m, args)
	if pattern, ok := args[1].(types.String); ok {
		m.Fits(patternItems(string(pattern)))
	}
}

// patternItems returns how many items of [meter.ItemSize] bytes a regular
// expression takes about once it is compiled.
func patternItems(pattern string) uint64 {
	const perInstruction = 8
	instructions := uint64(len(pattern))
	if strings.Contains(pattern, "{") && len(pattern) < 1<<19 {
		if parsed, err := syntax.Parse(pattern, syntax.Perl); err == nil {
			instructions = instructionsOf(parsed)
		}
	}
	return saturate.Mul(instructions, perInstruction)
}

// instructionsOf counts what a regular expression compiles to: `a{9}` to 9.
func instructionsOf(re *syntax.Regexp) uint64 {
	sum := 1 + uint64(len(re.Rune))
	for _, sub := range re.Sub {
		sum = saturate.Add(sum, instructionsOf(sub))
	}
	if re.Op == syntax.OpRepeat {
		sum = saturate.Mul(sum, uint64(max(re.Min, re.Max, 1)))
	}
	return sum
}
