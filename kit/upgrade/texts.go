package upgrade

import (
	"cmp"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/crdsem/crdsem/internal/kit/relang"
	"github.com/crdsem/crdsem/kit/generate"
)

// The languages of formats, by the name without dashes. Exactly the strings of
// the language have the format, except for those of widerLanguages, which are
// some of the language.
var (
	formatLanguages = map[string]string{
		"password":     ``,
		"byte":         `^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$`,
		"uuid":         uuid("[0-9a-f]", "[0-9a-f]"),
		"uuid3":        uuid("3", "[0-9a-f]"),
		"uuid4":        uuid("4", "[89ab]"),
		"uuid5":        uuid("5", "[89ab]"),
		"bsonobjectid": `^[0-9A-Fa-f]{24}$`,
		"k8sshortname": `^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`,
	}
	widerLanguages = map[string]string{
		"date":        `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`,
		"datetime":    `^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt]`,
		"ipv4":        `^[0-9]{1,3}(\.[0-9]{1,3}){3}$`,
		"k8slongname": `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
		"mac":         `^[0-9A-Fa-f]{2}[0-9A-Fa-f:.-]{12,}$`,
		"cidr":        `^[0-9A-Fa-f:.]{2,}/[0-9]+$`,
		"ssn":         `^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$`,
		"hexcolor":    `^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`,
		"creditcard":  `[0-9]([^0-9]*[0-9]){12}`,
		"isbn":        `^[0-9Xx\s-]{10,}$`,
		"isbn10":      `^[0-9Xx\s-]{10,}$`,
		"isbn13":      `^[0-9\s-]{13,}$`,
	}
)

func uuid(third, fourth string) string {
	return `(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?` + third + `[0-9a-f]{3}-?` + fourth +
		`[0-9a-f]{3}-?[0-9a-f]{12}$`
}

// language returns a language that has all strings that the node accepts.
func (n *node) language() relang.Language {
	v := n.values
	l := relang.Language{MinLength: v.MinLength, MaxLength: v.MaxLength}
	if v.Pattern != "" {
		l.Patterns = append(l.Patterns, v.Pattern)
	}
	for _, s := range v.AllOf {
		of := s.Values()
		if of.Pattern != "" {
			l.Patterns = append(l.Patterns, of.Pattern)
		}
		if of.MinLength != nil && *of.MinLength > valueOr(l.MinLength, 0) {
			l.MinLength = of.MinLength
		}
		if of.MaxLength != nil && *of.MaxLength < valueOr(l.MaxLength, math.MaxInt64) {
			l.MaxLength = of.MaxLength
		}
	}
	if pattern := n.patternOfFormat(); pattern != "" {
		l.Patterns = append(l.Patterns, pattern)
	}
	return l
}

// patternOfFormat returns a pattern that all strings of the node's format
// match, empty if none is known or the format is not checked.
func (n *node) patternOfFormat() string {
	if !n.checksFormat() {
		return ""
	}
	name := strings.ReplaceAll(n.values.Format, "-", "")
	return cmp.Or(formatLanguages[name], widerLanguages[name])
}

// checksFormat reports whether the node refuses some strings for its format.
// One of these strings has none of the formats that are checked.
func (n *node) checksFormat() bool {
	if n.values.Format == "" {
		return false
	}
	return !n.restricted(map[string]any{"format": n.values.Format}).accepts("\x00 no format")
}

// refusesText answers for a keyword of strings, given as the keywords of a
// schema and as a language. The language has only strings that they accept.
func refusesText(from, to *node, keywords map[string]any, only relang.Language) answer {
	if !from.admits("string") {
		return answer{verdict: no}
	}
	restriction := to.restricted(keywords)
	if a, ok := from.members(restriction); ok {
		return a
	}
	found := relang.Difference(from.judges.ctx, from.language(), only)
	switch {
	case found.Decided && !found.Found:
		return answer{verdict: no}
	case found.Found && found.Long && from.values.Format == "":
		return answer{verdict: yes} // nothing but lengths
	case found.Long:
	case found.Found:
		return from.shownBy(restriction, append([]any{found.Word}, from.made()...))
	}
	return answer{}
}

func refusesByMaxLength(from, to *node) answer {
	bound := to.values.MaxLength
	return refusesText(from, to, map[string]any{"maxLength": *bound},
		relang.Language{MaxLength: bound})
}

func refusesByMinLength(from, to *node) answer {
	bound := to.values.MinLength
	return refusesText(from, to, map[string]any{"minLength": *bound},
		relang.Language{MinLength: bound})
}

func refusesByPattern(from, to *node) answer {
	pattern := to.values.Pattern
	return refusesText(from, to, map[string]any{"pattern": pattern},
		relang.Language{Patterns: []string{pattern}})
}

// refusesByFormat answers for a format of strings or of numbers.
func refusesByFormat(from, to *node) answer {
	restriction := to.restricted(map[string]any{"format": to.values.Format})
	if a, ok := from.members(restriction); ok {
		return a
	}
	numbers := answer{verdict: no}
	if from.admits("integer") || from.admits("number") {
		numbers = refusesNumbers(from, restriction, func() bool {
			low, high := to.width()
			fromLow, fromHigh := from.interval()
			return to.Type() == "integer" && low <= fromLow && fromHigh <= high ||
				to.values.Format == "double" || to.values.Format == "float" && from.isFloat()
		})
	}
	if !from.admits("string") || numbers.verdict == yes || !to.checksFormat() {
		return numbers
	}
	name := strings.ReplaceAll(to.values.Format, "-", "")
	pattern, isKnown := formatLanguages[name]
	if isKnown {
		a := refusesText(from, to, map[string]any{"format": to.values.Format},
			relang.Language{Patterns: []string{pattern}})
		if a.verdict == yes {
			return a
		}
		return answer{min(a.verdict, numbers.verdict), a.hints}
	}
	return from.shownBy(restriction, append(from.someTexts(), from.made()...))
}

// textsOfFormats are long and short strings of formats.
var textsOfFormats = map[string][]any{
	"ipv6":     {"2001:db8:1111:2222:3333:4444:5555:6666", "::"},
	"duration": {"0"},
	"uri":      {"/"},
	"cidr":     {"2001:db8:1111:2222::/64"},
	"mac":      {"00:00:00:00:fe:80:00:00:00:00:00:00:02:00:5e:10:00:00:00:01"},
	"email":    {"a@b", "a@b.example"},
	"hostname": {"a"},
}

// made returns some texts of the node's format, none without one.
func (n *node) made() (texts []any) {
	if n.values.Format == "" || isTooLarge(n.Schema) {
		return nil
	}
	const most = 6
	texts = append(texts, textsOfFormats[n.values.Format]...)
	random := rand.New(rand.NewPCG(1, 5))
	for range most {
		texts = append(texts, generate.Object(random, n.Schema))
	}
	return texts
}

// someTexts returns some strings that may be valid at the node.
func (n *node) someTexts() []any {
	texts := []any{"", "x", "/", "no such format"}
	language := n.language()
	for range 3 { // each one longer than the last
		found := relang.Difference(n.judges.ctx, language, relang.Language{
			Patterns: []string{exactly(texts)},
		})
		if !found.Found || found.Long {
			break
		}
		texts = append(texts, found.Word)
	}
	return texts
}

// exactly returns a pattern that is found in some strings only.
func exactly(texts []any) string {
	var quoted []string
	for _, text := range texts {
		if text, ok := text.(string); ok {
			quoted = append(quoted, regexp.QuoteMeta(text))
		}
	}
	return `^(` + strings.Join(quoted, "|") + `)$`
}
