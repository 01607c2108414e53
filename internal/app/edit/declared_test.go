package edit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// marked returns the line of a place, with the place in «».
func marked(w *Workspace, l Location) string {
	line := strings.Split(w.Text(l.File), "\n")[l.Range.Start.Line]
	start, end := UTF8.offset(line, l.Range.Start.Column), UTF8.offset(line, l.Range.End.Column)
	return strings.TrimLeft(line[:start], " ") + "«" + line[start:end] + "»" + line[end:]
}

const many = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  versions:
  - name: v1
    additionalPrinterColumns:
    - {name: A, jsonPath: ".spec.list[0].a"}
    - name: B
      jsonPath: .spec['b c']
    - name: C
      jsonPath: .spec.none.list
    selectableFields:
    - jsonPath: .spec.list.b
    subresources:
      scale:
        specReplicasPath: .spec.num
        statusReplicasPath: .status.num
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: ["b c", list]
            x-kubernetes-validations:
            - rule: self.list.all(x, x.a == '' || self.num > 0)
              fieldPath: .list
            - {rule: has(self.num), fieldPath: .num}
            properties:
              "b c": {type: string}
              num: {type: integer}
              bare: {type: object}
              'list':
                type: array
                x-kubernetes-list-map-keys: [a, b]
                items: {type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}
          status:
            type: object
            x-kubernetes-validations: [{rule: has(self.num)}]
            properties:
              num: {type: integer, x-kubernetes-validations: [{rule: self > 0}]}
  - name: v2
    additionalPrinterColumns:
    - {name: A, jsonPath: ".spec.num"}
    schema:
      openAPIV3Schema:
        properties:
          spec:
            properties:
              num: {type: integer}
              o:
                type: object
                x-kubernetes-validations:
                - rule: "self.?num.hasValue() && oldSelf.num == 1"
                properties:
                  num: {type: integer}
`

// A field of a definition is named in rules, lists and paths of its version.
func TestUses(t *testing.T) {
	for place, want := range map[string][]string{
		"properties: {a‸: {type": {
			"items: {type: object, required: [a], properties: {«a»: {type: string}, b: {type: string}}}",
			"- {name: A, jsonPath: \".spec.list[0].«a»\"}",
			"- rule: self.list.all(x, x.«a» == '' || self.num > 0)",
			"x-kubernetes-list-map-keys: [«a», b]",
			"items: {type: object, required: [«a»], properties: {a: {type: string}, b: {type: string}}}",
		},
		"list.b‸\n": {
			"items: {type: object, required: [a], properties: {a: {type: string}, «b»: {type: string}}}",
			"- jsonPath: .spec.list.«b»", "x-kubernetes-list-map-keys: [a, «b»]",
		},
		"\"‸b c\": {": {"«\"b c\"»: {type: string}", "jsonPath: .spec['«b c»']"},
		"'list‸':": {
			"«'list'»:", "- {name: A, jsonPath: \".spec.«list»[0].a\"}", "- jsonPath: .spec.«list».b",
			"required: [\"b c\", «list»]", "- rule: self.«list».all(x, x.a == '' || self.num > 0)", "fieldPath: .«list»",
		},
		"specReplicasPath: .spec.num‸\n": {
			"«num»: {type: integer}", "specReplicasPath: .spec.«num»",
			"- rule: self.list.all(x, x.a == '' || self.«num» > 0)",
			"- {rule: has(self.«num»), fieldPath: .num}", "- {rule: has(self.num), fieldPath: .«num»}",
		},
		"statusReplicasPath: .status.num‸\n": {
			"«num»: {type: integer, x-kubernetes-validations: [{rule: self > 0}]}", "statusReplicasPath: .status.«num»",
			"x-kubernetes-validations: [{rule: has(self.«num»)}]",
		},
		"jsonPath: \".spec.n‸um\"": {"«num»: {type: integer}", "- {name: A, jsonPath: \".spec.«num»\"}"},
		"oldSelf.num‸ == 1": {
			"«num»: {type: integer}", "- rule: \"self.?«num».hasValue() && oldSelf.num == 1\"",
			"- rule: \"self.?num.hasValue() && oldSelf.«num» == 1\"",
		},
		"          status‸:":                  {"«status»:", "statusReplicasPath: .«status».num"},
		"type: ob‸ject\n            required": nil,
		"x.a == '‸'":                          nil, "self‸.num > 0": nil, "all(x‸, x.a": nil, "- name: v1‸": nil, ".spec.none‸": nil,
		".none.list‸\n": nil,
	} {
		w := NewWorkspace(UTF8)
		text := strings.Replace(many, strings.Replace(place, "‸", "", 1), place, 1)
		before, after, ok := strings.Cut(text, "‸")
		if !ok {
			t.Errorf("no %s", place)
		}
		w.Set("x.yaml", before+after)
		at := cursor(before)
		var got []string
		for _, l := range w.References("x.yaml", at) {
			got = append(got, marked(w, l))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", place, diff)
		}
		to, ok := w.Definition(t.Context(), "x.yaml", at)
		if ok != (want != nil) || ok && marked(w, to) != want[0] {
			t.Errorf("%s is declared at %v, %t", place, to, ok)
		}
		edits, err := w.Rename("x.yaml", at, "a-b.c d")
		if want == nil {
			text := fmt.Sprintf("no field of a definition is at line %d", at.Line+1)
			if err == nil || err.Error() != text {
				t.Errorf("%s: %v", place, err)
			}
		} else if err == nil || err.Error() != `"a-b.c d" cannot be the name of a field` || edits != nil {
			t.Errorf("%s: %v, %v", place, edits, err)
		}
	}
}

// A name that is not plain is quoted in the schema, and escaped in rules.
func TestRenameToOdd(t *testing.T) {
	w := NewWorkspace(UTF8)
	w.Set("x.yaml", many)
	line := strings.Count(many[:strings.Index(many, "              num:")], "\n")
	edits, err := w.Rename("x.yaml", Position{line, 15}, "in")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range edits {
		got = append(got, marked(w, Location{"x.yaml", e.Range})+" "+e.Text)
	}
	want := []string{
		"«num»: {type: integer} in", "specReplicasPath: .spec.«num» in",
		"- rule: self.list.all(x, x.a == '' || self.«num» > 0) __in__",
		"- {rule: has(self.«num»), fieldPath: .num} __in__", "- {rule: has(self.num), fieldPath: .«num»} in",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, n := range []int{-1, 9999} {
		_, err := w.Rename("x.yaml", Position{Line: n}, "x")
		if want := fmt.Sprintf("x.yaml has no line %d", n+1); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		if to, ok := w.Definition(t.Context(), "x.yaml", Position{Line: n}); ok {
			t.Errorf("line %d: %v", n, to)
		}
	}
	for to, want := range map[string]string{
		"on": "\"on\"", "list": "there is a field list already", "_a": "\"_a\"", "$a": "\"$a\"", "a$/.-9": "\"a$/.-9\"",
		"9a": `"9a" cannot be the name of a field`, "": `"" cannot be the name of a field`, "a b": `"a b" cannot be the name of a field`,
	} {
		edits, err := w.Rename("x.yaml", Position{line, 15}, to)
		text := fmt.Sprint(err)
		if err == nil {
			text = edits[0].Text
		}
		if text != want {
			t.Errorf("%s: %s, want %s", to, text, want)
		}
	}
}

// A field of an object is declared at a node of its version, in whichever
// document its definition is.
func TestDeclared(t *testing.T) {
	for text, want := range map[string]string{
		ruledHead + "spec:\n  l:\n  - nu‸m: 9\n":                "«num»: {type: integer}",
		ruledHead + "spec:\n  l:\n  - ‸\n":                      "«items»:",
		ruledHead + "sp‸ec: {}\n":                               "«spec»:",
		ruledHead + "spec: {wo‸rds: []}\n":                      "«words»: {type: array, items: {type: string, maxLength: 3}}",
		ruledHead + "spec: {none‸: []}\n":                       "",
		ruledHead + "spec: {none: {a‸: 1}}\n":                   "",
		ruledHead + "none: {}\n‸":                               "",
		"apiVersion: example.com/v1\nki‸nd: Ruled\n":            "«openAPIV3Schema»:",
		"apiVersi‸on: example.com/v1\nkind: Ruled\n":            "«openAPIV3Schema»:",
		"apiVersion: example.com/v1\nkind: Ruled\nmeta‸data:\n": "",
		"apiVersion: example.com/v1\nkind: Other\nsp‸ec:\n":     "",
		"apiVersion: example.com/v1\nkind: Rich\nspec: {emb: {data: {x‸: 1}}}\n": "data: {type: object, " +
			"«additionalProperties»: {x-kubernetes-int-or-string: true}}",
		"apiVersion: example.com/v1\nkind: Rich\nspec: {emb: {kind‸: 1}}\n": "«kind»: {type: string}",
	} {
		w, at := at(text)
		w.Set("crd.yaml", rich+"---\na: 1\n---\n"+w.Text("crd.yaml"))
		got := ""
		to, ok := w.Definition(t.Context(), "x.yaml", at)
		if ok {
			got = marked(w, to)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// Values of a definition are offered where they are names or paths of its
// fields.
func TestOffersOfPaths(t *testing.T) {
	// Of objects in objects, nine levels are offered.
	deep := "{type: object, properties: {" +
		strings.Repeat("s: {type: string}, o: {type: object, properties: {", 9) +
		strings.Repeat("}}", 10)
	paths := ".spec[\"b c\"] \".spec[\\\"b c\\\"]\" value; string\n"
	for n := range 7 {
		path := ".spec.num" + strings.Repeat(".o", n) + ".s"
		paths += fmt.Sprintf("%s %q value; string\n", path, path)
	}
	paths += ".status.num \".status.num\" value; int\n"
	in := func(from, to string) string { return strings.Replace(many, from, to, 1) }
	for text, want := range map[string]string{
		in(".spec['b c']", "‸"): `.spec["b c"] ".spec[\"b c\"]" value; string
.spec.num ".spec.num" value; int
.status.num ".status.num" value; int
`,
		in("\".spec.list[0].a\"", "‸"): `.spec["b c"] "\".spec[\\\"b c\\\"]\"" value; string
.spec.num "\".spec.num\"" value; int
.status.num "\".status.num\"" value; int
`,
		in("specReplicasPath: .spec.num", "specReplicasPath: ‸"):                     ".spec.num \".spec.num\" value; int\n",
		in("statusReplicasPath: .status.num", "statusReplicasPath: ‸"):               ".status.num \".status.num\" value; int\n",
		in("statusReplicasPath: .status.num", "labelSelectorPath: ‸"):                ".spec[\"b c\"] \".spec[\\\"b c\\\"]\" value; string\n",
		in("[\"b c\", list]", "[‸"):                                                  "b c \"\\\"b c\\\"\" value; string\nnum \"num\" value; int\nbare \"bare\" value; object\nlist \"list\" value; list(object)\n",
		in("[a, b]", "[‸]"):                                                          "a \"a\" value; string\nb \"b\" value; string\n",
		in("fieldPath: .list", "fieldPath: ‸"):                                       "",
		"kind: CustomResourceDefinition\nmetadata: ‸":                                "",
		"kind: CustomResourceDefinition\n- ‸":                                        "",
		strings.Replace(in(".spec['b c']", "‸"), "    schema:\n", "    other:\n", 1): "",
		in("- name: v1", "- served: ‸"):                                              "true \"true\" value\nfalse \"false\" value\n",
		strings.Replace(in(".spec['b c']", "‸"), "{type: integer}", deep, 1):         paths,
		"kind: CustomResourceDefinition\njsonPath: ‸":                                "",
	} {
		if diff := cmp.Diff(want, offered(t, NewWorkspace(UTF8), text)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// Keywords are not offered where the server refuses them: at the schema of the
// whole object, at those of its type and metadata, and next to their opposite.
func TestKeywordsAtPlaces(t *testing.T) {
	const head = "kind: CustomResourceDefinition\nspec:\n  versions:\n  - schema:\n" +
		"      openAPIV3Schema:"
	const fields = head + "\n        properties:\n          "
	for text, want := range map[string][2]string{
		fields + "metadata: {type: object, ‸}": {
			"properties description nullable", "default x-kubernetes-embedded-resource",
		},
		fields + "kind: {type: string, ‸}":                    {"pattern", "default"},
		fields + "spec: {type: object, ‸}":                    {"default x-kubernetes-embedded-resource nullable", "type"},
		fields + "o: {properties: {kind: {type: string, ‸}}}": {"default", "type"},
		head + " {type: object, ‸}": {
			"default properties", "nullable additionalProperties x-kubernetes-embedded-resource",
		},
		fields + "o: {type: object, properties: {}, ‸}":           {"required", "additionalProperties"},
		fields + "o: {type: object, additionalProperties: {}, ‸}": {"required", "properties"},
	} {
		labels := map[string]bool{}
		for line := range strings.Lines(offered(t, NewWorkspace(UTF8), text)) {
			label, _, _ := strings.Cut(line, " ")
			labels[label] = true
		}
		for i, names := range want {
			for name := range strings.FieldsSeq(names) {
				if labels[name] != (i == 0) {
					t.Errorf("%s: %s is offered: %t", text, name, labels[name])
				}
			}
		}
	}
}
