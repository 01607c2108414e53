package meter

import (
	"net/url"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/internal/base/saturate"
	"github.com/crdsem/crdsem/internal/chapter/profile"
)

// Bound counts what a call will make and visit. It panics if that is too much.
// Arguments that the function does not accept are left to it.
type Bound func(m *Meter, args []ref.Val)

// bounds has the functions that can make or visit much more than they cost.
// TestFunctionsAreBounded has the reason for each other function.
var bounds = map[string]Bound{
	operators.Add: boundSum, "replace": boundReplace, "split": boundSplit, "join": boundJoin,
	"format": boundFormat, "flatten": boundFlatten, "optional.unwrap": boundCopy,
	"unwrapOpt": boundCopy, "getQuery": boundURL, "getEscapedPath": boundURL,
	"find": boundMatch, "matches": boundMatch, "findAll": boundFindAll,
	operators.Equals: boundComparison, operators.NotEquals: boundComparison,
	operators.In: boundComparison, "indexOf": boundComparison, "lastIndexOf": boundComparison,
	"includes": boundComparison, "distinct": boundPairs,
	"sets.contains": boundPairs, "sets.equivalent": boundPairs, "sets.intersects": boundPairs,
}

// BoundOf returns the bound of a function in a minor, nil if it needs none. The
// overload is empty if it is chosen at run time.
func BoundOf(p *profile.Profile, function, overload string) Bound {
	switch overload {
	case "", overloads.AddString, overloads.AddBytes, overloads.AddList:
	default:
		if function == operators.Add {
			return nil // of numbers and times
		}
	}
	if function == "lists.range" {
		return boundRange(p)
	}
	return bounds[function]
}

// itemsOf returns the number of items of a list.
func itemsOf(v ref.Val) uint64 {
	if l, ok := v.(traits.Lister); ok {
		size, _ := l.Size().(types.Int)
		return uint64(max(size, 0))
	}
	return 0
}

// lengthOf returns the length of a string.
func lengthOf(v ref.Val) uint64 {
	s, _ := v.(types.String)
	return uint64(len(s))
}

// countIn returns how often a string has another one, at most as often as the
// last argument says if there is one.
func countIn(s, of ref.Val, limit []ref.Val) uint64 {
	text, _ := s.(types.String)
	part, _ := of.(types.String)
	return atMost(uint64(strings.Count(string(text), string(part))), limit)
}

func atMost(count uint64, limit []ref.Val) uint64 {
	if len(limit) == 1 {
		if most, ok := limit[0].(types.Int); ok && most >= 0 {
			return min(count, uint64(most))
		}
	}
	return count
}

// boundSum is for `a + b`. cel-go copies no item of a list that the expression
// made, but what goes through the sum visits them all.
func boundSum(m *Meter, args []ref.Val) {
	switch a := args[0].(type) {
	case types.String:
		m.Make(uint64(len(a)) + lengthOf(args[1]))
	case types.Bytes:
		b, _ := args[1].(types.Bytes)
		m.Make(uint64(len(a) + len(b)))
	case traits.MutableLister: // b is added to it
		m.makeItems(itemsOf(args[1]))
	case Flat: // it is copied
		m.makeItems(saturate.Add(itemsOf(args[0]), itemsOf(args[1])))
	case traits.Lister:
		m.fits(saturate.Add(itemsOf(a), itemsOf(args[1])))
		m.makeItems(1)
	}
}

func boundCopy(m *Meter, args []ref.Val) { m.makeItems(itemsOf(args[0])) }

// boundURL counts an escaped path and a map of parameters. Both cost 1.
func boundURL(m *Meter, args []ref.Val) {
	if u, ok := args[0].Value().(*url.URL); ok {
		m.Make(3*uint64(len(u.Path)) + 256*uint64(strings.Count(u.RawQuery, "&")+1))
	}
}

func boundReplace(m *Meter, args []ref.Val) {
	if count := countIn(args[0], args[1], args[3:]); count > 0 {
		kept := lengthOf(args[0]) - count*lengthOf(args[1])
		m.Make(saturate.Add(kept, saturate.Mul(count, lengthOf(args[2]))))
	}
}

func boundSplit(m *Meter, args []ref.Val) {
	m.makeItems(atMost(countIn(args[0], args[1], nil)+1, args[2:]))
}

// boundRange does not count what the minor refuses.
func boundRange(p *profile.Profile) Bound {
	return func(m *Meter, args []ref.Val) {
		if n, ok := args[0].(types.Int); ok && n > 0 && (n <= 1_000_000 || !p.BoundedRanges) {
			m.makeItems(uint64(n))
		}
	}
}

func boundJoin(m *Meter, args []ref.Val) {
	list, ok := args[0].(traits.Lister)
	if !ok {
		return
	}
	m.fits(itemsOf(list))
	if len(args) == 2 {
		m.Make(saturate.Mul(lengthOf(args[1]), itemsOf(list)))
	}
	for it := list.Iterator(); it.HasNext() == types.True; {
		if item := it.Next(); item.Type() == types.StringType {
			m.Make(lengthOf(item))
		} else {
			m.write(item) // the error shows it
		}
	}
}

// boundFormat counts the arguments as they are written, and precisions such as
// the 2 of "%.2f". Go's package fmt takes precisions up to a million.
func boundFormat(m *Meter, args []ref.Val) {
	format, _ := args[0].(types.String)
	m.visit(args[1], 1)
	m.Make(uint64(len(format)))
	for _, rest := range strings.Split(string(format), "%.")[1:] {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		precision, _ := strconv.Atoi(rest[:digits])
		m.Make(2 * uint64(min(precision, 1<<20)))
	}
	m.write(args[1])
}

// write counts how long the text of a value is at most.
func (m *Meter) write(v ref.Val) {
	switch v := v.(type) {
	case types.String: // %x doubles it, and quotes do at most
		m.Make(2 * uint64(len(v)))
	case types.Bytes:
		m.Make(4 * uint64(len(v)))
	case types.Double:
		m.Make(400)
	case traits.Lister:
		for it := v.Iterator(); it.HasNext() == types.True; m.Make(4) {
			m.write(it.Next())
		}
	case traits.Mapper:
		for it := v.Iterator(); it.HasNext() == types.True; m.Make(8) {
			key := it.Next()
			m.write(key)
			m.write(v.Get(key))
		}
	default:
		m.Make(40)
	}
}

// boundFlatten counts lists too, since empty ones take time as well.
func boundFlatten(m *Meter, args []ref.Val) {
	depth := types.IntOne
	if len(args) == 2 {
		depth, _ = args[1].(types.Int)
	}
	m.flatten(args[0], depth)
}

func (m *Meter) flatten(v ref.Val, depth types.Int) {
	m.makeItems(1)
	list, ok := v.(traits.Lister)
	switch {
	case !ok:
	case depth <= 0:
		m.makeItems(itemsOf(list))
	default:
		for it := list.Iterator(); it.HasNext() == types.True; {
			m.flatten(it.Next(), depth-1)
		}
	}
}

// boundComparison is for ==, for item in list, list.indexOf(item) and the like.
func boundComparison(m *Meter, args []ref.Val) { m.Compare(args[0], args[1]) }

// boundPairs is for a search of each item of a list in another list, or in the
// same one.
func boundPairs(m *Meter, args []ref.Val) {
	a, b := args[0], args[len(args)-1]
	m.visit(a, itemsOf(b))
	m.visit(b, itemsOf(a))
}

func boundFindAll(m *Meter, args []ref.Val) {
	boundMatch(m, args)
	Found(m, args)
}

// Found is the bound of findAll with a constant regular expression.
func Found(m *Meter, args []ref.Val) {
	m.makeItems(atMost(lengthOf(args[0])+1, args[2:]))
}

// boundMatch estimates how many instructions a regular expression compiles to,
// and that each takes as much as 8 items, and one more for each group: package
// regexp keeps the places of all groups for each state.
func boundMatch(m *Meter, args []ref.Val) {
	pattern, _ := args[1].(types.String)
	instructions := uint64(len(pattern))
	if strings.Contains(string(pattern), "{") && len(pattern) < 1<<19 {
		if parsed, err := syntax.Parse(string(pattern), syntax.Perl); err == nil {
			instructions = instructionsOf(parsed)
		}
	}
	groups := uint64(strings.Count(string(pattern), "("))
	m.fits(saturate.Mul(instructions, 8+groups))
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
