package edit

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	_ "embed"

	"github.com/crdsem/crdsem/internal/app/sample"
)

// keywordTable lists what the objects of a definition hold: a line with the way
// to an object in brackets, then its keys.
//
//go:embed keywords.txt
var keywordTable string

// keyword is a key of a definition. types are the types of the schema node that
// it has an effect on, and values what can be its value.
type keyword struct {
	name, detail, text string
	required           bool
	types, values      []string
}

// keywordsAt are the keys of each object of a definition, by the way to it.
// Those of schema nodes are at schemaWay, those of rules at ruleWay.
var keywordsAt = sync.OnceValue(func() map[string][]keyword {
	all := map[string][]keyword{}
	way := ""
	for line := range strings.Lines(keywordTable) {
		line = strings.TrimSpace(line)
		if name, isWay := strings.CutPrefix(line, "["); isWay {
			way = strings.TrimSuffix(name, "]")
			continue
		}
		fields := strings.SplitN(line, "; ", 4)
		if len(fields) < 4 {
			continue // a comment or an empty line
		}
		k := keyword{name: fields[0], detail: fields[1], text: fields[3]}
		k.name, k.required = strings.CutSuffix(k.name, "*")
		for attribute := range strings.FieldsSeq(fields[2]) {
			if of, isType := strings.CutPrefix(attribute, "of="); isType {
				k.types = strings.Split(of, ",")
			} else if attribute != "-" {
				k.values = append(k.values, attribute)
			}
		}
		if k.detail == "boolean" {
			k.values = []string{"true", "false"}
		}
		all[way] = append(all[way], k)
	}
	return all
})

// The ways to schema nodes and to rules.
const (
	schemaWay = "schema"
	ruleWay   = "rule"
)

// schemaPlace is what stands at a position of a definition's schema.
type schemaPlace uint8

const (
	elsewhere schemaPlace = iota
	atSchema
	atSchemas // names of fields
	atList    // of schemas
	atRules
	atRule
)

// inSchema returns what stands below some steps of a definition.
func inSchema(steps []wayStep) schemaPlace {
	at := elsewhere
	for _, step := range steps {
		switch {
		case at == elsewhere && step.key == "openAPIV3Schema", at == atSchemas, at == atList:
			at = atSchema
		case at == atRules && step.item:
			at = atRule
		case at == elsewhere:
		case at != atSchema:
			return elsewhere
		case step.key == "properties":
			at = atSchemas
		case slices.Contains([]string{"items", "additionalProperties", "not"}, step.key):
			at = atSchema
		case slices.Contains(junctors, step.key):
			at = atList
		case step.key == "x-kubernetes-validations":
			at = atRules
		default:
			return elsewhere
		}
	}
	return at
}

var junctors = []string{"allOf", "anyOf", "oneOf"}

// inJunctor reports whether steps lead into allOf, anyOf, oneOf or not.
func inJunctor(steps []wayStep) bool {
	for i := range steps {
		isName := inSchema(steps[:i]) == atSchemas
		if !isName && slices.Contains([]string{"allOf", "anyOf", "oneOf", "not"}, steps[i].key) {
			return true
		}
	}
	return false
}

// keywordsOf returns the keys of the object that some steps lead to.
func keywordsOf(steps []wayStep) []keyword {
	switch inSchema(steps) {
	case atSchema:
		return keywordsAt()[schemaWay]
	case atRule:
		return keywordsAt()[ruleWay]
	case atSchemas, atList, atRules:
		return nil
	}
	way := make([]string, len(steps))
	for i, step := range steps {
		if way[i] = step.key; step.item {
			way[i] = "-"
		}
	}
	return keywordsAt()[strings.Join(way, " ")]
}

// keywords offers what a definition has at the position.
func (c *completer) keywords() {
	if c.inValue || len(c.steps) > 0 && c.steps[len(c.steps)-1].item {
		c.keywordValues()
	}
	if c.inValue {
		return
	}
	place := inSchema(c.steps)
	schema := newSchemaText(c.way)
	typ := schema.word(c.parent, "type")
	nested := inJunctor(c.steps)
	isRoot := place == atSchema && c.steps[len(c.steps)-1].key == "openAPIV3Schema"
	for _, k := range keywordsOf(c.steps) {
		switch {
		case c.taken[k.name] || len(c.steps) == 0 && k.name != "spec":
		case place == atSchema && !k.fits(typ, nested),
			isRoot && slices.Contains(notAtRoot, k.name),
			slices.Contains(notInTypeMeta, k.name) && c.isTypeMeta():
		case k.name == "properties" && c.taken["additionalProperties"],
			k.name == "additionalProperties" && c.taken["properties"]:
		default:
			required := k.required && !nested
			opens, first := k.opens()
			c.add(k.name, c.opened(k.name, opens, first), Completion{
				Kind: KeywordCompletion, Detail: k.detail, Text: k.text, Required: required,
			})
		}
	}
}

// fits reports whether a keyword has an effect at a schema node of a type.
// Within junctors only values can be restricted.
func (k *keyword) fits(typ string, nested bool) bool {
	if nested && k.types[0] == "spine" {
		return false
	}
	return slices.Contains([]string{"spine", "any"}, k.types[0]) && len(k.types) == 1 ||
		slices.Contains(k.types, typ) || nested && typ == ""
}

// isTypeMeta reports whether the position is in the schema of apiVersion, kind
// or metadata of the whole object.
func (w *way) isTypeMeta() bool {
	n := len(w.steps)
	return n > 2 && w.steps[n-3].key == "openAPIV3Schema" &&
		slices.Contains([]string{"apiVersion", "kind", "metadata"}, w.steps[n-1].key)
}

// notAtRoot are keywords that the schema of a whole object cannot have.
var notAtRoot = []string{
	"nullable", "additionalProperties", "x-kubernetes-int-or-string",
	"x-kubernetes-embedded-resource",
}

// notInTypeMeta are keywords that these schemas cannot have.
var notInTypeMeta = []string{"default", "x-kubernetes-embedded-resource"}

// opens returns what begins in the key's value, and the first key in it.
func (k *keyword) opens() (opens, first string) {
	switch {
	case k.name == "x-kubernetes-validations":
		return "[{", "rule"
	case strings.HasPrefix(k.detail, "list"):
		return "[", ""
	case k.detail == "object" || k.detail == "schema" || strings.HasPrefix(k.detail, "map"):
		return "{", ""
	}
	return "", ""
}

// keywordValues offers the values of a key, or of an item of a list.
func (c *completer) keywordValues() {
	steps := c.steps
	if !c.inValue {
		steps = steps[:len(steps)-1]
	}
	if len(steps) == 0 {
		return
	}
	last := steps[len(steps)-1].key
	offer := func(value string) {
		text := value
		if value != "true" && value != "false" {
			text = c.written(value)
		}
		c.add(value, text, Completion{Kind: ValueCompletion})
	}
	schema := newSchemaText(c.way)
	for _, k := range keywordsOf(steps[:len(steps)-1]) {
		if k.name == last {
			for _, value := range k.values {
				offer(value)
			}
		}
	}
	at := inSchema(steps[:len(steps)-1])
	node := schema.keys[steps[len(steps)-1].id].parent
	switch {
	case at == atSchema && last == "required" && !c.inValue:
		c.names(schema, node)
	case at == atSchema && last == "x-kubernetes-list-map-keys" && !c.inValue:
		items, _ := schema.child(node, "items")
		c.names(schema, items.id)
	case strings.HasSuffix(strings.ToLower(last), "path") && at == elsewhere && c.inValue:
		c.jsonPaths(schema, last)
	}
}

// names offers the names of a node's fields that are not in the list yet.
func (c *completer) names(s *schemaText, node int) {
	properties, _ := s.child(node, "properties")
	for _, k := range s.children[properties.id] {
		if properties.id != 0 {
			c.add(k.key, c.written(k.key), Completion{
				Kind: ValueCompletion, Detail: s.typeAt(k.id).String(),
			})
		}
	}
}

// jsonPaths offers the paths of the fields of the version that the position is
// in, by the name of the keyword.
func (c *completer) jsonPaths(s *schemaText, keyword string) {
	if len(c.steps) < 3 {
		return
	}
	version := c.steps[2].id
	root, ok := s.child(version, "schema", "openAPIV3Schema")
	if !ok {
		return
	}
	s.paths(root.id, "", func(path string, t celType) {
		isStatus := strings.HasPrefix(path, ".status")
		switch {
		case keyword == "specReplicasPath" && (isStatus || t.name != "int"),
			keyword == "statusReplicasPath" && (!isStatus || t.name != "int"),
			keyword == "labelSelectorPath" && t.name != "string":
		default:
			text := path
			if c.flow != 0 {
				text = sample.JSON(path)
			}
			c.add(path, text, Completion{Kind: ValueCompletion, Detail: t.String()})
		}
	})
}

// paths calls a function for each scalar below a node that no list holds.
func (s *schemaText) paths(node int, at string, do func(path string, t celType)) {
	properties, ok := s.child(node, "properties")
	if !ok || strings.Count(at, ".") > 8 {
		return
	}
	for _, k := range s.children[properties.id] {
		path := at + pathStep(k.key)
		switch t := s.typeAt(k.id); t.name {
		case "object":
			s.paths(k.id, path, do)
		case "list", "map":
		default:
			do(path, t)
		}
	}
}

// pathStep returns a field as a part of a path.
func pathStep(key string) string {
	if strings.ContainsAny(key, ".[]'\" ") {
		return "[" + strconv.Quote(key) + "]"
	}
	return "." + key
}
