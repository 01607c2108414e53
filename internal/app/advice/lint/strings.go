package lint

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"unicode/utf8"
)

// strings looks at the keywords of strings.
func (w *walk) strings(at string, node map[string]any) {
	if node["type"] != "string" {
		return
	}
	shortest, hasMin := integer(node["minLength"])
	longest, hasMax := integer(node["maxLength"])
	if !hasMax {
		longest = math.MaxInt64
	}
	if hasMin && hasMax && shortest > longest {
		w.add(Length, at+".minLength", "lower minLength, or raise maxLength",
			"minLength %d is above maxLength %d: no string fits", shortest, longest)
		return
	}
	text, _ := node["pattern"].(string)
	pattern, err := regexp.Compile(text)
	if text == "" || err != nil {
		pattern = nil
	} else if !w.pattern(at, text, shortest, longest) {
		return
	}
	w.enum(at, node, func(value string) string {
		n := int64(utf8.RuneCountInString(value))
		switch {
		case hasMin && n < shortest:
			return fmt.Sprintf("is shorter than minLength %d", shortest)
		case n > longest:
			return fmt.Sprintf("is longer than maxLength %d", longest)
		case pattern != nil && !pattern.MatchString(value):
			return fmt.Sprintf("does not match the pattern `%s`", text)
		}
		return ""
	})
}

// pattern looks at a pattern that compiles, and reports whether strings match
// it.
func (w *walk) pattern(at, text string, shortest, longest int64) bool {
	lengths, possible := matchLengths(text)
	switch {
	case !possible:
		w.add(Pattern, at+".pattern",
			"`^` stands where a string begins, and `$` where it ends",
			"no string matches the pattern `%s`", text)
	case lengths.min > longest:
		w.add(Length, at+".maxLength", "raise maxLength, or shorten the pattern",
			"maxLength is %d, and no string that is shorter than %d matches the pattern `%s`",
			longest, lengths.min, text)
	case lengths.max < shortest:
		w.add(Length, at+".minLength", "lower minLength, or lengthen the pattern",
			"minLength is %d, and no string that is longer than %d matches the pattern `%s`",
			shortest, lengths.max, text)
	default:
		return true
	}
	return false
}

// enum looks at the values of an enum that are strings or booleans. why returns
// why the other keywords refuse a string, empty if they do not.
func (w *walk) enum(at string, node map[string]any, why func(string) string) {
	values, _ := node["enum"].([]any)
	for i, value := range values {
		if value, isBool := value.(bool); isBool {
			w.add(Enum, fmt.Sprintf("%s.enum[%d]", at, i), "write it in quotes: `y`, `yes` and "+
				"`on` are true in YAML 1.1, `n`, `no` and `off` are false",
				"no object can have the value %t: the type is string", value)
		}
		text, ok := value.(string)
		if !ok {
			continue
		}
		if reason := why(text); reason != "" {
			w.add(Enum, fmt.Sprintf("%s.enum[%d]", at, i), "remove the value, or the keyword",
				"no object can have the value %q: it %s", text, reason)
		}
	}
}

// integer returns a number of a decoded document as an integer.
func integer(value any) (int64, bool) {
	switch n := value.(type) {
	case int64:
		return n, true
	case float64:
		return int64(n), n == math.Trunc(n)
	case json.Number:
		i, err := n.Int64()
		return i, err == nil
	}
	return 0, false
}
