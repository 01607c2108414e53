package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
)

// attacks returns all rows of the table.
func attacks() []attack {
	return slices.Concat(onRules(), onCompilation(), onValidation(), onBodies(), onDefinitions(),
		onPatches(), onApplies(), onLongKeys(), onQuantities(), onServer())
}

// repeat returns n copies of a text, joined by commas. In each, # is its
// number.
func repeat(n int, text string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strings.ReplaceAll(text, "#", fmt.Sprint(i))
	}
	return strings.Join(parts, ",")
}

// shuffled is like repeat in a random order.
func shuffled(n int, text string) string {
	parts := strings.Split(repeat(n, text), ",")
	random := rand.New(rand.NewPCG(1, 2))
	random.Shuffle(n, func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return strings.Join(parts, ",")
}

// nested returns a text within so many openings and closings.
func nested(levels int, opening, within, closing string) string {
	return strings.Repeat(opening, levels) + within + strings.Repeat(closing, levels)
}

// doubled is an expression that doubles a value so many times: v becomes how.
func doubled(of string, times int, how string) string {
	for i := range times {
		name := fmt.Sprintf("v%d", i)
		of = fmt.Sprintf("[%s].map(%s, %s)[0]", of, name, strings.ReplaceAll(how, "v", name))
	}
	return of
}

func onRules() []attack {
	tree := doubled("['x']", 40, "[v, v]")
	return []attack{
		evaluates("replace", "self.a.replace('x', self.a).size() >= 0", 1_000_000, 0),
		evaluates("join", "self.l.join(self.a).size() >= 0", 100_000, 3000),
		evaluates("format", "'%s'.format([self.l.map(x, self.a)]).size() > 0", 100_000, 3000),
		evaluates("format of a tree", "'%s'.format(["+tree+"]).size() > 0", 0, 3),
		evaluates("equal trees", tree+" == "+tree, 0, 3),
		evaluates("distinct trees", "["+tree+", "+tree+"].distinct().size() == 1", 0, 3),
		evaluates("lists doubled", doubled("self.l", 40, "v + v")+".size() > 0", 0, 3),
		evaluates("strings doubled", doubled("self.a", 40, "v + v")+".size() > 0", 100, 0),
		evaluates("findAll", "self.l.map(x, self.a.findAll('')).size() > 0", 1_000_000, 1000),
		evaluates("split", "self.l.map(x, self.a.split('x')).size() > 0", 1_000_000, 1000),
		evaluates("200 additions", "(self.a"+strings.Repeat(" + self.a", 200)+").size() > 0",
			1_000_000, 0),
		evaluates("200 searches", "self.a.contains('y')"+
			strings.Repeat(" || self.a.contains('y')", 200), 1_000_000, 0),
		evaluates("distinct", "self.l.distinct().size() > 0", 0, 100_000),
		evaluates("sort", "self.l.sort().size() > 0", 0, 100_000),
		evaluates("three loops", "self.l.all(i, self.l.all(j, self.l.all(k, i == j)))", 0, 3000),
		evaluates("indexOf", "self.a.indexOf(self.a.substring(500000) + 'y') < 0", 1_000_000, 0),
		evaluates("dynamic pattern", "'x'.matches(self.a)", 3_000_000, 0),
		evaluates("dynamic repeats", "'x'.matches(self.l.join('{1000}'))", 0, 3000),
	}
}

func onCompilation() []attack {
	return []attack{
		compiles("10 optMap", "optional.of(1)"+strings.Repeat(".optMap(x, x + 1)", 10)+
			".hasValue()"),
		compiles("5000 comparisons", strings.TrimSuffix(strings.Repeat("1 == 1 && ", 5000), "&& ")),
		compiles("10,000 empty lists", "["+repeat(10_000, "[]")+"].size() > 0"),
		compiles("100 KB of additions", "1"+strings.Repeat("+1", 49_000)+" > 0"),
		compiles("9 loops", nested(9, "self.l.all(x, ", "x == x", ")")),
		compiles("250 brackets", nested(250, "(", "true", ")")),
	}
}

// tower is a schema of a list whose items go through 2^levels branches.
func tower(junctor string, levels int) string {
	leaf := `{"pattern":"^b"}`
	for range levels {
		leaf = `{"` + junctor + `":[` + leaf + `,` + leaf + `]}`
	}
	return `{"type":"object","properties":{"l":{"type":"array","items":{"type":"string",` +
		strings.TrimPrefix(leaf, "{") + `}}}`
}

func onValidation() []attack {
	const stringItems = `"items":{"type":"string"}}}}`
	list := `"l":[` + repeat(1000, `"a"`) + `]`
	long := `"l":["` + strings.Repeat("a", 2_000_000) + `"]`
	return []attack{
		creates("8192 branches of oneOf", tower("oneOf", 13), list),
		creates("8192 branches of anyOf", tower("anyOf", 13), list),
		creates("8192 branches of allOf", tower("allOf", 13), list),
		creates("1024 patterns on 2 MB", tower("anyOf", 10), long),
		creates("30,000 members of an enum", `{"type":"object","properties":{"l":{"type":"array",`+
			`"items":{"type":"integer","enum":[`+repeat(30_000, "#")+`]}}}}`,
			`"l":[`+repeat(10_000, "9#")+`]`),
		creates("set of 200,000", `{"type":"object","properties":{"l":{"type":"array",`+
			`"x-kubernetes-list-type":"set",`+stringItems, `"l":[`+repeat(200_000, `"x#"`)+`]`),
		creates("set of 16 large objects", `{"type":"object","properties":{"l":{"type":"array",`+
			`"x-kubernetes-list-type":"set","items":{"type":"object","x-kubernetes-map-type":"atomic",`+
			`"x-kubernetes-preserve-unknown-fields":true}}}}`,
			`"l":[`+repeat(16, `{"k":[`+strings.TrimSuffix(strings.Repeat("1,", 90_000), ",")+
				`],"z":#}`)+`]`),
		creates("300,000 errors", `{"type":"object","properties":{"l":{"type":"array",`+
			`"items":{"type":"integer"}}}}`, `"l":[`+repeat(300_000, `""`)+`]`),
		creates("3,000,000 missing fields", `{"type":"object","properties":{"l":{"type":"array",`+
			`"items":{"type":"object","required":[`+repeat(300, `"f#"`)+`]}}}}`,
			`"l":[`+repeat(10_000, `{}`)+`]`),
	}
}

func onBodies() []attack {
	const open = `{"type":"object","x-kubernetes-preserve-unknown-fields":true}`
	head := "apiVersion: g.io/v1\nkind: K\nmetadata: {name: m}\n"
	bomb := head + "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
	for i := range 9 {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(
			strings.Repeat(fmt.Sprintf("*a%d,", i), 9), ","))
	}
	return []attack{
		reads("3 MB of JSON", open, objectOf(`"l":[`+repeat(350_000, "[#]")+`]`)),
		reads("3 MB of YAML flow", open, head+"l:\n"+strings.Repeat("- [a]\n", 500_000)),
		reads("YAML aliases", open, bomb),
		reads("3 MB of YAML scalars", open, head+"l:\n"+strings.Repeat("- 1\n", 750_000)),
		reads("300,000 duplicate keys", open, objectOf(repeat(300_000, `"u":1`))),
		reads("300,000 unknown fields", `{"type":"object"}`, objectOf(repeat(200_000, `"u#":1`))),
		reads("nested 9000 deep", open, objectOf(`"l":`+nested(9000, "[", "1", "]"))),
		reads("nested 1,000,000 deep", open, objectOf(`"l":`+nested(1_000_000, "[", "1", "]"))),
		reads("200,000 labels", open, strings.Replace(objectOf(`"a":1`), `"name":"n"`,
			`"name":"n","labels":{`+repeat(200_000, `"l#":"v"`)+`}`, 1)),
		reads("deep YAML flow", open, head+"l: "+nested(200_000, "[", "1", "]")),
	}
}

func onDefinitions() []attack {
	defaults := nested(9, `{"type":"object","properties":{"a":{"type":"array",`+
		`"default":[{},{},{},{},{},{},{},{}],"items":`, `{"type":"object"}`, `}}}`)
	return []attack{
		defines("20,000 properties", `{"type":"object","properties":{`+
			repeat(20_000, `"f#":{"type":"string"}`)+`}}`),
		defines("properties 2000 deep", nested(2000, `{"type":"object","properties":{"a":`,
			`{"type":"string"}`, `}}`)),
		defines("2000 rules", `{"type":"object","properties":{"f":{"type":"string","maxLength":9,`+
			`"x-kubernetes-validations":[`+repeat(2000, `{"rule":"self != 'x#'"}`)+`]}}}`),
		defines("1500 large patterns", `{"type":"object","properties":{`+
			repeat(1500, `"f#":{"type":"string","pattern":"a{1000}#"}`)+`}}`),
		creates("defaults in defaults", `{"type":"object","properties":{"spec":`+defaults+`}}`,
			`"spec":{}`),
	}
}

func onPatches() []attack {
	return []attack{
		patches("1,000,000 operations", `"a":1`,
			`[`+repeat(1_000_000, `{"op":"test","path":"/a","value":1}`)+`]`, crdsem.JSONPatch),
		patches("10,000 inserts at 0", `"l":[`+repeat(100_000, "#")+`]`,
			`[`+repeat(10_000, `{"op":"add","path":"/l/0","value":1}`)+`]`, crdsem.JSONPatch),
		patches("9000 moves of 1 MB", `"l":[`+repeat(150_000, "#")+`]`,
			`[`+repeat(4500, `{"op":"move","from":"/l","path":"/m"},`+
				`{"op":"move","from":"/m","path":"/l"}`)+`]`, crdsem.JSONPatch),
		patches("1000 tests of 1 MB", `"l":[`+repeat(150_000, "#")+`]`,
			`[`+repeat(1000, `{"op":"test","path":"/l","value":[1]}`)+`]`, crdsem.JSONPatch),
		patches("copies", `"a":"`+strings.Repeat("x", 1000)+`"`,
			`[`+repeat(9_000, `{"op":"copy","from":"/a","path":"/b#"}`)+`]`, crdsem.JSONPatch),
		patches("doubling copies", `"a":{"x":1}`,
			`[`+repeat(60, `{"op":"copy","from":"/a","path":"/a/b#"}`)+`]`, crdsem.JSONPatch),
		patches("merge of 3 MB", `"a":{}`, `{"a":{`+repeat(250_000, `"f#":1`)+`}}`,
			crdsem.MergePatch),
	}
}

func onApplies() []attack {
	const listOf = `{"type":"object","properties":{"l":{"type":"array",`
	const asSet = `"x-kubernetes-list-type":"set","items":{"type":"string"}}}}`
	const asMap = `"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],` +
		`"items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"}}}}}}`
	managers := strings.Replace(objectOf(`"l":["x"]`), `"name":"n"`, `"name":"n","uid":"u",`+
		`"resourceVersion":"1","managedFields":[`+repeat(5000, `{"manager":"m#","operation":"Apply",`+
		`"apiVersion":"g.io/v1","fieldsType":"FieldsV1","fieldsV1":{"f:l":{"v:\"x\"":{}}}}`)+`]`, 1)
	return []attack{
		applies("set of 100,000 in order", listOf+asSet, "",
			objectOf(`"l":[`+repeat(100_000, `"x1#"`)+`]`)),
		applies("set of 100,000, shuffled", listOf+asSet, "",
			objectOf(`"l":[`+shuffled(100_000, `"x#"`)+`]`)),
		applies("list-map of 60,000, shuffled", listOf+asMap, "",
			objectOf(`"l":[`+shuffled(60_000, `{"k":"x#"}`)+`]`)),
		applies("5000 managers", listOf+asSet, managers, objectOf(`"l":["x","y"]`)),
	}
}

// onLongKeys has many findings below one long key.
func onLongKeys() []attack {
	const key, items = 500_000, 20_000
	below := func(name, item, value string) attack {
		schema := `{"type":"object","properties":{"m":{"type":"object","additionalProperties":` +
			`{"type":"array","items":` + item + `}}}}`
		return creates("long key: "+name, schema,
			`"m":{"`+strings.Repeat("k", key)+`":[`+repeat(items, value)+`]}`)
	}
	const object = `{"type":"object","properties":{"d":{"type":"string"}}}`
	return []attack{
		below("unknown fields", object, `{"u#":1}`),
		below("nulls", object, `{"d":null}`),
		below("embedded metadata", `{"type":"object","x-kubernetes-embedded-resource":true}`,
			`{"apiVersion":"v1","kind":"X","metadata":{"name":"a","foo":1}}`),
		below("failing rules", `{"type":"string","x-kubernetes-validations":[{"rule":"self == ''"}]}`,
			`"a"`),
		below("wrong types", `{"type":"string"}`, `#`),
		reads("duplicate fields", `{"type":"object"}`, objectOf(`"m":{"`+strings.Repeat("k", key)+
			`":[`+repeat(items, `{"d":1,"d":2}`)+`]}`)),
	}
}

// onQuantities has exponents that are not written out.
func onQuantities() []attack {
	quantity := func(name, rule, value string) attack {
		return creates("quantity: "+name, ruled(rule), `"a":"`+value+`"`)
	}
	const compared = "quantity(self.a).isLessThan(quantity('1'))"
	return []attack{
		quantity("small", "isQuantity(self.a)", "1e-2147483647"),
		quantity("large", "isQuantity(self.a)", "1e2147483647"),
		quantity("small, compared", compared, "1e-2147483647"),
		quantity("large, compared", compared, "1e2147483647"),
	}
}
