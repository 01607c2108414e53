package advice

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/crdsem/crdsem/internal/kit/yaml11"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// A hint that names a value was tried: the schema accepts it.

// asString says how to write a number or boolean as a string that the schema
// accepts.
func (f *finding) asString() string {
	text, ok := f.source()
	if !ok { // 1.10 and 1.1 are one value
		return "; write it in quotes"
	}
	if f.accepts(text) {
		return "; write it in quotes: " + code(strconv.Quote(text))
	}
	for _, v := range f.at.schema.Values().Enum {
		member, _ := v.(string)
		value, isBool := yaml11.Bool(text)
		meant, isMeant := yaml11.Bool(member)
		if strings.EqualFold(member, text) || isBool && isMeant && meant == value {
			return "; write " + code(strconv.Quote(member))
		}
	}
	return "; in quotes it is not valid either: " + f.instead(text)
}

// instead names a value that the schema accepts in place of a text.
func (f *finding) instead(text string) string {
	values := f.at.schema.Values()
	var members []string
	for _, v := range values.Enum {
		if v != nil {
			members = append(members, shown(v))
		}
	}
	switch {
	case len(members) > maxNames:
		return "use one of the supported values"
	case len(members) > 0:
		return "use one of " + codes(members)
	case values.Pattern != "":
		hint := "it must match the regular expression " + code(cut(values.Pattern))
		if example := f.example(f.at.schema); example != "" && f.accepts(example) {
			hint += ", e.g. " + code(strconv.Quote(example))
		}
		return hint
	case values.MinLength != nil && int64(utf8.RuneCountInString(text)) < *values.MinLength:
		return fmt.Sprintf("`minLength` is %d", *values.MinLength)
	case values.MaxLength != nil && int64(utf8.RuneCountInString(text)) > *values.MaxLength:
		return fmt.Sprintf("`maxLength` is %d", *values.MaxLength)
	}
	return "look at the other keywords of the schema"
}

// accepts reports whether the node of the value accepts another value.
func (f *finding) accepts(value any) bool {
	if !f.spend(1 << 10) {
		return false
	}
	e := f.effort
	validator, known := e.validators[f.at.schema]
	if !known {
		validator = validation.Compile(f.at.schema)
		if e.validators == nil {
			e.validators = map[*structural.Schema]*validation.Validator{}
		}
		e.validators[f.at.schema] = validator
	}
	return len(validator.Values(f.ctx, nil, value)) == 0
}

// parsed returns the value that a text has without quotes.
func parsed(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return n
	}
	return text == "true"
}
