// Package jsonvalue_test compares how this module and the libraries of the API
// server read YAML.
package jsonvalue_test

import (
	"math"
	"strings"
	"testing"

	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// scalars are texts that YAML takes for numbers, words, dates, text, errors or
// more than one value, depending on where they stand. Lines group them.
var scalars = []string{
	// integers in every base
	"0 1 -1 +1 -0 +0 00 01 07 08 09 0o7 0o8 0O7 -0o7 0x1F 0X1f -0x1F +0x1F 0x 0xg 0b1 0b2",
	"-0b1 +0b1 0B1",
	"1_000 _1 1_ 1__0 0x_1 0x1_ 0b1_0 -_1 1_000.5 1_0e1_0 0x_ 0b_ 0o_ 0o1_0 0_ -0_0 0_7 0_8 -_ ._",
	"190:20:30 1:60 1:2 -1:2 0:0 1:2.5 190:20:30.15 -1_0:2_0 1:2: 12:30:45 01:02",
	// floats
	".inf .Inf .INF -.inf +.inf -.Inf .nan .NaN .NAN -.nan .iNf inf nan Infinity +inf .info",
	".infinity .nana",
	"1. .5 -.5 +.5 +1.5 5. 1e3 1E3 1e+3 1e-3 1.5e3 1.e3 .5e3 1e e1 + -. +. 1._5 ._5 0._ 1_e3",
	"685_230.15",
	"1e400 -1e400 1e-400 1e1000 1e308 1.7976931348623157e308 1.7976931348623159e308 5e-324 2e-324",
	"1.0 1.10 100.0 1e2 12e03 -2E+05 -0.0 0.0 0e0 -0e0 0.1e1 123.456 1.0e0 0.000001 0.0000001",
	"1e-6 1e-7",
	// whole numbers whose shortest decimal is another integer
	"9007199254740991.0 9007199254740992.0 9007199254740993.0 9007199254740993 4503599627370497.5",
	"9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809",
	"9223372036854775807.0 9223372036854775000.0 -9223372036854774784.0 -9223372036854775808.0",
	"9.223372036854775e18 9.223372036854775807e18 9.223372036854776e18 -9.223372036854776e+18",
	"-9223372036854776000 9223372036854776000 -9223372036854775800 1234567890123456789.0",
	"18446744073709551615 18446744073709551616 123456789012345678 999999999999999999",
	"1000000000000000000",
	"1e15 1e16 1e17 1e18 1e19 1e20 1e21 1e22 -1e15 -1e16 -1e17 -1e18 -1e19 -1e20 -1e21 -1e22",
	"0x7fffffffffffffff 0x8000000000000000 -0x8000000000000000 -0x8000000000000001",
	"0xffffffffffffffff 0x10000000000000000",
	"0777777777777777777777 01777777777777777777777 -01000000000000000000000",
	"0b111111111111111111111111111111111111111111111111111111111111111",
	"0b1000000000000000000000000000000000000000000000000000000000000000",
	// words
	"true True TRUE tRue false False FALSE yes Yes YES yEs no No NO on On ON off Off OFF y Y n N",
	"null Null NULL nULL ~ nil none = << ! - -- --- ... .. . ? : | > @a `a %a &a *a * & '' \"\"",
	// dates, versions, addresses
	"2001-01-01 2001-1-1 2001-12-14t21:59:43.10-05:00 2002-12-14T00:00:00Z 2001-13-01 20010101",
	"12abc 1.2.3 1.2.3.4 v1 1-2 -a-b 0.0.0.0:80 ::1 fe80::1 http://a:b 1,000 1;",
	// punctuation within and around
	"a:b a#b #a -a ?a :a a: 'a \"a 'a' ''' '''' 'it''s' 'a\\' [ ] [] [a] [a,] [,] { } {} {a}",
	"{a:b} {\"a\":b} [a]b [a]#b 'a'#b",
	"$a /a (a ^a .abc .abcdef \\a <a =a ;a ~a _a +a a! a&b a,b a]b a}b a{b a'b a\"b a\\",
	"\"\\x41\" \"\\u0041\" \"\\U00000041\" \"\\e\\a\\b\\0\\v\\N\\_\\L\\P\" \"\\/\" \"\\q\"",
	"\"a\\nb\"",
	// characters
	"\u00e9 \u0085 \u2028 \ufeff \U0001F600 \x7f \x01 \ud7ff \ufffd \uffff \ufffe",
}

// spaced are scalars and collections with white space.
var spaced = []string{
	"", "a b", "a: b", "a :b", "a #b", "- a", "? a", ": a", "&a b", "!a b", "- - a", "1 ", "1 # x",
	"1 2", "0x1 ", "null ", " null", "a\tb", "a\t", "\ta", "a \t#b", "\u00a0", "\"\\ \"",
	"\"\\\t\"",
	"2001-12-14 21:59:43.10 -5", "2001-12-15 2:59:43.10",
	"!!str", "!!null", "!!binary aGk=", "!!binary x", "!!float 1", "!!int '1'", "!!bool yes",
	"!!str 1", "!!str yes", "!!set {a, b}", "!!omap [a: 1]", "!foo x", "!<tag:yaml.org,2002:str> 1",
	"!!timestamp 2001-01-01", "!!map {}", "!!seq []", "!!float .inf", "!!str .inf", "!!int 1.5",
	"!!float 0x10", "!!float 9223372036854775000",
	"[ ]", "[a, b: c]", "[a b]", "[1, 2", "[a] b", "[a] #b", "{ }", "{a: }", "{a: b,}",
	"{a: b, a: c}", "{? a: b}", "{a: [b, {c: d}]}", "{a: 'x}'}", "{a: b} c", "'a' b", "'a' #b",
	"\"a\" : b", "x: |\n  y",
}

// places are documents in which % stands for a scalar.
var places = []string{
	"%\n", "%", "--- %\n", "# c\na: %\n# d\n", "---\na: %\n", "---\na: %\n...\n",
	"a: %\n---\nb: c\n",
	// values of mappings
	"a: %\n", "a: %", "a: % # c\n", "a:\n  %\n", "a:   \n  %\n", "a: # c\n  %\n",
	"a: %\r\nb: c\r\n",
	"a:\n\n\n  %\n\n\nb: c\n", "a: %\nb: %\n", "a: - %\n", "a: !!str %\n", "a: &x %\nb: *x\n",
	// items of sequences
	"- %\n", "- - %\n", "-   %\n", "-\n  %\n", "a:\n- %\n", "a:\n  - %\nb: c\n",
	// keys
	"%: v\n", "  %: v\n  b: c\n", "a:\n    %: v\n    c: d\n", "- %: v\n  c: d\n",
	"- a: v\n  %: d\n",
	"? %\n: v\n", "&x %: v\n", "\"%\": v\n", "'%': v\n", "<<: {%: v}\na: b\n",
	// flow collections
	"{%}\n", "[%]\n", "{%: v}\n", "{a: %}", "{\"a\": %}\n", "a: {%: v}\n", "a: [%]\n",
	"a: [x, %, y]\n", "a: {k: %}\n", "a: {k: %, l: m}\n",
	// parts of longer text
	"a: x\n  %\n", "a: %\n  x\n", "a: %\n\n  x\n", "a: 'x\n  %'\n", "a: \"x\n  %\"\n", "a: \"%\"\n",
	"a: '%'\n", "a: |\n  %\n", "a: |\n  x\n   %\n", "a: >\n  %\n  x\n", "a: |2\n    %\n",
	"a: |-\n  %\n\n", "a: |+\n  %\n\n",
}

// Every scalar is read in every place as the server reads it: to JSON by
// sigs.k8s.io/yaml, and from there by its JSON decoder (PIPE-004, PIPE-005).
func TestScalarsInPlaces(t *testing.T) {
	all := spaced
	for _, line := range scalars {
		all = append(all, strings.Split(line, " ")...)
	}
	for _, place := range places {
		for _, scalar := range all {
			text := []byte(strings.ReplaceAll(place, "%", scalar))
			got, _, err := jsonvalue.DecodeYAML(text)
			if !isServersAnswer(text, got, err) {
				want, wantErr := decodedByServer(text)
				t.Errorf("%q: %#v, %v; server %#v, %v", text, got, err, want, wantErr)
			}
		}
	}
	t.Logf("%d scalars in %d places", len(all), len(places))
}

// isServersAnswer reports whether the server gives this answer. Where two keys
// become the same string its answer is random, so it is asked repeatedly.
func isServersAnswer(text []byte, got any, err error) bool {
	const attempts = 60
	for range attempts {
		want, wantErr := decodedByServer(text)
		if err != nil && wantErr != nil || err == nil && wantErr == nil && same(got, want) {
			return true
		}
	}
	return false
}

func decodedByServer(text []byte) (value any, err error) {
	asJSON, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, err
	}
	err = json.UnmarshalCaseSensitivePreserveInts(asJSON, &value)
	return value, err
}

// same compares with the signs of zeros.
func same(a, b any) bool {
	if a, ok := a.(float64); ok {
		b, ok := b.(float64)
		return ok && math.Float64bits(a) == math.Float64bits(b)
	}
	return jsonvalue.Equal(a, b)
}
