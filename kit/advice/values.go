package advice

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/crdsem/crdsem/internal/kit/relang"
	"github.com/crdsem/crdsem/internal/kit/yaml11"
	"github.com/crdsem/crdsem/structural"
)

// maxShown is the number of characters after which a value is cut off.
const maxShown = 60

// shown returns a value as JSON, cut off where it is long.
func shown(value any) string {
	text := string(appendShown(nil, value))
	if runes := []rune(text); len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return text
}

// appendShown appends the JSON of a value. It leaves out values behind more
// bytes than are shown.
func appendShown(out []byte, value any) []byte {
	const enough = maxShown * utf8.UTFMax
	if len(out) > enough {
		return out
	}
	switch v := value.(type) {
	case []any:
		out = append(out, '[')
		for i, item := range v {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendShown(out, item)
		}
		return append(out, ']')
	case map[string]any:
		out = append(out, '{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(appendShown(out, key), ':')
			out = appendShown(out, v[key])
		}
		return append(out, '}')
	case string:
		if len(v) > enough {
			value = strings.ToValidUTF8(v[:enough], "")
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Append(out, value)
	}
	return append(out, text...)
}

// code returns a text as code in a hint.
func code(text string) string { return "`" + text + "`" }

// codes joins names as code, e.g. "`a`, `b`".
func codes(names []string) string {
	marked := make([]string, len(names))
	for i, n := range names {
		marked[i] = code(n)
	}
	return strings.Join(marked, ", ")
}

// theValue names the value in question: "the default" in a definition.
func (f *finding) theValue() string {
	switch {
	case f.object == nil:
		return "the default " + shown(f.at.value)
	case f.at.found:
		return "the value " + shown(f.at.value)
	}
	return "the value"
}

// kindOf is the OpenAPI type of a value.
func kindOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case float64:
		if v == math.Trunc(v) {
			return "integer"
		}
		return "number"
	case int64:
		return "integer"
	}
	return "value"
}

func wrongType(f *finding) string {
	want, value := f.at.schema.Type(), f.at.value
	if f.at.schema.IntOrString() {
		want = "integer or string"
	}
	if want == "" || !f.at.found {
		return "give a value of the type that the schema wants"
	}
	kind := kindOf(value)
	hint := fmt.Sprintf("%s is of type %s, the schema wants %s", f.theValue(), kind, want)
	text, isString := value.(string)
	switch {
	case isString && parsesAs(text, want):
		if !f.accepts(parsed(text)) {
			return hint + "; without quotes it is not valid either: " + f.instead(text)
		}
		return hint + "; write it without quotes: " + code(text)
	case (want == "string" || f.at.schema.IntOrString()) && isPlain(value):
		return hint + f.asString()
	case want == "array":
		return hint + "; write it as a list, also if it has one item"
	case want == "boolean" && isString:
		if meant, ok := yaml11.Bool(strings.ToLower(text)); ok {
			return hint + "; write " + code(meant)
		}
	}
	return hint
}

// parsesAs reports whether a string would be a value of a type if it stood
// without quotes.
func parsesAs(text, kind string) bool {
	switch kind {
	case "integer":
		_, err := strconv.ParseInt(text, 10, 64)
		return err == nil
	case "number":
		_, err := strconv.ParseFloat(text, 64)
		return err == nil
	case "boolean":
		return text == "true" || text == "false"
	}
	return false
}

// isPlain reports whether a value is a number or a boolean.
func isPlain(value any) bool {
	switch value.(type) {
	case int64, float64, bool:
		return true
	}
	return false
}

// noFraction names the two integers next to a number with a fraction, unless it
// may be a string.
func noFraction(f *finding) string {
	if v, ok := f.at.value.(float64); ok && !f.at.schema.IntOrString() {
		return fmt.Sprintf("%s must be an integer: write %d or %d", f.theValue(),
			int64(math.Floor(v)), int64(math.Ceil(v)))
	}
	return wrongType(f)
}

func length(f *finding) string {
	values := f.at.schema.Values()
	text, ok := f.at.value.(string)
	if !ok {
		return "the length of a string is counted in characters, although the error says bytes"
	}
	has := utf8.RuneCountInString(text)
	switch {
	case values.MaxLength != nil && int64(has) > *values.MaxLength:
		return fmt.Sprintf("the string has %s, `maxLength` is %d: remove %d or more",
			plural(has, "character"), *values.MaxLength, int64(has)-*values.MaxLength)
	case values.MinLength != nil && int64(has) < *values.MinLength:
		return fmt.Sprintf("the string has %s, `minLength` is %d: add %d or more",
			plural(has, "character"), *values.MinLength, *values.MinLength-int64(has))
	}
	return inBranch
}

// inBranch is said of keywords that the node itself lacks.
const inBranch = "the restriction stands in `allOf`, `anyOf` or `oneOf` of the schema: satisfy " +
	"another branch, or the limit that the error names"

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

func pattern(f *finding) string {
	p := f.at.schema.Values().Pattern
	if p == "" {
		return inBranch
	}
	hint := fmt.Sprintf("%s must match the regular expression %s", f.theValue(), code(cut(p)))
	if example := f.example(f.at.schema); example != "" {
		hint += ", e.g. " + code(example)
	}
	if s, ok := f.at.value.(string); ok && strings.TrimSpace(s) != s {
		return hint + "; it starts or ends with white space"
	}
	return hint
}

// example returns a short string that the pattern and the length of a node
// allow; "" if none is found soon.
func (f *finding) example(of *structural.Schema) string {
	v, e := of.Values(), f.effort
	if known, ok := e.examples[of]; ok {
		return known
	}
	const most, longest, largest = 8, 64, 600 // examples, characters, instructions
	found := relang.Outcome{}
	if len(e.examples) < most && relang.Size(v.Pattern) <= largest &&
		(v.MinLength == nil || *v.MinLength <= longest) {
		least := int64(1)
		if v.MinLength != nil {
			least = max(least, *v.MinLength)
		}
		found = relang.Shortest(f.ctx, relang.Language{
			Patterns: []string{v.Pattern}, MinLength: &least, MaxLength: v.MaxLength,
		})
	}
	if len(found.Word) > longest {
		found.Word = ""
	}
	if e.examples == nil {
		e.examples = map[*structural.Schema]string{}
	}
	e.examples[of] = found.Word
	return found.Word
}

func bounds(f *finding) string {
	value, ok := number(f.at.value)
	v := f.at.schema.Values()
	switch {
	case !ok, v.Minimum == nil && v.Maximum == nil:
		return inBranch
	case v.Minimum != nil && (value < *v.Minimum || v.ExclusiveMinimum && value == *v.Minimum):
		return f.bound("minimum", *v.Minimum, v.ExclusiveMinimum, "greater than")
	case v.Maximum != nil && (value > *v.Maximum || v.ExclusiveMaximum && value == *v.Maximum):
		return f.bound("maximum", *v.Maximum, v.ExclusiveMaximum, "less than")
	}
	return "the schema's bound is compared as an integer, without its fraction"
}

func (f *finding) bound(keyword string, limit float64, exclusive bool, relation string) string {
	hint := fmt.Sprintf("%s is %v, %s", code(keyword), limit, f.theValue())
	if exclusive {
		return hint + fmt.Sprintf("; the bound is exclusive, the value must be %s "+
			"%v", relation, limit)
	}
	if f.object == nil {
		return "a default must be valid: " + hint
	}
	return hint
}

// number returns a number of any Go type that objects hold. ok is false for
// other values.
func number(value any) (n float64, ok bool) {
	switch v := value.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return 0, false
}

func multiple(f *finding) string {
	value, ok := number(f.at.value)
	factor := f.at.schema.Values().MultipleOf
	switch {
	case factor == nil:
		return inBranch
	case *factor <= 0:
		return "`multipleOf` must be positive: fix the schema"
	case !ok:
		return fmt.Sprintf("the value must be a multiple of %v", *factor)
	}
	below := math.Floor(value / *factor) * *factor
	return fmt.Sprintf("`multipleOf` is %v; the nearest multiples are %v and %v",
		*factor, below, below+*factor)
}

func enum(f *finding) string {
	values := f.at.schema.Values().Enum
	names := func() []string {
		var names []string
		for _, v := range values {
			if s, ok := v.(string); ok {
				names = append(names, s)
			}
		}
		return names
	}
	text, isText := f.at.value.(string)
	if isText {
		known := f.known(cacheKey{"enum", f.at.schema}, names)
		if near := f.near(text, known); near != "" {
			return "did you mean " + code(near) + "?"
		}
	}
	if !isText {
		text = fmt.Sprint(f.at.value)
	}
	for _, v := range values {
		if f.spend(1+len(text)) && fmt.Sprint(v) == text {
			return fmt.Sprintf("the schema wants %s of type %s, not of type %s",
				code(shown(v)), kindOf(v), kindOf(f.at.value))
		}
	}
	if f.object == nil {
		return "a default must be one of the values in `enum`"
	}
	return "use one of the supported values"
}

func items(f *finding) string {
	list, _ := f.at.value.([]any)
	v := f.at.schema.Values()
	return f.size("items", len(list), v.MinItems, v.MaxItems)
}

func properties(f *finding) string {
	object, _ := f.at.value.(map[string]any)
	v := f.at.schema.Values()
	return f.size("properties", len(object), v.MinProperties, v.MaxProperties)
}

// size compares the number of items or properties with the bounds.
func (f *finding) size(what string, has int, least, most *int64) string {
	keyword := strings.ToUpper(what[:1]) + what[1:]
	switch {
	case most != nil && int64(has) > *most:
		return fmt.Sprintf("there are %d %s, `max%s` is %d: remove %d or more",
			has, what, keyword, *most, int64(has)-*most)
	case least != nil && int64(has) < *least:
		return fmt.Sprintf("the number of %s is %d, `min%s` is %d: add %d or more",
			what, has, keyword, *least, *least-int64(has))
	}
	return "the number of " + what + " counts defaults too"
}

// required names a key that is perhaps the missing one, misspelt.
func required(f *finding) string {
	object, _ := f.at.holder.(map[string]any)
	if value, has := object[f.at.key]; has && value == nil {
		hint := "the null of " + code(f.at.key) + " is removed: give a value"
		if kind := f.at.schema.Type(); kind != "" {
			hint += " (" + kind + ")"
		}
		return hint
	}
	unknown := f.known(keyOfMap("unknown", object), func() []string {
		var names []string
		for key := range object {
			if f.at.above.Property(key) == nil {
				names = append(names, key)
			}
		}
		return names
	})
	if near := f.near(f.at.key, unknown); near != "" {
		return fmt.Sprintf("the object has %s: did you mean %s?", code(near), code(f.at.key))
	}
	add := "add " + code(f.at.key)
	if kind := f.at.schema.Type(); kind != "" {
		add += " (" + kind + ")"
	}
	if f.object == nil {
		return add + " to the default, or remove it from `required`"
	}
	return add
}

func forbiddenProperty(f *finding) string {
	key, _ := f.err.BadValue.(string)
	if near := f.near(key, f.properties(f.at.schema)); near != "" {
		return fmt.Sprintf("did you mean %s?", code(near))
	}
	return fmt.Sprintf("remove %s: the schema forbids other properties than those it names",
		code(key))
}

func anyOf(f *finding) string { return f.branches("anyOf", "at least one") }

func oneOf(f *finding) string { return f.branches("oneOf", "exactly one") }

// branches names the keys that the branches of a junctor require.
func (f *finding) branches(keyword, how string) string {
	at := f.at
	if f.object != nil { // the field of the error is empty, the path is in the text
		if path, ok := quotedStart(f.err.Detail); ok {
			at = locate(f.object.Object, f.object.Schema, path)
		}
	}
	list := at.schema.Values().AnyOf
	if keyword == "oneOf" {
		list = at.schema.Values().OneOf
	}
	hint := fmt.Sprintf("%s of the schemas in %s must hold", how, code(keyword))
	if wants := requiredOf(list); len(wants) > 0 {
		hint += ": set " + how + " of " + strings.Join(wants, ", ")
	}
	return hint
}

// requiredOf returns what each schema requires, e.g. "`a`" or "`b` with `c`".
func requiredOf(list []*structural.Schema) []string {
	var wants []string
	for _, s := range list {
		if names := s.Values().Required; len(names) > 0 {
			wants = append(wants, strings.ReplaceAll(codes(names), ", ", " with "))
		}
	}
	return wants
}

func quotedStart(text string) (string, bool) {
	prefix, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", false
	}
	unquoted, err := strconv.Unquote(prefix)
	return unquoted, err == nil
}
