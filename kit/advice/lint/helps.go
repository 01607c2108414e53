package lint

import (
	"fmt"
	"strings"
)

// hintOf returns what helps against an error.
func hintOf(why string, path []string) string {
	at := placeText(path)
	switch {
	case strings.HasPrefix(why, "index out of"):
		return "ask for the size first, e.g. `size(" + at + ") > 0 && …`, or set `minItems`, or " +
			"a `pattern`"
	case strings.HasPrefix(why, "no such key"):
		return "ask for the key first: `!('key' in " + at + ") || …`"
	case strings.Contains(why, "by zero"):
		return "write `" + at + " == 0 || …`, or set `minimum: 1`"
	case strings.Contains(why, "no such overload"):
		return "ask for the type first, e.g. `type(" + at + ") == string && …`"
	}
	for _, h := range helps {
		if strings.Contains(why, h.part) {
			return fmt.Sprintf(h.text, at)
		}
	}
	return "ask first, e.g. by `isQuantity(" + at + ") && …` or `matches`, or set a `pattern` " +
		"for the field"
}

// helps are what helps against errors of conversions, by a part of their texts.
var helps = []struct{ part, text string }{
	{"URL parse error", "ask first: `isURL(%s) && …`, or set a `pattern` for the field"},
	{"ParsePrefix", "ask first: `isCIDR(%s) && …`, or set `format: cidr`"},
	{"ParseAddr", "ask first: `isIP(%s) && …`, or set `format: ipv4` or `ipv6`"},
	{"'google.protobuf.Duration'",
		"set `format: duration` for the field, or ask first by `%s.matches(…)`"},
	{"'google.protobuf.Timestamp'",
		"set `format: date-time` for the field, or ask first by `%s.matches(…)`"},
	{"to 'int'", "ask first: `%s.matches('^[0-9]{1,18}$') && …`, or set a `pattern` for the field"},
	{"to 'bool'", "compare with the text: `%s == 'true'`, or set an `enum`"},
}
