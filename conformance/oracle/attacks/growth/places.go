package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/app/edit"
	"github.com/crdsem/crdsem/internal/app/evaluator"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/kit/catalog"
	"github.com/crdsem/crdsem/kit/columns"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kit/upgrade"
	"github.com/crdsem/crdsem/merge/apply"
)

// places returns all parts of inputs that can be long.
func places() []place {
	return slices.Concat(ofObjects(), ofKeys(), ofMetadata(), ofVersions(), ofSchemas(),
		ofKeywords(), ofUpdates(), ofUpgrades(), ofGenerated(), ofTables(), ofStreams(),
		ofEditors(), ofParsers(), ofPatches(), ofServer())
}

// many returns n copies of a text, joined by commas. In each, # is its number.
func many(n int, text string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strings.ReplaceAll(text, "#", fmt.Sprint(i))
	}
	return strings.Join(parts, ",")
}

func letters(n int) string { return strings.Repeat("k", n) }

// definitionOf returns a definition with a schema, and with more fields of its
// version.
func definitionOf(schema, more string) string {
	return definitionWith(`{"name":"v1","served":true,"storage":true` + more +
		`,"schema":{"openAPIV3Schema":` + schema + `}}`)
}

func definitionWith(versions string) string {
	return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",` +
		`"metadata":{"name":"ks.g.io"},"spec":{"group":"g.io","scope":"Namespaced",` +
		`"names":{"plural":"ks","kind":"K","singular":"k","listKind":"KList"},"versions":[` +
		versions + `]}}`
}

// fieldsOf returns the schema of an object with some properties.
func fieldsOf(properties string) string {
	return `{"type":"object","properties":{` + properties + `}}`
}

// objectOf returns an object with some fields.
func objectOf(fields string) string {
	return `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"d"},` + fields + `}`
}

// text returns a text of a size.
type text func(n int) string

func fixed(s string) text { return func(int) string { return s } }

// created is a place of an object or of its schema: the object is created.
func created(name string, schema, fields text, options ...crdsem.Option) place {
	return place{name, func(n int) (func(context.Context), error) {
		v, err := versionOf(definitionOf(schema(n), ""))
		if err != nil {
			return nil, err
		}
		body := []byte(objectOf(fields(n)))
		return func(ctx context.Context) {
			r := v.CreateBytes(ctx, body, options...)
			if err := r.Err(); err != nil {
				_ = err.Error()
			}
		}, v.Prepare(context.Background())
	}}
}

func versionOf(text string) (*crdsem.Version, error) {
	def, err := crdsem.Parse([]byte(text), apply.Server())
	if err != nil {
		return nil, err
	}
	return def.Version("v1")
}

func ofObjects() []place {
	list := func(items string) text {
		return fixed(fieldsOf(`"l":{"type":"array","items":` + items + `}`))
	}
	items := func(item string) text {
		return func(n int) string { return `"l":[` + many(n, item) + `]` }
	}
	value := func(n int) string { return `"l":["` + letters(n) + `"]` }
	enum := func(n int) string {
		return fieldsOf(`"l":{"type":"array","items":{"type":"string","enum":[` + many(n, `"e#"`) + `]}}`)
	}
	unknown := func(n int) string { return many(n, `"u#":1`) }
	properties := func(n int) string { return fieldsOf(many(n, `"field#":{"type":"string"}`)) }
	required := func(n int) string {
		return `{"type":"object","required":[` + many(n, `"r#"`) + `],"properties":{` +
			many(n, `"r#":{"type":"string"}`) + `}}`
	}
	ruled := fixed(fieldsOf(`"l":{"type":"array","maxItems":9,"items":{"type":"string",` +
		`"x-kubernetes-validations":[{"rule":"self == ''"}]}}`))
	explain := crdsem.ExplainFailures()
	strict := crdsem.FieldValidation(crdsem.Strict)
	return []place{
		created("items", list(`{"type":"string"}`), items(`"a#"`)),
		created("items of a wrong type", list(`{"type":"string"}`), items(`#`)),
		created("length of a value", list(`{"type":"string","maxLength":3}`), value),
		created("length of a value with a pattern", list(`{"type":"string","pattern":"^(a|k)*k$"}`), value),
		created("length of a value with a format", list(`{"type":"string","format":"date-time"}`), value),
		created("digits of a number", list(`{"type":"number"}`), func(n int) string {
			return `"l":[` + strings.Repeat("7", n) + `.5]`
		}),
		created("enum and its values", enum, items(`"e#"`)),
		created("enum and other values", enum, items(`"f#"`)),
		created("set", list(`{"type":"string"},"x-kubernetes-list-type":"set"`), items(`"a#"`)),
		created("list-map", list(`{"type":"object","required":["k"],"properties":{"k":{"type":`+
			`"string"}}},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"]`),
			items(`{"k":"a#"}`)),
		created("unknown fields", fixed(fieldsOf(``)), unknown),
		created("unknown fields, Strict", fixed(fieldsOf(``)), unknown, strict),
		created("unknown fields and properties", properties, unknown),
		created("nulls", properties, func(n int) string { return many(n, `"field#":null`) }),
		created("missing required fields", required, fixed(`"a":1`)),
		created("duplicate fields", properties, func(n int) string {
			return many(n, `"field#":"a","field#":"b"`)
		}),
		created("nesting", fixed(`{"type":"object","x-kubernetes-preserve-unknown-fields":true}`),
			func(n int) string {
				n = min(n, 4096)
				return `"a":` + strings.Repeat(`{"a":`, n) + `1` + strings.Repeat(`}`, n)
			}),
		created("failing rules", ruled, items(`"a#"`)),
		created("failing rules, explained", ruled, items(`"a#"`), explain),
		created("branches of anyOf", func(n int) string {
			return fieldsOf(`"l":{"type":"array","items":{"type":"string","anyOf":[` +
				many(n, `{"pattern":"^b#$"}`) + `]}}`)
		}, fixed(`"l":["b0"]`)),
		created("defaults", func(n int) string {
			return fieldsOf(many(n, `"d#":{"type":"string","default":"x"}`))
		}, fixed(`"a":1`)),
	}
}

// ofKeys has many findings below one long key: both grow.
func ofKeys() []place {
	const schema = `"m":{"type":"object","additionalProperties":{"type":"object","properties":{` +
		`"s":{"type":"array","items":{"type":"object","properties":{"d":{"type":"string"}}}},` +
		`"e":{"type":"array","items":{"type":"object","x-kubernetes-embedded-resource":true}},` +
		`"f":{"type":"array","items":{"type":"object","properties":{"d":{"type":"string","default":"x"}}}},` +
		`"r":{"type":"array","maxItems":9,"items":{"type":"string","x-kubernetes-validations":[` +
		`{"rule":"self == ''","messageExpression":"'not ' + self"}]}},` +
		`"t":{"type":"array","items":{"type":"integer"}}}}}`
	all := []place{}
	for _, c := range []struct{ name, list, item string }{
		{"unknown fields below a long key", "s", `{"u":1}`},
		{"nulls below a long key", "s", `{"d":null}`},
		{"embedded metadata below a long key", "e",
			`{"apiVersion":"v1","kind":"X","metadata":{"name":"a","foo":1}}`},
		{"defaults below a long key", "f", `{}`},
		{"duplicate fields below a long key", "s", `{"d":"1","d":"2"}`},
		{"failing rules below a long key", "r", `"a"`},
		{"wrong types below a long key", "t", `"a"`},
	} {
		all = append(all, created(c.name, fixed(fieldsOf(schema)), func(n int) string {
			return `"m":{"` + letters(40*n) + `":{"` + c.list + `":[` + many(n, c.item) + `]}}`
		}))
	}
	return all
}

// updated is a place of an object that is updated from another one.
func updated(name string, schema, old, fields text) place {
	return place{name, func(n int) (func(context.Context), error) {
		v, err := versionOf(definitionOf(schema(n), ""))
		if err != nil {
			return nil, err
		}
		var stored map[string]any
		err = json.Unmarshal([]byte(objectOf(old(n))), &stored)
		body := []byte(objectOf(fields(n)))
		return func(ctx context.Context) { v.UpdateBytes(ctx, body, stored) }, err
	}}
}

func ofMetadata() []place {
	open := fixed(`{"type":"object","x-kubernetes-preserve-unknown-fields":true}`)
	metadata := func(field string, of text) text {
		return func(n int) string { return `"metadata":{"name":"n","namespace":"d","` + field + `":` + of(n) + `}` }
	}
	each := func(open, item, end string) text {
		return func(n int) string { return open + many(n, item) + end }
	}
	return []place{
		created("labels", open, metadata("labels", each("{", `"l#":"v"`, "}"))),
		created("labels that are not valid", open, metadata("labels", each("{", `"l #":"v v"`, "}"))),
		created("length of a label", open, metadata("labels", func(n int) string {
			return `{"` + letters(n) + `":"` + letters(n) + `"}`
		})),
		created("length of an annotation", open, metadata("annotations", func(n int) string {
			return `{"a":"` + letters(n) + `"}`
		})),
		created("finalizers", open, metadata("finalizers", each("[", `"a.io/f#"`, "]"))),
		created("owners", open, metadata("ownerReferences", each("[",
			`{"apiVersion":"v1","kind":"P","name":"n#","uid":"u#"}`, "]"))),
		created("managers", open, metadata("managedFields", each("[",
			`{"manager":"m#","operation":"Update","apiVersion":"g.io/v1","fieldsType":"FieldsV1",`+
				`"fieldsV1":{"f:a":{}}}`, "]"))),
		created("managed fields", open, metadata("managedFields", func(n int) string {
			return `[{"manager":"m","operation":"Update","apiVersion":"g.io/v1","fieldsType":` +
				`"FieldsV1","fieldsV1":{` + many(n, `"f:a#":{}`) + `}}]`
		})),
	}
}

// defined is a place of a definition that is decoded and validated.
func defined(name string, of text) place {
	return place{name, func(n int) (func(context.Context), error) {
		body := []byte(of(n))
		return func(ctx context.Context) {
			if crd, _, err := definition.Parse(body); err == nil {
				validate.Create(ctx, crd.ForCreate())
			}
		}, nil
	}}
}

func schemaPlace(name string, schema text) place {
	return defined(name, func(n int) string { return definitionOf(schema(n), "") })
}

// listed is a text with so many items.
func listed(open, item, end string) text {
	return func(n int) string { return open + many(n, item) + end }
}

func ofVersions() []place {
	version := func(more text) text {
		return func(n int) string { return definitionOf(fieldsOf(`"a":{"type":"string"}`), more(n)) }
	}
	status := func(conditions text) text {
		return func(n int) string {
			return strings.TrimSuffix(definitionOf(fieldsOf(``), ""), "}") + conditions(n) + "}"
		}
	}
	return []place{
		defined("versions", func(n int) string {
			return definitionWith(many(n, `{"name":"v#","served":true,"storage":false,"schema":{`+
				`"openAPIV3Schema":{"type":"object"}}}`))
		}),
		defined("columns", version(listed(`,"additionalPrinterColumns":[`,
			`{"name":"c#","type":"string","jsonPath":".a"}`, `]`))),
		defined("length of a column's path", version(func(n int) string {
			return `,"additionalPrinterColumns":[{"name":"c","type":"string","jsonPath":".` + letters(n) + `"}]`
		})),
		defined("selectable fields", version(listed(`,"selectableFields":[`, `{"jsonPath":".a#"}`, `]`))),
		defined("conditions", status(listed(`,"status":{"conditions":[`,
			`{"type":"t#","status":"True"}`, `]}`))),
		defined("stored versions", status(listed(`,"status":{"storedVersions":[`, `"v#"`, `]}`))),
	}
}

func ofSchemas() []place {
	return []place{
		schemaPlace("properties", listed(`{"type":"object","properties":{`, `"p#":{"type":"string"}`, `}}`)),
		schemaPlace("properties without a type", listed(`{"type":"object","properties":{`, `"p#":{}`, `}}`)),
		schemaPlace("properties below a long name", func(n int) string {
			return fieldsOf(`"` + letters(40*n) + `":` + fieldsOf(many(n, `"p#":{}`)))
		}),
		schemaPlace("nested properties", func(n int) string {
			n = min(n, 1024)
			return strings.Repeat(`{"type":"object","properties":{"a":`, n) + `{"type":"string"}` +
				strings.Repeat(`}}`, n)
		}),
	}
}

func ofKeywords() []place {
	ofValue := func(keywords text) text {
		return func(n int) string { return fieldsOf(`"a":{` + keywords(n) + `}`) }
	}
	return []place{
		schemaPlace("enum", ofValue(listed(`"type":"string","enum":[`, `"e#"`, `]`))),
		schemaPlace("enum of equal values", ofValue(listed(`"type":"string","enum":[`, `"e"`, `]`))),
		schemaPlace("required", ofValue(listed(`"type":"object","required":[`, `"r#"`, `]`))),
		schemaPlace("branches", ofValue(listed(`"type":"string","anyOf":[`, `{"minLength":#}`, `]`))),
		schemaPlace("branches that repeat", ofValue(listed(`"type":"string","oneOf":[`,
			`{"type":"string","minLength":1}`, `]`))),
		schemaPlace("length of a pattern", ofValue(func(n int) string {
			return `"type":"string","pattern":"` + letters(n) + `"`
		})),
		schemaPlace("length of a description", ofValue(func(n int) string {
			return `"type":"string","description":"` + letters(n) + `"`
		})),
		schemaPlace("default", ofValue(listed(`"type":"array","items":{"type":"string"},"default":[`,
			`"d#"`, `]`))),
		schemaPlace("keys of a list-map", ofValue(listed(`"type":"array","x-kubernetes-list-type":`+
			`"map","items":{"type":"object"},"x-kubernetes-list-map-keys":[`, `"k#"`, `]`))),
		schemaPlace("rules", ofValue(listed(`"type":"integer","x-kubernetes-validations":[`,
			`{"rule":"self > #"}`, `]`))),
		schemaPlace("rules that are not valid", ofValue(listed(`"type":"integer",`+
			`"x-kubernetes-validations":[`, `{"rule":"self.a#","fieldPath":".a#"}`, `]`))),
		schemaPlace("length of a rule", ofValue(func(n int) string {
			return `"type":"integer","x-kubernetes-validations":[{"rule":"self > 0` +
				strings.Repeat(" && self > 0", n/8) + `"}]`
		})),
		schemaPlace("length of a string in a rule", ofValue(func(n int) string {
			return `"type":"string","x-kubernetes-validations":[{"rule":"self != '` + letters(n) + `'"}]`
		})),
	}
}

func ofUpdates() []place {
	list := func(items string) text {
		return fixed(fieldsOf(`"l":{"type":"array","items":` + items + `}`))
	}
	items := func(item string) text {
		return func(n int) string { return `"l":[` + many(n, item) + `]` }
	}
	listMap := list(`{"type":"object","required":["k"],"properties":{"k":{"type":"string"},` +
		`"v":{"type":"integer","maximum":0}}},"x-kubernetes-list-type":"map",` +
		`"x-kubernetes-list-map-keys":["k"]`)
	return []place{
		updated("ratcheted items", list(`{"type":"integer","maximum":0}`), items(`9#`), items(`9#`)),
		updated("ratcheted list-map", listMap, items(`{"k":"a#","v":1}`), items(`{"v":1,"k":"a#"}`)),
		updated("set against another", list(`{"type":"string"},"x-kubernetes-list-type":"set"`),
			items(`"a#"`), items(`"b#"`)),
		patched("operations of a patch", crdsem.JSONPatch, func(n int) string {
			return `[` + many(n, `{"op":"add","path":"/l/-","value":#}`) + `]`
		}),
		patched("inserts of a patch", crdsem.JSONPatch, func(n int) string {
			return `[` + many(n, `{"op":"add","path":"/l/0","value":#}`) + `]`
		}),
		patched("length of a pointer", crdsem.JSONPatch, func(n int) string {
			return `[{"op":"remove","path":"/` + letters(n) + `/a"}]`
		}),
		patched("members of a merge patch", crdsem.MergePatch, func(n int) string {
			return `{` + many(n, `"a#":1`) + `}`
		}),
		applied("applied fields", func(n int) string { return many(n, `"f#":1`) }),
		applied("applied items in order", func(n int) string { return `"l":[` + many(n, `"a#"`) + `]` }),
		converted(),
	}
}

const openSchema = `{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{` +
	`"l":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}}}`

func patched(name string, kind crdsem.PatchType, patch text) place {
	return place{name, func(n int) (func(context.Context), error) {
		v, err := versionOf(definitionOf(
			`{"type":"object","x-kubernetes-preserve-unknown-fields":true}`, ""))
		if err != nil {
			return nil, err
		}
		var stored map[string]any
		err = json.Unmarshal([]byte(objectOf(`"l":[1]`)), &stored)
		text := []byte(patch(n))
		return func(ctx context.Context) { v.Patch(ctx, text, kind, stored) }, err
	}}
}

func applied(name string, fields text) place {
	return place{name, func(n int) (func(context.Context), error) {
		v, err := versionOf(definitionOf(openSchema, ""))
		if err != nil {
			return nil, err
		}
		var config map[string]any
		if err := json.Unmarshal([]byte(objectOf(fields(n))), &config); err != nil {
			return nil, err
		}
		live := v.Apply(context.Background(), config, nil, crdsem.FieldManager("m")).Object
		return func(ctx context.Context) {
			v.Apply(ctx, config, live, crdsem.FieldManager("o"))
		}, nil
	}}
}

// converted has as many versions as objects.
func converted() place {
	return place{"versions that objects have", func(n int) (func(context.Context), error) {
		def, err := crdsem.Parse([]byte(definitionWith(`{"name":"v1","served":true,"storage":true,` +
			`"schema":{"openAPIV3Schema":{"type":"object"}}},` + many(n, `{"name":"v1#","served":true,`+
			`"storage":false,"schema":{"openAPIV3Schema":{"type":"object"}}}`))))
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) {
			for i := range n {
				object := map[string]any{"apiVersion": fmt.Sprintf("g.io/v1%d", i), "kind": "K",
					"metadata": map[string]any{"name": "n"}}
				if v, err := def.Version("v1"); err == nil {
					v.Read(ctx, object)
				}
			}
		}, nil
	}}
}

// compared is a place of two definitions that are compared.
func compared(name string, old, changed text) place {
	return place{name, func(n int) (func(context.Context), error) {
		was, is := []byte(definitionOf(old(n), "")), []byte(definitionOf(changed(n), ""))
		return func(ctx context.Context) {
			_, _ = upgrade.Compare(ctx, was, is, upgrade.Tries(5))
		}, nil
	}}
}

func ofUpgrades() []place {
	enum := func(from string) text {
		return func(n int) string {
			return fieldsOf(`"a":{"type":"string","enum":[` + many(n, `"`+from+`#"`) + `]}`)
		}
	}
	changes := func(keyword string) text {
		return func(n int) string { return fieldsOf(many(n, `"p#":{"type":"string",`+keyword+`}`)) }
	}
	sized := func(keyword string) text {
		return func(n int) string { return fieldsOf(fmt.Sprintf(`"a":{%s:%d}`, keyword, n)) }
	}
	return []place{
		compared("enum against another", enum("e"), enum("f")),
		compared("changed fields", changes(`"maxLength":9`), changes(`"maxLength":5`)),
		compared("minItems", fixed(fieldsOf(`"a":{"type":"array","items":{"type":"string"}}`)),
			sized(`"type":"array","items":{"type":"string"},"minItems"`)),
		compared("minLength", fixed(fieldsOf(`"a":{"type":"string"}`)), sized(`"type":"string","minLength"`)),
		compared("length of a pattern against another", func(n int) string {
			return fieldsOf(`"a":{"type":"string","pattern":"^` + letters(n) + `$"}`)
		}, func(n int) string {
			return fieldsOf(`"a":{"type":"string","pattern":"^` + letters(n) + `x$"}`)
		}),
	}
}

func ofGenerated() []place {
	return []place{
		generated("generated properties", func(n int) string {
			return fieldsOf(many(n, `"p#":{"type":"string"}`))
		}),
		generated("generated enum", func(n int) string {
			return fieldsOf(`"a":{"type":"string","enum":[` + many(n, `"e#"`) + `],"allOf":[{"enum":[` +
				many(n, `"e#"`) + `]}]}`)
		}),
		generated("generated set", func(n int) string {
			return fmt.Sprintf(`{"type":"object","required":["a"],"properties":{"a":{"type":"array",`+
				`"x-kubernetes-list-type":"set","minItems":%d,"items":{"type":"integer","minimum":0,`+
				`"maximum":1000000000}}}}`, min(n, 1<<12))
		}),
	}
}

func ofTables() []place {
	return []place{
		table("columns of a table", func(n int) (string, string) {
			return `,"additionalPrinterColumns":[` + many(n, `{"name":"c#","type":"string","jsonPath":".a"}`) +
				`]`, `"a":"b"`
		}),
		table("cells with a wildcard", func(n int) (string, string) {
			return `,"additionalPrinterColumns":[{"name":"c","type":"string","jsonPath":".l[*].a"}]`,
				`"l":[` + many(n, `{"a":"#"}`) + `]`
		}),
	}
}

func ofStreams() []place {
	return []place{
		{"definitions of a catalog", func(n int) (func(context.Context), error) {
			var all strings.Builder
			for i := range n {
				fmt.Fprintf(&all, "---\n%s\n", strings.ReplaceAll(strings.ReplaceAll(
					definitionOf(fieldsOf(``), ""), `"ks`, fmt.Sprintf(`"ks%d`, i)), `"K"`,
					fmt.Sprintf(`"K%d"`, i)))
			}
			return func(context.Context) {
				_, _ = catalog.New().Read("a", strings.NewReader(all.String()))
			}, nil
		}},
		{"documents", func(n int) (func(context.Context), error) {
			stream := strings.Repeat("---\na: {b: [1, 2]}\n", n)
			return func(context.Context) {
				for _, err := range manifest.Read("a", strings.NewReader(stream)) {
					if err != nil {
						return
					}
				}
			}, nil
		}},
		{"lines of the protocol", func(n int) (func(context.Context), error) {
			lines := strings.Repeat(`{"id":"1","op":"sort","names":["v1","v2"]}`+"\n", n)
			return func(ctx context.Context) {
				_ = protocol.Serve(ctx, strings.NewReader(lines), io.Discard, protocol.Options{},
					evaluator.New())
			}, nil
		}},
		{"names that are sorted", func(n int) (func(context.Context), error) {
			names := strings.Split(many(n, "v#beta1"), ",")
			rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) {
				names[i], names[j] = names[j], names[i]
			})
			line, err := json.Marshal(map[string]any{"id": "1", "op": "sort", "names": names})
			return func(ctx context.Context) {
				protocol.AnswerLine(ctx, line, evaluator.New()).AppendJSON(nil)
			}, err
		}},
		{"variables below a long key", func(n int) (func(context.Context), error) {
			items := make([]any, n)
			for i := range items {
				items[i] = "${A}"
			}
			object := map[string]any{letters(40 * n): items}
			return func(context.Context) { repository.Reveal(object, nil) }, nil
		}},
	}
}

func generated(name string, schema text) place {
	return place{name, func(n int) (func(context.Context), error) {
		s, err := generate.ParseResources([]byte(definitionOf(schema(n), "")), "v1")
		return func(ctx context.Context) {
			_, _ = s.Within(ctx).Valid(rand.New(rand.NewPCG(1, 2)))
		}, err
	}}
}

func table(name string, of func(n int) (version, fields string)) place {
	return place{name, func(n int) (func(context.Context), error) {
		more, fields := of(n)
		crd, _, err := definition.Parse([]byte(definitionOf(openSchema, more)))
		if err != nil {
			return nil, err
		}
		model, err := definition.Compile(crd)
		if err != nil {
			return nil, err
		}
		var object map[string]any
		err = json.Unmarshal([]byte(objectOf(fields)), &object)
		return func(context.Context) {
			_, _ = columns.New(model.Version("v1")).Table(object, time.Now())
		}, err
	}}
}

// judged is a place of an object in a file that is judged, with hints and
// positions.
func judged(name string, schema, object text) place {
	return judgedFile(name, schema, func(n int) string { return objectOf(object(n)) })
}

// judgedFile is a place of a file that is judged.
func judgedFile(name string, schema, file text) place {
	return place{name, func(n int) (func(context.Context), error) {
		j := &judge.Judge{FieldValidation: crdsem.Strict, Details: judge.AllDetails}
		for o, err := range manifest.Parse("crd", strings.NewReader(definitionOf(schema(n), ""))) {
			if err != nil {
				return nil, err
			}
			j.Add(j.Check(context.Background(), o.Document, o.Content, o.Strict))
		}
		stream := file(n)
		return func(ctx context.Context) {
			for o, err := range manifest.Parse("a", strings.NewReader(stream)) {
				switch {
				case err != nil:
				case manifest.IsDefinition(o.Content):
					j.Check(ctx, o.Document, o.Content, o.Strict)
				default:
					shown, hidden := repository.Reveal(o.Content, nil)
					r := j.Send(ctx, o.Document, shown, o.Strict)
					judge.LeaveOut(r, hidden.Cause)
					judge.IgnoreComments(o.Document, r)
				}
			}
		}, nil
	}}
}

func ofEditors() []place {
	list := func(item string) text {
		return func(n int) string { return `"l":[` + many(n, item) + `]` }
	}
	integers := fixed(fieldsOf(`"l":{"type":"array","items":{"type":"integer"}}`))
	properties := func(n int) string { return fieldsOf(many(n, `"field#":{"type":"string"}`)) }
	return []place{
		judged("findings of a file", integers, list(`"a#"`)),
		judged("unknown fields with hints", properties, func(n int) string { return many(n, `"fjeld#":1`) }),
		judged("unknown name and property, long", func(n int) string {
			return fieldsOf(`"` + letters(n) + `":{"type":"string"}`)
		}, func(n int) string { return `"` + letters(n) + `x":1` }),
		judged("findings and hidden values", integers, list(`"${A}","b#"`)),
		judged("findings and comments", integers, func(n int) string {
			return `"l":[` + many(n, "# crdsem:ignore VAL-020\n\"a#\"") + `]`
		}),
		judgedFile("duplicate YAML keys", integers, func(n int) string {
			return "apiVersion: g.io/v1\nkind: K\nmetadata: {name: n}\n" +
				strings.Repeat("l: [1]\n", n)
		}),
		judgedFile("findings of a definition with a long name", integers, func(n int) string {
			return strings.Replace(definitionWith(many(n, `{"name":"v#","served":true,"storage":false}`)),
				"ks.g.io", letters(40*n), 1)
		}),
		edited("diagnostics of one line", integers, list(`"a#"`), func(ctx context.Context, w *edit.Workspace) {
			_, _ = w.Diagnose(ctx, "a")
		}),
		edited("actions of a file", integers, list(`"a#"`), func(ctx context.Context, w *edit.Workspace) {
			_, _ = w.Actions(ctx, "a", 0, 1<<30)
		}),
		edited("completions", properties, func(n int) string {
			return `"a":1` + "}\n---\napiVersion: g.io/v1\nkind: K\n" +
				strings.ReplaceAll(many(n, "u#: 1\n"), ",", "") + "\n---\n{"
		}, func(ctx context.Context, w *edit.Workspace) {
			w.Complete(ctx, "a", edit.Position{Line: 4})
		}),
	}
}

func edited(
	name string, schema, object text, do func(ctx context.Context, w *edit.Workspace),
) place {
	return place{name, func(n int) (func(context.Context), error) {
		w := edit.NewWorkspace(edit.UTF16)
		w.Set("crd", definitionOf(schema(n), ""))
		w.Set("a", objectOf(object(n)))
		return func(ctx context.Context) { do(ctx, w) }, nil
	}}
}
