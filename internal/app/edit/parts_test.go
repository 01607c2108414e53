package edit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/sample"
	"github.com/crdsem/crdsem/internal/app/verdict"
)

// Columns count bytes, UTF-16 units or characters. Between them, the character
// counts.
func TestEncodings(t *testing.T) {
	const line = "aé😀b"
	for encoding, columns := range map[Encoding][]int{
		// Of each byte, and of the end.
		UTF8:  {0, 1, 3, 3, 7, 7, 7, 7, 8},
		UTF16: {0, 1, 2, 2, 4, 4, 4, 4, 5},
		UTF32: {0, 1, 2, 2, 3, 3, 3, 3, 4},
		"":    {0, 1, 2, 2, 4, 4, 4, 4, 5},
	} {
		l := &lineColumns{encoding: encoding}
		l.read(line)
		for offset, want := range columns {
			if got := encoding.column(line, offset); got != want {
				t.Errorf("%q: byte %d is column %d, want %d", encoding, offset, got, want)
			}
			starts := offset == 0 || columns[offset-1] != want || offset == len(line)
			if got := l.at(offset); starts && got != want {
				t.Errorf("%q: byte %d is column %d, want %d", encoding, offset, got, want)
			}
		}
		for column, want := range map[int]int{
			-1: 0, 0: 0, 1: 1, columns[2]: 3, columns[7]: 7, columns[8]: 8, 99: 8,
		} {
			if got := encoding.offset(line, column); got != want {
				t.Errorf("%q: column %d is byte %d, want %d", encoding, column, got, want)
			}
		}
	}
	for _, c := range []struct {
		from, to Position
		want     string
	}{
		{Position{0, 1}, Position{0, 2}, "éXb\ncd\n"},
		{Position{0, 0}, Position{1, 0}, "Xcd\n"},
		{Position{0, 9}, Position{1, 1}, "éabXd\n"},
		{Position{1, 9}, Position{9, 9}, "éab\ncdX"},
		{Position{2, 0}, Position{2, 0}, "éab\ncd\nX"},
		{Position{9, 9}, Position{9, 9}, "éab\ncd\nX"},
		{Position{1, 1}, Position{0, 0}, "éab\ncXd\n"},
		{Position{-1, -1}, Position{0, 0}, "Xéab\ncd\n"},
	} {
		if got := UTF32.Apply("éab\ncd\n", Edit{Range{c.from, c.to}, "X"}); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}

// A finding is at a key, or goes to the end of its line. One behind the end is
// at the end.
func TestRanges(t *testing.T) {
	long := strings.Repeat("k", longestKey)
	for _, c := range []struct {
		text         string
		line, column int
		want         Range
	}{
		{"x\n  ab: 1", 2, 3, Range{Position{1, 2}, Position{1, 4}}},
		{"x\n  ab: 1", 2, 1, Range{Position{1, 0}, Position{1, 7}}},
		{"x\n  ab: 1", 2, 7, Range{Position{1, 6}, Position{1, 7}}},
		{"x\n  ab: 1", 2, 99, Range{Position{1, 7}, Position{1, 7}}},
		{"x\n  ab: 1", 9, 3, Range{Position{1, 2}, Position{1, 4}}},
		{"x: 1\ny", 0, 0, Range{Position{0, 0}, Position{0, 1}}},
		{"é: ü \r\ny", 1, 4, Range{Position{0, 3}, Position{0, 4}}},
		{": x", 1, 1, Range{Position{0, 0}, Position{0, 3}}},
		{"\"a\": x", 1, 1, Range{Position{0, 0}, Position{0, 6}}},
		{"'a': x", 1, 1, Range{Position{0, 0}, Position{0, 6}}},
		{"{a: x", 1, 1, Range{Position{0, 0}, Position{0, 5}}},
		{"[a: x", 1, 1, Range{Position{0, 0}, Position{0, 5}}},
		{"a b: x", 1, 1, Range{Position{0, 0}, Position{0, 6}}},
		{"ab", 1, 1, Range{Position{0, 0}, Position{0, 2}}},
		{"", 1, 1, Range{}},
		{long[1:] + ": 1", 1, 1, Range{Position{0, 0}, Position{0, longestKey - 1}}},
		{long + ": 1", 1, 1, Range{Position{0, 0}, Position{0, longestKey + 3}}},
	} {
		l := &lineColumns{encoding: UTF32, lines: strings.Split(c.text, "\n")}
		for range 2 { // the last line is kept
			got := l.diagnostic(&verdict.Finding{Line: c.line, Column: c.column})
			if got.Range != c.want {
				t.Errorf("%.20q, %d:%d: %v, want %v", c.text, c.line, c.column, got.Range, c.want)
			}
		}
	}
}

// stepsOf returns the steps of a way, e.g. spec/list/-/name.
func stepsOf(way string) (steps []wayStep) {
	for key := range strings.SplitSeq(way, "/") {
		if key == "-" {
			steps = append(steps, wayStep{item: true})
		} else if key != "" {
			steps = append(steps, wayStep{key: key})
		}
	}
	return steps
}

// What stands in a definition below a way: s is the way to the schema.
func TestPlaces(t *testing.T) {
	for way, want := range map[string]struct {
		place    schemaPlace
		junctor  bool
		keywords string // the first of them
	}{
		"":                                  {elsewhere, false, "spec"},
		"spec":                              {elsewhere, false, "group"},
		"spec/versions":                     {elsewhere, false, ""},
		"spec/versions/-":                   {elsewhere, false, "name"},
		"spec/versions/-/schema":            {elsewhere, false, "openAPIV3Schema"},
		"s":                                 {atSchema, false, "type"},
		"s/properties":                      {atSchemas, false, ""},
		"s/properties/a":                    {atSchema, false, "type"},
		"s/properties/properties":           {atSchema, false, "type"},
		"s/properties/allOf":                {atSchema, false, "type"},
		"s/properties/not/items":            {atSchema, false, "type"},
		"s/items":                           {atSchema, false, "type"},
		"s/additionalProperties":            {atSchema, false, "type"},
		"s/not":                             {atSchema, true, "type"},
		"s/not/items":                       {atSchema, true, "type"},
		"s/allOf":                           {atList, true, ""},
		"s/anyOf/-":                         {atSchema, true, "type"},
		"s/oneOf/-/properties":              {atSchemas, true, ""},
		"s/oneOf/-/properties/a":            {atSchema, true, "type"},
		"s/type":                            {elsewhere, false, ""},
		"s/x-kubernetes-validations":        {atRules, false, ""},
		"s/x-kubernetes-validations/-":      {atRule, false, "rule"},
		"s/x-kubernetes-validations/a":      {elsewhere, false, ""},
		"s/x-kubernetes-validations/-/rule": {elsewhere, false, ""},
		"s/default/properties":              {elsewhere, false, ""},
	} {
		whole := way
		if rest, ok := strings.CutPrefix(way, "s"); ok && !strings.HasPrefix(way, "spec") {
			whole = "spec/versions/-/schema/openAPIV3Schema" + rest
		}
		steps := stepsOf(whole)
		if got := inSchema(steps); got != want.place {
			t.Errorf("%s is at %d, want %d", way, got, want.place)
		}
		if got := inJunctor(steps); got != want.junctor {
			t.Errorf("%s is in a junctor: %t", way, got)
		}
		first := ""
		if all := keywordsOf(steps); len(all) > 0 {
			first = all[0].name
		}
		if first != want.keywords {
			t.Errorf("%s has %q, want %q", way, first, want.keywords)
		}
	}
}

// A keyword is offered where it has an effect: by the type of its node. Within
// junctors, where only values can be restricted, a node needs no type.
func TestKeywordsFit(t *testing.T) {
	const junctors = " allOf anyOf oneOf not"
	const docs = " example externalDocs"
	const numbers = " format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"
	spine := func(first, bounds, last string) string {
		return "type description" + first + " default nullable enum" + bounds + junctors +
			" title" + docs + " x-kubernetes-validations" + last
	}
	for typ, want := range map[string][2]string{
		"": {
			spine("", "", " x-kubernetes-int-or-string x-kubernetes-preserve-unknown-fields"),
			"properties required items enum format pattern minLength maxLength minimum maximum " +
				"exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems minProperties " +
				"maxProperties" + junctors + docs,
		},
		"object": {
			spine(" properties required additionalProperties", " minProperties maxProperties",
				" x-kubernetes-map-type x-kubernetes-embedded-resource "+
					"x-kubernetes-preserve-unknown-fields"),
			"properties required enum minProperties maxProperties" + junctors + docs,
		},
		"array": {
			spine(" items", " minItems maxItems", " x-kubernetes-list-type x-kubernetes-list-map-keys"),
			"items enum minItems maxItems" + junctors + docs,
		},
		"string": {
			spine("", " format pattern minLength maxLength", ""),
			"enum format pattern minLength maxLength" + junctors + docs,
		},
		"integer": {spine("", numbers, ""), "enum" + numbers + junctors + docs},
		"number":  {spine("", numbers, ""), "enum" + numbers + junctors + docs},
		"boolean": {spine("", "", ""), "enum" + junctors + docs},
	} {
		for i, nested := range []bool{false, true} {
			var got []string
			for _, k := range keywordsAt()[schemaWay] {
				if k.fits(typ, nested) {
					got = append(got, k.name)
				}
			}
			if diff := cmp.Diff(want[i], strings.Join(got, " ")); diff != "" {
				t.Errorf("%q, %t: %s", typ, nested, diff)
			}
		}
	}
}

// Numbers have their thousands apart. From 2^50 on they are rounded.
func TestNumber(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 12345: "12,345", 999999: "999,999", 1000000: "1,000,000",
		1<<50 - 1: "1,125,899,906,842,623", 1 << 50: "1.1e+15", 1<<64 - 1: "1.8e+19",
	} {
		if got := number(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// Text is plain if YAML reads it as the same string. All others have quotes.
func TestPlainText(t *testing.T) {
	for text, want := range map[string]string{
		"a": "a", "z": "z", "A": "A", "Z": "Z", "a1-_./": "a1-_./", "a0": "a0", "a9": "a9", "Nope": "Nope", "offs": "offs",
		"": `""`, "1a": `"1a"`, "-a": `"-a"`, ".a": `".a"`, "_a": `"_a"`, "/a": `"/a"`, "a b": `"a b"`, "a:": `"a:"`,
		"é": `"é"`, "a@": `"a@"`, "a[": `"a["`, "a`": "\"a`\"", "a{": `"a{"`, "true": `"true"`, "False": `"False"`,
		"NULL": `"NULL"`, "yes": `"yes"`, "No": `"No"`, "on": `"on"`, "off": `"off"`, "y": `"y"`, "N": `"N"`,
	} {
		if got := sample.Scalar(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if got := sample.Scalar(func() {}); got != "" {
		t.Errorf("a function: %s", got)
	}
	if diff := cmp.Diff(`{"a":[1,true,null]}`, sample.Scalar(map[string]any{"a": []any{1, true, nil}})); diff != "" {
		t.Error(diff)
	}
}
