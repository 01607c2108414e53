package builtin

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/kit/manifest"
)

// unenforced says what servers do not enforce of published schemas. Program
// conformance/oracle/kubernetes writes it.
//
//go:embed enforcement.txt
var unenforced string

// enforcement is the content of enforcement.txt.
type enforcement struct {
	relaxed map[string]map[string][]string // properties by model and what is said of them
	names   map[manifest.GroupKind]string
}

var enforced = sync.OnceValue(func() enforcement {
	e := enforcement{map[string]map[string][]string{}, map[manifest.GroupKind]string{}}
	for line := range strings.Lines(unenforced) {
		fields := strings.Fields(line)
		switch {
		case fields[0] == "#":
		case fields[0] == "names":
			of := manifest.TypeOf(map[string]any{"apiVersion": fields[1], "kind": fields[2]})
			e.names[of.GroupKind] = fields[3]
		default:
			what, model, property := fields[0], fields[1], fields[2]
			if e.relaxed[model] == nil {
				e.relaxed[model] = map[string][]string{}
			}
			e.relaxed[model][what] = append(e.relaxed[model][what], property)
		}
	}
	return e
})

// relax removes from the schema of a model what servers do not enforce. The
// record of that is about the newest minor. Of an older one, a property that
// the newest no longer requires is not required either.
func (b *builder) relax(schema map[string]any, model string) {
	properties, _ := schema["properties"].(map[string]any)
	is := enforced().relaxed[model]
	for _, name := range is["enum"] {
		b.without(properties, name, "enum")
	}
	for _, name := range is["duplicates"] {
		b.without(properties, name, "x-kubernetes-list-type", "x-kubernetes-list-map-keys")
	}
	required, ok := schema["required"].([]any)
	if !ok {
		return
	}
	newest := b.newest(model)
	schema["required"] = slices.DeleteFunc(slices.Clone(required), func(item any) bool {
		name, _ := item.(string)
		property, known := newest.Properties[name]
		return slices.Contains(is["required"], name) ||
			known && property != nil && !slices.Contains(newest.Required, name)
	})
}

// without removes keywords from the schema of a property.
func (b *builder) without(properties map[string]any, name string, keywords ...string) {
	property, ok := properties[name].(map[string]any)
	if !ok {
		return
	}
	property = maps.Clone(property) // it may be that of a model
	for _, keyword := range keywords {
		delete(property, keyword)
	}
	properties[name] = property
}

// published is what a model says of its properties.
type published struct {
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
}

// newest returns the model of the newest minor of the record.
func (b *builder) newest(model string) (p published) {
	if b.isOutside {
		return p
	}
	text := b.record.model(model, 1<<(len(b.record.sources)-1))
	_ = json.Unmarshal([]byte(text), &p) // the zero value without such a model
	return p
}
