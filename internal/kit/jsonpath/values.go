package jsonpath

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// members returns the member of a name of every map that has it.
func members(in []any, name string) []any {
	out := []any{}
	for _, value := range in {
		if object, ok := value.(map[string]any); ok {
			if member, ok := object[name]; ok {
				out = append(out, member)
			}
		}
	}
	return out
}

// children returns the members of maps, the elements of lists and the bytes of
// strings.
func children(in []any) []any {
	out := []any{}
	for _, value := range in {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				out = append(out, value[name])
			}
		case []any:
			out = append(out, value...)
		case string:
			for i := range len(value) {
				out = append(out, value[i])
			}
		}
	}
	return out
}

// descendants returns the values that have children, each before its own
// descendants.
func descendants(in []any) []any {
	out := []any{}
	for _, value := range in {
		switch value.(type) {
		case string:
			if value != "" {
				out = append(out, value)
			}
		case map[string]any, []any:
			if below := children([]any{value}); len(below) > 0 {
				out = append(append(out, value), descendants(below)...)
			}
		}
	}
	return out
}

// filter returns the elements of lists for which a condition holds.
func (e *Evaluator) filter(in []any, f filter) ([]any, error) {
	out := []any{}
	for _, value := range in {
		elements, ok := value.([]any)
		if !ok {
			return in, fmt.Errorf("a %T is not a list and cannot be filtered", value)
		}
		for _, element := range elements {
			pass, err := e.holds(element, f)
			switch {
			case errors.Is(err, errComparison):
				return out, err
			case err != nil:
				return in, err
			case pass:
				out = append(out, element)
			}
		}
	}
	return out, nil
}

// holds reports whether the condition of a filter holds for an element. A side
// without a result makes it false.
func (e *Evaluator) holds(element any, f filter) (bool, error) {
	left, err := e.list([]any{element}, f.left)
	switch {
	case f.operator == exists:
		return len(left) > 0, nil
	case err != nil || len(left) == 0:
		return false, err
	case len(left) > 1:
		return false, errTooMany
	}
	right, err := e.list([]any{element}, f.right)
	switch {
	case err != nil || len(right) == 0:
		return false, err
	case len(right) > 1:
		return false, errTooMany
	}
	return compare(left[0], f.operator, right[0])
}

var (
	errTooMany    = errors.New("can only compare one element at a time")
	errComparison = errors.New("values that do not compare")
)

// compare compares two values of one kind: strings, integers, decimal numbers
// or bools. An integer and a byte compare too, whatever their types.
func compare(left any, operator string, right any) (bool, error) {
	a, aKind := basic(left)
	b, bKind := basic(right)
	if aKind != bKind || aKind == "" {
		return false, errComparison
	}
	switch operator {
	case "==":
		return a == b, nil
	case "!=":
		return a != b, nil
	}
	smaller, err := less(a, b)
	switch operator {
	case "<":
		return smaller, err
	case "<=":
		return smaller || a == b, err
	case ">":
		return !smaller && a != b, err
	case ">=":
		return !smaller, err
	}
	return false, errComparison
}

// less compares two values of one kind. For bools there is nothing less.
func less(a, b any) (bool, error) {
	switch a := a.(type) {
	case int64:
		return a < b.(int64), nil
	case float64:
		return a < b.(float64), nil
	case string:
		return a < b.(string), nil
	}
	return false, errComparison
}

// basic returns a value that compares, and its kind, which is empty for any
// other value.
func basic(value any) (any, string) {
	switch value := value.(type) {
	case bool:
		return value, "bool"
	case int:
		return int64(value), "integer"
	case int64:
		return value, "integer"
	case byte:
		return int64(value), "integer"
	case float64:
		return value, "number"
	case string:
		return value, "string"
	}
	return nil, ""
}

// Text returns the text of a result: JSON for a list or a map, "<no value>" for
// null, and the value itself for anything else.
func Text(value any) (string, error) {
	switch value.(type) {
	case nil:
		return "<no value>", nil
	case map[string]any, []any:
		text, err := json.Marshal(value)
		return string(text), err
	}
	return fmt.Sprint(value), nil
}
