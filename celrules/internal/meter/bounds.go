package meter

import (
	"net/url"
	"regexp/syntax"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/internal/base/saturate"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Bound counts what a call will make and visit. It panics if that is too much.
// Arguments that the function does not accept are left to it.
type Bound func(m *Meter, args []ref.Val)

// bounds has the functions that can make or visit much more than they cost.
// TestFunctionsAreBounded has the reason for each other function. Sums have
// bounds by overload as well, because sums of numbers need none.
var bounds = map[string]Bound{
	operators.Add: boundSum, overloads.AddString: boundSum, overloads.AddBytes: boundSum,
	overloads.AddList: boundSum, "replace": boundReplace, "split": boundSplit, "join": boundJoin,
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
	switch {
	case function == "lists.range":
		return boundRange(p)
	case function == operators.Add && overload != "":
		return bounds[overload]
	}
	return bounds[function]
}

// itemsOf returns the bytes of a list of so many items, or of as many as an
// optional argument allows.
func itemsOf(count uint64, limit ...ref.Val) uint64 { return atMost(count, limit) * ItemSize }

func atMost(count uint64, limit []ref.Val) uint64 {
	if len(limit) == 1 {
		if most, ok := limit[0].(types.Int); ok && most >= 0 {
			return min(count, uint64(most))
		}
	}
	return count
}

// occurrences returns how often the first string has the second one.
func occurrences(args []ref.Val) uint64 {
	text, _ := args[0].(types.String)
	part, _ := args[1].(types.String)
	return uint64(strings.Count(string(text), string(part)))
}

// boundSum is for `a + b`. cel-go copies no item of a list that the expression
// made, but what goes through the sum visits them all.
func boundSum(m *Meter, args []ref.Val) {
	a, b := sizeOf(args[0]), sizeOf(args[1])
	switch args[0].(type) {
	case types.String, types.Bytes:
		m.Make(a + b)
	case traits.MutableLister: // b is added to it
		m.Make(itemsOf(b))
	case Flat: // it is copied
		m.Make(itemsOf(a + b))
	case traits.Lister:
		m.stopIf(itemsOf(a+b) > m.Limit)
		m.Make(ItemSize)
	}
}

func boundCopy(m *Meter, args []ref.Val) { m.Make(itemsOf(sizeOf(args[0]))) }

// boundURL counts an escaped path and a map of parameters. Both cost 1.
func boundURL(m *Meter, args []ref.Val) {
	if u, ok := args[0].Value().(*url.URL); ok {
		m.Make(uint64(3*len(u.Path) + 256*(1+strings.Count(u.RawQuery, "&"))))
	}
}

func boundReplace(m *Meter, args []ref.Val) {
	if count := atMost(occurrences(args), args[3:]); count > 0 {
		m.Make(sizeOf(args[0]) - count*sizeOf(args[1]) + count*sizeOf(args[2]))
	}
}

func boundSplit(m *Meter, args []ref.Val) { m.Make(itemsOf(occurrences(args)+1, args[2:]...)) }

// boundRange does not count what the minor refuses.
func boundRange(p *profile.Profile) Bound {
	return func(m *Meter, args []ref.Val) {
		if n, ok := args[0].(types.Int); ok && n > 0 && (n <= 1_000_000 || !p.BoundedRanges) {
			m.Make(saturate.Mul(uint64(n), ItemSize))
		}
	}
}

// boundJoin counts an item that is no string as the error shows it.
func boundJoin(m *Meter, args []ref.Val) {
	m.stopIf(itemsOf(sizeOf(args[0])) > m.Limit)
	if len(args) == 2 {
		m.Make(sizeOf(args[0]) * sizeOf(args[1]))
	}
	for _, item := range parts(args[0]) {
		if text, ok := item.(types.String); ok {
			m.Make(sizeOf(text))
		} else {
			m.write(item)
		}
	}
}

// boundFormat counts the arguments as they are written, and precisions such as
// the 2 of "%.2f". Go's package fmt takes precisions up to a million.
func boundFormat(m *Meter, args []ref.Val) {
	format, _ := args[0].(types.String)
	m.visit(args[1], 1)
	m.Make(sizeOf(format))
	for _, rest := range strings.Split(string(format), "%.")[1:] {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		precision, _ := strconv.Atoi(rest[:digits])
		m.Make(2 * uint64(min(precision, 1<<20)))
	}
	m.write(args[1])
}

// write counts how long the text of a value is at most.
func (m *Meter) write(v ref.Val) {
	switch v.(type) {
	case types.String, types.Bytes: // in quotes: `\x00`
		m.Make(4 * sizeOf(v))
	case types.Double:
		m.Make(400)
	case traits.Lister, traits.Mapper:
		for key, part := range parts(v) {
			if key != nil {
				m.write(key)
			}
			m.write(part)
			m.Make(8) // ": " and ", "
		}
	default:
		m.Make(40)
	}
}

func boundFlatten(m *Meter, args []ref.Val) {
	depth := types.IntOne
	if len(args) == 2 {
		depth, _ = args[1].(types.Int)
	}
	m.flatten(args[0], depth)
}

// flatten counts lists too, since empty ones take time as well.
func (m *Meter) flatten(v ref.Val, depth types.Int) {
	m.Make(ItemSize)
	list, ok := v.(traits.Lister)
	switch {
	case !ok:
	case depth <= 0:
		m.Make(itemsOf(sizeOf(list)))
	default:
		for _, item := range parts(list) {
			m.flatten(item, depth-1)
		}
	}
}

// boundComparison is for ==, for item in list, list.indexOf(item) and the like.
func boundComparison(m *Meter, args []ref.Val) { m.Compare(args[0], args[1]) }

// boundPairs is for a search of each item of a list in another list, or in the
// same one.
func boundPairs(m *Meter, args []ref.Val) {
	a, b := args[0], args[len(args)-1]
	m.visit(a, sizeOf(b))
	m.visit(b, sizeOf(a))
}

func boundFindAll(m *Meter, args []ref.Val) {
	boundMatch(m, args)
	Found(m, args)
}

// Found is the bound of findAll with a constant regular expression.
func Found(m *Meter, args []ref.Val) { m.Make(itemsOf(sizeOf(args[0])+1, args[2:]...)) }

// boundMatch estimates how many instructions a regular expression compiles to,
// and that each takes as much as 8 items, and one more for each group: package
// regexp keeps the places of all groups for each state.
func boundMatch(m *Meter, args []ref.Val) {
	pattern, _ := args[1].(types.String)
	instructions := sizeOf(pattern)
	if strings.Contains(string(pattern), "{") && len(pattern) < 1<<19 {
		if parsed, err := syntax.Parse(string(pattern), syntax.Perl); err == nil {
			instructions = instructionsOf(parsed)
		}
	}
	m.stopIf(itemsOf(instructions*uint64(8+strings.Count(string(pattern), "("))) > m.Limit)
}

// instructionsOf counts what a regular expression compiles to: `a{9}` to 9.
// Package syntax refuses repetitions of more than 1,000 in all.
func instructionsOf(re *syntax.Regexp) uint64 {
	sum := 1 + uint64(len(re.Rune))
	for _, sub := range re.Sub {
		sum += instructionsOf(sub)
	}
	return sum * uint64(max(re.Min, re.Max, 1))
}
