package objectgen

import (
	"encoding/base64"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
)

// text makes the whole string of a term match a pattern or, if that is not
// wanted, not match it. Of a term that is computed from a string it makes a
// pattern of that string.
func (s *solver) text(t term, pattern string, want bool) bool {
	if s.isSpent() || len(pattern) > maxPattern {
		return false
	}
	t = t.resolved()
	if c := s.cell(t); c != nil && c.node.format() == "byte" {
		return s.encoded(c, pattern, want)
	} else if c != nil {
		return s.wishText(c, pattern, want)
	}
	if v, ok := s.eval(t); ok && len(t.args()) == 0 {
		text, isText := v.(string)
		re, err := regexp.Compile("^(?:" + pattern + ")$")
		return isText && err == nil && re.MatchString(text) == want
	}
	args := t.args()
	constant := func(i int) string {
		if i >= len(args) {
			return ""
		}
		v, _ := s.eval(args[i])
		return fmt.Sprint(v)
	}
	switch t.function() {
	case "lowerAscii", "upperAscii":
		return s.text(args[0], "(?i:"+pattern+")", want)
	case "trim", "string", "replace", "dyn":
		return s.text(args[0], pattern, want)
	case "charAt":
		found := fmt.Sprintf("(?s:.{%s})(?:%s)", constant(1), pattern)
		return s.text(args[0], found+anything, want)
	case "substring":
		found := fmt.Sprintf("(?s:.{%s})(?:%s)", constant(1), pattern)
		if len(args) == 3 {
			found += anything
		}
		return s.text(args[0], found, want)
	case operators.Add:
		return s.joined(args, pattern, want)
	case operators.Index:
		return s.part(args[0].resolved(), constant(1), pattern, want)
	}
	return false
}

// maxPattern bounds the patterns that are built.
const maxPattern = 1 << 12

// part makes a part of a split string match a pattern.
func (s *solver) part(of term, index, pattern string, want bool) bool {
	args := of.args()
	if of.function() != "split" || len(args) < 2 {
		return false
	}
	v, ok := s.eval(args[1])
	sep, isText := v.(string)
	if !ok || !isText || sep == "" {
		return false
	}
	quoted := regexp.QuoteMeta(sep)
	return s.text(args[0], fmt.Sprintf("(?:[^%s]*%s){%s}(?:%s)(?:%s%s)?",
		regexp.QuoteMeta(sep[:1]), quoted, index, pattern, quoted, anything), want)
}

// joined makes two joined strings match a pattern, if it is a constant and one
// of them is at its beginning or end.
func (s *solver) joined(args []term, pattern string, want bool) bool {
	for i, arg := range args {
		v, ok := s.eval(arg)
		known, isText := v.(string)
		if !ok || !isText {
			continue
		}
		cut := strings.CutPrefix
		if i == 1 {
			cut = strings.CutSuffix
		}
		if rest, ok := cut(pattern, regexp.QuoteMeta(known)); ok && s.text(args[1-i], rest, want) {
			return true
		}
	}
	return false
}

// encoded gives a cell the base64 text of a string that matches a pattern.
func (s *solver) encoded(c *cell, pattern string, want bool) bool {
	w := wish{in: []string{pattern}}
	if !want {
		w = wish{out: w.in}
	}
	text, ok := s.m.word(&w, Node{})
	return ok && s.candidates(c, []any{base64.StdEncoding.EncodeToString([]byte(text))})
}

// predicate makes a function true or false.
func (s *solver) predicate(t term, want bool) bool {
	args := t.args()
	if len(args) < 2 {
		return s.sample(t)
	}
	v, known := s.eval(args[1])
	text, _ := v.(string)
	literal := regexp.QuoteMeta(text)
	switch name := t.function(); {
	case len(args) == 3 && args[0].Kind() == ast.IdentKind && args[0].AsIdent() == "sets":
		return s.sets(name, args[1:], want)
	case name == "isGreaterThan" || name == "isLessThan":
		operator := map[string]string{
			"isGreaterThan": operators.Greater, "isLessThan": operators.Less}[name]
		return s.compare(args[0], relationOf(operator, want), args[1])
	case name == "validate":
		pattern, ok := namedFormats[formatName(args[0])]
		return ok && s.text(args[1], pattern, !want) // what it returns are errors
	case name == "containsIP" || name == "containsCIDR":
		return s.contained(args, v, name)
	case !known || s.cell(args[0]) == nil && s.cell(args[1]) != nil:
		return s.within(t, want)
	case name == "startsWith":
		return s.edited(args[0], literal+anything, want, text, "")
	case name == "endsWith":
		return s.edited(args[0], anything+literal, want, "", text)
	case name == "contains" && text != "":
		return s.edited(args[0], anything+literal+anything, want, text, "")
	case name == "matches":
		return s.text(args[0], searched(text), want)
	}
	return s.sample(t)
}

// edited is text, and says what to put before and after the current string.
func (s *solver) edited(t term, pattern string, want bool, before, after string) bool {
	c := s.cell(t)
	if c == nil || !want {
		return s.text(t, pattern, want)
	}
	v, _ := c.value()
	current, _ := v.(string)
	return s.wishText(c, pattern, want, before+current+after, before+after)
}

// within satisfies a function of a constant and a string that is to be found in
// it.
func (s *solver) within(t term, want bool) bool {
	args := t.args()
	v, ok := s.eval(args[0])
	if text, isText := v.(string); ok && isText && want {
		return s.oneOf(args[1], []any{text})
	}
	return s.sample(t)
}

// sets gives one of two lists the items of the other one.
func (s *solver) sets(function string, args []term, want bool) bool {
	c, other, isWhole := s.cell(args[0]), args[1], function == "equivalent"
	if c == nil {
		c, other, isWhole = s.cell(args[1]), args[0], function != "intersects"
	}
	v, ok := s.eval(other)
	items, isList := v.([]any)
	if c == nil || !ok || !isList || !want || s.keeping {
		return false
	}
	have, _ := c.value()
	current, _ := have.([]any)
	if isWhole {
		current = nil
	}
	current = slices.Clone(current)
	for _, item := range items {
		if len(common(current, []any{item})) == 0 {
			current = append(current, item)
		}
	}
	c.set(current)
	return true
}

// contained makes an address or network one within a network.
func (s *solver) contained(args []term, inner any, function string) bool {
	of, ok := s.eval(args[0])
	network, isNetwork := of.(special)
	prefix, err := netip.ParsePrefix(network.text)
	if !ok || !isNetwork || err != nil {
		address, _ := inner.(string)
		if known, isSpecial := inner.(special); isSpecial {
			address = known.text
		}
		if at, err := netip.ParseAddr(address); err == nil && args[0].function() == "cidr" {
			return s.oneOf(args[0].args()[0], []any{netip.PrefixFrom(at, at.BitLen()).String()})
		}
		return s.sample(args[0])
	}
	target := args[1].resolved()
	if _, ok := samplesOf[target.function()]; ok {
		target = target.args()[0]
	}
	if function == "containsCIDR" {
		return s.oneOf(target, []any{network.text})
	}
	return s.oneOf(target, []any{prefix.Addr().String(), prefix.Addr().Next().String()})
}

// sample gives the strings in a term that functions take one of their samples,
// or a string that is near to one that the term mentions.
func (s *solver) sample(t term) bool {
	if s.isSpent() {
		return false
	}
	t = t.resolved()
	found := false
	for _, arg := range t.args() {
		found = s.sample(arg) || found
	}
	name, args := t.function(), t.args()
	samples := samplesOf[name]
	if len(samples) == 0 || len(args) == 0 || found {
		return found
	}
	of := args[len(args)-1] // of ip.isCanonical(self) the second one
	if _, isConstant := s.eval(of); isConstant && s.cell(of) == nil && len(of.args()) == 0 {
		return false
	}
	values := []any{"", "no " + name}
	for _, text := range samples {
		values = append(values, text)
	}
	return s.oneOf(of, values)
}

// formatName returns the name of a format, e.g. of format.dns1123Label().
func formatName(of term) string {
	for of = of.resolved(); of.Kind() == ast.CallKind; of = of.args()[0].resolved() {
		if args := of.args(); of.function() == "named" && len(args) == 2 &&
			args[1].Kind() == ast.LiteralKind {
			return fmt.Sprint(args[1].AsLiteral().Value())
		}
		if _, ok := namedFormats[of.function()]; ok || len(of.args()) == 0 {
			return of.function()
		}
	}
	return ""
}
