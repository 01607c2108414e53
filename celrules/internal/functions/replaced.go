package functions

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Replaced returns an implementation of a function of cel-go with which this
// package replaces it, or the implementation itself.
//
// cel-go's indexOf and lastIndexOf of strings compare each position with the
// whole searched string, which takes hours for two long strings of one letter.
// Those of this package take time in proportion to the strings. Before
// Kubernetes 1.37 lists.range has no limit. Before 1.31 the type of optional
// values has another name, and before 1.33 format writes spaces in numbers.
// Before 1.38 not-a-number has no order, and lists may begin with an error.
func Replaced(p *profile.Profile, name string, of *functions.Overload) *functions.Overload {
	out := replaced(p, name, of)
	if TakesLists(name) && !p.ListErrors {
		out = takingErrors(name, out)
	}
	return out
}

func replaced(p *profile.Profile, name string, of *functions.Overload) *functions.Overload {
	switch {
	case isOrder(name) && !p.UnorderedNaN:
		return replace(of, orderNaN)
	case name == "indexOf":
		return replace(of, indexOfString(p))
	case name == "lastIndexOf":
		return replace(of, lastIndexOfString(p))
	case name == "lists.range" && !p.BoundedRanges:
		return replace(of, unboundedRange)
	case name == overloads.TypeConvertType && !p.OptionalTypeName:
		return replace(of, formerType)
	case name == "format" && !p.DenseScientific:
		return replace(of, spacedScientific(of.Function))
	}
	return of
}

// replace returns an implementation that leaves arguments to another one if run
// returns nil.
func replace(of *functions.Overload, run func([]ref.Val) ref.Val) *functions.Overload {
	out := *of
	if of.Unary != nil {
		out.Unary = func(arg ref.Val) ref.Val {
			if v := run([]ref.Val{arg}); v != nil {
				return v
			}
			return of.Unary(arg)
		}
	}
	if of.Binary != nil {
		out.Binary = func(a, b ref.Val) ref.Val {
			if v := run([]ref.Val{a, b}); v != nil {
				return v
			}
			return of.Binary(a, b)
		}
	}
	if of.Function != nil {
		out.Function = func(args ...ref.Val) ref.Val {
			if v := run(args); v != nil {
				return v
			}
			return of.Function(args...)
		}
	}
	return &out
}

// isOrder reports whether a function is <, <=, > or >=.
func isOrder(name string) bool {
	switch name {
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		return true
	}
	return false
}

// orderNaN is the error of a comparison with not-a-number before Kubernetes
// 1.38.
func orderNaN(args []ref.Val) ref.Val {
	left, ok := args[0].(traits.Comparer)
	if ok && (isNaN(args[0]) || isNaN(args[1])) {
		return left.Compare(args[1])
	}
	return nil
}

// isNaN reports whether a value is not a number.
func isNaN(v ref.Val) bool {
	d, ok := v.(types.Double)
	return ok && d != d
}

// formerOptional is the type of optional values before Kubernetes 1.31.
var formerOptional = types.NewOpaqueType("optional", types.DynType)

// formerType is type of an optional value.
func formerType(args []ref.Val) ref.Val {
	if _, ok := args[0].(*types.Optional); ok {
		return formerOptional
	}
	return nil
}

// clause matches what format replaces by a value, and an escaped percent sign.
var clause = regexp.MustCompile(`%%|%(\.[0-9]+)?[a-zA-Z]`)

// spacedScientific is format before Kubernetes 1.33, which wrote narrow spaces
// around × in numbers.
func spacedScientific(format functions.FunctionOp) func([]ref.Val) ref.Val {
	return func(args []ref.Val) ref.Val {
		out := format(args...)
		if text, ok := out.(types.String); !ok || !strings.Contains(string(text), "×") {
			return out
		}
		values := args[1].(traits.Lister).Iterator()
		one := func(of string) string {
			if of == "%%" {
				return "%"
			}
			value := types.DefaultTypeAdapter.NativeToValue([]ref.Val{values.Next()})
			text, _ := format(types.String(of), value).(types.String)
			number, power, isPower := strings.Cut(string(text), "×")
			if !isPower || !strings.HasSuffix(of, "e") {
				return string(text)
			}
			// The precision is a width: two spaces less are in front of it.
			number = strings.TrimPrefix(strings.TrimPrefix(number, " "), " ")
			return number + "\u202f×\u202f" + power
		}
		return types.String(clause.ReplaceAllStringFunc(string(args[0].(types.String)), one))
	}
}

// unboundedRange is lists.range of numbers that cel-go refuses.
func unboundedRange(args []ref.Val) ref.Val {
	const maxRange = 1_000_000
	n, ok := args[0].(types.Int)
	if !ok || n >= 0 && n <= maxRange {
		return nil
	}
	numbers := make([]ref.Val, max(n, 0))
	for i := range numbers {
		numbers[i] = types.Int(i)
	}
	return types.DefaultTypeAdapter.NativeToValue(numbers)
}

// indexOfString returns s.indexOf(searched) and s.indexOf(searched, offset).
// Offsets and results count code points.
func indexOfString(p *profile.Profile) func([]ref.Val) ref.Val {
	return func(args []ref.Val) ref.Val {
		if !p.EmptySearches && searchesNothing(args) {
			return args[2]
		}
		s, searched, offset := searchArguments(args)
		if searched == "" || offset < 0 && len(args) == 3 {
			return nil
		}
		offset = max(offset, 0)
		from := byteOffset(s, offset)
		if from == len(s) {
			return pastEnd(p, offset)
		}
		at := strings.Index(s[from:], searched)
		if at < 0 {
			return types.IntNegOne
		}
		return types.Int(offset + utf8.RuneCountInString(s[from:from+at]))
	}
}

// lastIndexOfString returns s.lastIndexOf(searched) and
// s.lastIndexOf(searched, offset). The last match may begin at the offset.
func lastIndexOfString(p *profile.Profile) func([]ref.Val) ref.Val {
	return func(args []ref.Val) ref.Val {
		if !p.EmptySearches && searchesNothing(args) {
			return args[2]
		}
		s, searched, offset := searchArguments(args)
		if searched == "" || offset < 0 && len(args) == 3 {
			return nil
		}
		end := len(s)
		if len(args) == 3 {
			from := byteOffset(s, offset)
			if from == len(s) {
				return pastEnd(p, offset)
			}
			end = min(end, from+len(searched))
		} else if s == "" {
			return lastOfEmpty(p)
		} else if len(args[0].(types.String)) < len(args[1].(types.String)) {
			return types.IntNegOne // cel-go compares bytes here
		}
		at := strings.LastIndex(s[:end], searched)
		if at < 0 {
			return types.IntNegOne
		}
		return types.Int(utf8.RuneCountInString(s[:at]))
	}
}

// pastEnd returns the result of a search from an offset past the end.
func pastEnd(p *profile.Profile, offset int) ref.Val {
	if p.IndexOfPastEnd {
		return types.IntNegOne
	}
	return types.NewErr("index out of range: %d", offset)
}

// lastOfEmpty returns the result of lastIndexOf of an empty string.
func lastOfEmpty(p *profile.Profile) ref.Val {
	if p.LastIndexOfEmpty {
		return types.IntNegOne
	}
	return types.NewErr("index out of range: -1")
}

// searchesNothing reports whether a search in a string from an offset is for an
// empty string. Before Kubernetes 1.37 it finds that at the offset.
func searchesNothing(args []ref.Val) bool {
	return len(args) == 3 && args[0].Type() == types.StringType && args[1] == types.String("") &&
		args[2].Type() == types.IntType
}

// searchArguments returns the arguments of a search in a string. An offset that
// is not given is -1. Lists and empty strings have no searched string: they are
// left to cel-go.
func searchArguments(args []ref.Val) (s, searched string, offset int) {
	text, _ := args[0].(types.String)
	sub, isSub := args[1].(types.String)
	if args[0].Type() != types.StringType || !isSub {
		return "", "", 0
	}
	offset = -1
	if len(args) == 3 {
		n, isInt := args[2].(types.Int)
		if !isInt {
			return "", "", 0
		}
		offset = int(n)
	}
	return codePoints(string(text)), codePoints(string(sub)), offset
}

// codePoints returns a string without invalid bytes: cel-go takes each of them
// for U+FFFD.
func codePoints(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// byteOffset returns where a code point begins, or the length of the string if
// it has no so many.
func byteOffset(s string, codePoint int) int {
	for i := range s {
		if codePoint == 0 {
			return i
		}
		codePoint--
	}
	return len(s)
}
