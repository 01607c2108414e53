package jsonvalue

import (
	"hash/maphash"
	"math"
	"reflect"
	"slices"
	"strconv"
)

// The equalities of this module. Each differs from the others because the API
// server compares in different ways at different places.
//
//	               int64(1)  0.0     nil     needed by
//	               1.0       -0.0    empty
//	Equal          differ    same    differ  defaults, enum, uniqueItems and
//	                                         most other callers
//	EqualExactly   differ    differ  differ  the status that an update keeps
//	                                         (PIPE-017)
//	EqualSemantic  differ    same    same    metadata.generation (PIPE-017): the
//	                                         server's apiequality.Semantic
//	EqualJSONText  same      differ  differ  items of sets, keys of list-maps
//	                                         (LST-012)
//	EqualNumbers   same      same    differ  package generate
//
// The columns say how an integer and a float of the same value, zeros of both
// signs, and nil and empty containers compare.
//
// Two more compare with the help of a schema and stand where the schema is
// known:
//
//   - correlate.Correlation.Equal: the value did not change, for ratcheting and
//     transition rules. A list-map is equal to a reordered one, and an object
//     with a field that has no schema is equal to nothing.
//   - validation.sameItem: EqualJSONText for lists and objects, Equal for
//     scalars (LST-011).
//
// What they have in common:
//
//   - An absent field differs from a field that is null.
//   - NaN is not JSON and differs from itself; only EqualJSONText compares
//     bits. EqualSemantic does not look into identical containers, so
//     that one that holds NaN is equal to itself.
//   - A value of a Go type that is not JSON, e.g. int, is equal to nothing, not
//     even to itself.
//   - Values may be nested to any depth. Only a cycle does not end, and Check
//     rejects cycles.
//   - Nothing is allocated.

// Equal reports whether two values are deeply equal, Go types included: the
// int64 1 and the float64 1 differ, and so do nil and empty containers.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && equalMaps(a, b)
	case []any:
		b, ok := b.([]any)
		return ok && (a == nil) == (b == nil) && slices.EqualFunc(a, b, Equal)
	case string, bool, int64, float64, nil:
		return a == b
	default:
		return false
	}
}

func equalMaps(a, b map[string]any) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	for key, value := range a {
		other, ok := b[key]
		if !ok || !Equal(value, other) {
			return false
		}
	}
	return true
}

// EqualExactly is like Equal, but 0.0 and -0.0 differ.
func EqualExactly(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) || (a == nil) != (b == nil) {
			return false
		}
		for key, value := range a {
			if other, ok := b[key]; !ok || !EqualExactly(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && (a == nil) == (b == nil) && slices.EqualFunc(a, b, EqualExactly)
	case float64:
		b, ok := b.(float64)
		return ok && a == b && math.Signbit(a) == math.Signbit(b)
	}
	return Equal(a, b)
}

func sameMap(a, b map[string]any) bool {
	return reflect.ValueOf(a).UnsafePointer() == reflect.ValueOf(b).UnsafePointer()
}

// EqualSemantic reports whether two values are deeply equal, nil containers
// counting as empty ones: the server's apiequality.Semantic.DeepEqual. It does
// not look into maps that are identical.
func EqualSemantic(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && len(a) == len(b) && (sameMap(a, b) || equalSemanticMaps(a, b))
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, EqualSemantic)
	case string, bool, int64, float64, nil:
		return a == b
	default:
		return false
	}
}

func equalSemanticMaps(a, b map[string]any) bool {
	for key, value := range a {
		if other, ok := b[key]; !ok || !EqualSemantic(value, other) {
			return false
		}
	}
	return true
}

// EqualNumbers is like Equal, but compares two numbers as float64: 1 and 1.0
// are equal. It compares numbers inside lists and objects as Equal does.
func EqualNumbers(a, b any) bool {
	x, ok := asFloat(a)
	if !ok {
		return Equal(a, b)
	}
	y, ok := asFloat(b)
	return ok && x == y
}

func asFloat(value any) (f float64, ok bool) {
	switch v := value.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// EqualJSONText reports whether two values have the same JSON text. It differs
// from Equal on numbers: 1 and 1.0 are the same, 0.0 and -0.0 are not.
func EqualJSONText(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && (a == nil) == (b == nil) && equalTextMaps(a, b)
	case []any:
		b, ok := b.([]any)
		return ok && (a == nil) == (b == nil) && slices.EqualFunc(a, b, EqualJSONText)
	case int64:
		if f, ok := b.(float64); ok {
			return equalText(a, f)
		}
		return Equal(a, b)
	case float64:
		switch b := b.(type) {
		case int64:
			return equalText(b, a)
		case float64:
			return math.Float64bits(a) == math.Float64bits(b)
		}
		return false
	default:
		return Equal(a, b)
	}
}

func equalTextMaps(a, b map[string]any) bool {
	if len(a) != len(b) {
		return false
	}
	for name, value := range a {
		if other, ok := b[name]; !ok || !EqualJSONText(value, other) {
			return false
		}
	}
	return true
}

// equalText reports whether an integer and a float have the same text. Up to
// 2^53 they have it exactly if the numbers are equal. Beyond, the text of a
// float is its shortest digits filled up with zeros.
func equalText(i int64, f float64) bool {
	if float64(i) != f || i == 0 && math.Signbit(f) {
		return false
	}
	if math.Abs(f) < 1<<53 {
		return true
	}
	var x, y [32]byte
	integer, float := strconv.AppendInt(x[:0], i, 10), strconv.AppendFloat(y[:0], f, 'f', -1, 64)
	return string(integer) == string(float)
}

// hashFactor spreads the hashes of what is in a container.
const hashFactor = 0x9E3779B97F4A7C15

// Hash returns a hash that agrees with Equal, EqualJSONText and EqualNumbers:
// values that are equal by one of them have the same hash. NaN is excepted.
func Hash(seed maphash.Seed, value any) uint64 {
	switch v := value.(type) {
	case string:
		return maphash.String(seed, v)
	case int64:
		return maphash.Comparable(seed, float64(v))
	case float64:
		return maphash.Comparable(seed, v)
	case bool:
		return maphash.Comparable(seed, v)
	case []any:
		sum := uint64(len(v))
		for _, item := range v {
			sum = sum*hashFactor + Hash(seed, item)
		}
		return sum
	case map[string]any:
		sum := uint64(len(v))
		for name, field := range v { // in any order, so the operation is commutative
			pair := maphash.String(seed, name)*hashFactor + Hash(seed, field)
			sum += maphash.Comparable(seed, pair)
		}
		return sum
	default:
		return 1
	}
}
