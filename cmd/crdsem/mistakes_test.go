package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shelfCRD is a definition without mistakes.
const shelfCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shelves.library.example.org}
spec:
  group: library.example.org
  scope: Namespaced
  names: {plural: shelves, kind: Shelf}
  versions:
  - name: v1
    storage: true
    served: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [capacity]
            x-kubernetes-validations:
            - rule: self.used <= self.capacity
              message: the shelf is too small
            properties:
              used: {type: integer, default: 0}
              capacity: {type: integer}
              label: {type: string, maxLength: 12}
              genre:
                type: string
                enum: [fiction, science, travel]
                x-kubernetes-validations:
                - rule: self == oldSelf
                  message: the genre is fixed
              books:
                type: array
                maxItems: 50
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [isbn]
                items:
                  type: object
                  required: [isbn]
                  properties:
                    isbn: {type: string, maxLength: 20}
                    pages: {type: integer}
`

// secondVersion is a copy of the version in shelfCRD.
func secondVersion(name string) string {
	_, version, _ := strings.Cut(shelfCRD, "  - name: v1\n")
	return "  - name: " + name + "\n" + version
}

// mistakes of the authors of definitions: each replaces a part of shelfCRD.
var mistakes = []struct{ title, old, new string }{
	{"another name", "name: shelves.library", "name: shelf.library"},
	{"another version of the API", "k8s.io/v1\n", "k8s.io/v1beta1\n"},
	{"a tab", "    served: true", "\tserved: true"},
	{"a type of Go", "capacity: {type: integer}", "capacity: {type: int}"},
	{"no type", "capacity: {type: integer}", "capacity: {maximum: 9}"},
	{"a misspelt keyword", "maxLength: 12", "maxLenght: 12"},
	{"a misspelt keyword below items", "maxLength: 20", "maxlength: 20"},
	{"an extension of another tool", "label: {", "label: {x-order: 3, "},
	{"properties and additionalProperties", "pages: {type: integer}", "pages: {type: integer}\n                  additionalProperties: {type: string}"},
	{"a reference", "label: {type: string, maxLength: 12}", "label: {$ref: '#/label'}"},
	{"a default of another type", "default: 0", "default: none"},
	{"a default out of range", "default: 0", "default: 0, minimum: 1"},
	{"a default that the enum lacks", "enum: [fiction, science, travel]", "enum: [fiction, science, travel]\n                default: poems"},
	{"an unknown format", "label: {", "label: {format: ipv5, "},
	{"a pattern that does not compile", "maxLength: 12", "pattern: '(['"},
	{"list-map keys that are not required", "                  required: [isbn]\n", ""},
	{"no list-map keys", "                x-kubernetes-list-map-keys: [isbn]\n", ""},
	{"a misspelt list-map key", "keys: [isbn]", "keys: [ibsn]"},
	{"a rule that is not closed", "rule: self.used <= self.capacity", "rule: (self.used <= self.capacity"},
	{"a misspelt field in a rule", "self.used <=", "self.usde <="},
	{"a rule without self", "rule: self.used <= self.capacity", "rule: used <= capacity"},
	{"values of two types", "self.used <= self.capacity", "self.label > 3"},
	{"a rule that is no condition", "rule: self.used <= self.capacity", "rule: self.capacity"},
	{"a rule that can cost too much", "maxItems: 50", "x-kubernetes-validations: [{rule: 'self.all(a, self.all(b, a.isbn.contains(b.isbn)))'}]"},
	{"an old value of an item without identity", "pages: {type: integer}", "tags: {type: array, items: {type: string, x-kubernetes-validations: [{rule: self == oldSelf}]}}"},
	{"two versions of one name", shelfCRD[strings.Index(shelfCRD, "  - name: v1\n"):], secondVersion("v1") + secondVersion("v1")},
	{"two storage versions", shelfCRD[strings.Index(shelfCRD, "  - name: v1\n"):], secondVersion("v1") + secondVersion("v2")},
}

// Every mistake of an author of definitions has a hint on every finding.
func TestMistakesInDefinitions(t *testing.T) {
	var b strings.Builder
	for _, m := range mistakes {
		text := strings.Replace(shelfCRD, m.old, m.new, 1)
		if text == shelfCRD {
			t.Fatalf("%s: the part to replace is not there", m.title)
		}
		code, out, errs := execute(t, text, "check", "-")
		fmt.Fprintf(&b, "# %s\n%s%s\n", m.title, shortened(out), errs)
		hinted := strings.Contains(out, "(hint: ") || strings.Contains(out, "did you mean") ||
			strings.Contains(out, "write the definition for")
		if errs != "" || code == exitFailed || !hinted {
			t.Errorf("%s: exit code %d, no hint in %s%s", m.title, code, out, errs)
		}
	}
	t.Chdir(filepath.Join("..", ".."))
	golden(t, "mistakes-definitions", b.String())
}

// shortened cuts off long lines: an error can print a whole definition.
func shortened(out string) string {
	var b strings.Builder
	for line := range strings.Lines(out) {
		if runes := []rune(line); len(runes) > 400 {
			line = string(runes[:300]) + " [...] " + string(runes[len(runes)-90:])
		}
		b.WriteString(line)
	}
	return b.String()
}

// stored is an object of shelfCRD without mistakes.
const stored = `apiVersion: library.example.org/v1
kind: Shelf
metadata: {name: a, namespace: d, resourceVersion: "7", uid: u}
spec:
  capacity: 9
  label: novels
  genre: fiction
  books: [{isbn: "1", pages: 300}]
`

// objectMistakes of the authors of objects: each replaces a part of stored. The
// object is then created, or updates stored.
var objectMistakes = []struct {
	title, old, new string
	update          bool
}{
	{"a misspelt field", "label: novels", "lable: novels", false},
	{"an unknown field", "label: novels", "colour: red", false},
	{"a misspelt required field", "capacity: 9", "capactiy: 9", false},
	{"a missing required field", "isbn: \"1\", ", "", false},
	{"a misspelt value", "genre: fiction", "genre: ficton", false},
	{"another value", "genre: fiction", "genre: cooking", false},
	{"a quoted number", "capacity: 9", `capacity: "9"`, false},
	{"a number in place of a string", "label: novels", "label: 12", false},
	{"an object in place of a list", `books: [{isbn: "1", pages: 300}]`, `books: {isbn: "1"}`, false},
	{"a key that occurs twice", "label: novels", "label: novels\n  label: poems", false},
	{"a string that is too long", "novels", "novels, poems and plays", false},
	{"an item that occurs twice", "pages: 300}", `pages: 300}, {isbn: "1"}`, false},
	{"a rule that does not hold", "capacity: 9", "capacity: 9\n  used: 10", false},
	{"a null in a list", `[{isbn: "1", pages: 300}]`, "[null]", false},
	{"a name in upper case", "name: a,", "name: Novels,", false},
	{"a label that is a number", "{name: a,", "{name: a, labels: {floor: 2},", false},
	{"a transition rule", "genre: fiction", "genre: travel", true},
	{"a field that cannot change", "uid: u", "uid: w", true},
}

// Every mistake of an author of objects has a hint.
func TestMistakesInObjects(t *testing.T) {
	dir := t.TempDir()
	crd, old := filepath.Join(dir, "crd.yaml"), filepath.Join(dir, "old.yaml")
	write(t, crd, shelfCRD)
	write(t, old, stored)
	var b strings.Builder
	for _, m := range objectMistakes {
		text := strings.Replace(stored, m.old, m.new, 1)
		args := []string{"admit", "--crd", crd}
		if m.update {
			args = append(args, "--old", old)
		} else {
			text = strings.Replace(text, `, resourceVersion: "7", uid: u`, "", 1)
		}
		code, out, errs := execute(t, text, append(args, "-")...)
		verdict, _, _ := strings.Cut(out, "  stored as\n")
		fmt.Fprintf(&b, "# %s\n%s%s\n", m.title, verdict, errs)
		if !strings.Contains(out, "hint: ") {
			t.Errorf("%s: exit code %d, no hint in %s%s", m.title, code, out, errs)
		}
	}
	t.Chdir(filepath.Join("..", ".."))
	golden(t, "mistakes-objects", b.String())
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
