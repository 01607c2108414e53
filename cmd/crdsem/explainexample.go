package main

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// asked matches an example that is a request of the evaluation protocol.
var asked = regexp.MustCompile("(?s)Request of the evaluation protocol:\n\n```yaml\n(.*?)```\n\n" +
	"Answer of the real code:\n\n```yaml\n(.*?)```\n")

// typed returns the Markdown of an example as a person types it: a schema or a
// definition, objects, and what a server says of them. Examples that are no
// requests of the evaluation protocol stay as they are.
func typed(example string) string {
	parts := asked.FindStringSubmatchIndex(example)
	if parts == nil {
		return example
	}
	request := exampleOf(example[parts[2]:parts[3]])
	answer := exampleOf(example[parts[4]:parts[5]])
	if len(request) == 0 || len(answer) == 0 {
		return example
	}
	var b strings.Builder
	b.WriteString(example[:parts[0]])
	writeTyped(&b, request)
	writeAnswered(&b, answer)
	b.WriteString(example[parts[1]:])
	return b.String()
}

// exampleMember is a member of a request or an answer.
type exampleMember struct {
	key   string
	value *yaml.Node
}

// exampleOf returns those of an object in YAML, nil if it is none.
func exampleOf(text string) []exampleMember {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil || len(root.Content) == 0 {
		return nil
	}
	return exampleMembers(root.Content[0])
}

// exampleMembers returns those of an object.
func exampleMembers(object *yaml.Node) (all []exampleMember) {
	for i := 0; i+1 < len(object.Content); i += 2 {
		all = append(all, exampleMember{object.Content[i].Value, object.Content[i+1]})
	}
	return all
}

// typedAs are the headings of what a request has.
var typedAs = map[string]string{
	"schema": "A schema", "crd": "A definition", "old": "The object before",
	"object": "An object", "objects": "Objects", "names": "Names", "patch": "A patch",
	"stored": "The object as etcd has it",
}

// writeTyped writes what a request has: values under headings, and its choices
// in one line.
func writeTyped(b *strings.Builder, request []exampleMember) {
	var choices []string
	for _, m := range request {
		heading, isKnown := typedAs[m.key]
		switch {
		case m.key == "op":
		case isKnown || m.value.Kind != yaml.ScalarNode:
			writeBlock(b, cmp.Or(heading, m.key), m.value)
		default:
			choices = append(choices, fmt.Sprintf("%s `%s`", m.key, m.value.Value))
		}
	}
	if len(choices) > 0 {
		fmt.Fprintf(b, "With %s.\n\n", strings.Join(choices, ", "))
	}
}

// writeBlock writes a value as code. A text stands as it is.
func writeBlock(b *strings.Builder, heading string, value *yaml.Node) {
	text := value.Value
	if value.Kind != yaml.ScalarNode {
		var out strings.Builder
		encoder := yaml.NewEncoder(&out)
		encoder.SetIndent(2)
		if err := encoder.Encode(value); err == nil {
			text = out.String()
		}
	}
	fmt.Fprintf(b, "%s:\n\n```yaml\n%s\n```\n\n", heading, strings.TrimSuffix(text, "\n"))
}

// answeredAs are the headings of what an answer has, in place of the names.
var answeredAs = map[string]string{
	"object": "What comes of it", "objects": "What comes of them", "names": "In order",
	"unknownFields": "Unknown fields", "warnings": "Warnings", "cost": "Cost",
	"rules": "Rules and their costs", "columns": "Columns", "rows": "Rows",
	"code": "Code", "message": "Message", "reason": "Reason", "causes": "Causes",
	"stored": "What etcd has then",
}

// writeAnswered writes what a server says: its errors as it prints them, and
// what comes of objects that it takes.
func writeAnswered(b *strings.Builder, answer []exampleMember) {
	isRefused := false
	for _, m := range answer {
		if m.key != "errors" {
			continue
		}
		isRefused = len(m.value.Content) > 0
		if !isRefused {
			b.WriteString("There is no error.\n\n")
			continue
		}
		b.WriteString("It is refused:\n\n```\n")
		for _, item := range m.value.Content {
			for _, of := range exampleMembers(item) {
				if of.key == "text" {
					b.WriteString(of.value.Value + "\n")
				}
			}
		}
		b.WriteString("```\n\n")
	}
	for _, m := range answer {
		isEmpty := m.value.Kind != yaml.ScalarNode && len(m.value.Content) == 0
		switch {
		case m.key == "errors", m.key == "stage", isRefused && m.key == "object",
			isEmpty && m.key != "names":
		default:
			writeBlock(b, cmp.Or(answeredAs[m.key], m.key), m.value)
		}
	}
}
