package differential

import (
	"maps"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"sigs.k8s.io/yaml"
)

// Case is a request: its op, and its inputs as JSON values by name. A string is
// sent as text.
type Case struct {
	Op     string
	Inputs map[string]any
	// Kubernetes is the minor that is asked for, or empty for the newest.
	Kubernetes string
}

// Line returns the case's request as a line of the protocol.
func (c Case) Line(id string) ([]byte, error) {
	members := map[string]any{"id": id, "op": c.Op}
	if c.Kubernetes != "" {
		members["kubernetes"] = c.Kubernetes
	}
	for name, v := range c.Inputs {
		members[name] = v
	}
	return protocol.AppendValue(nil, members)
}

// with returns the case with other inputs.
func (c Case) with(inputs any) (Case, bool) {
	members, ok := inputs.(map[string]any)
	return Case{c.Op, members, c.Kubernetes}, ok
}

// unspelled returns the case's inputs with the named text decoded. It returns
// nil if there is no such text.
func (c Case) unspelled(name string) map[string]any {
	text, ok := c.Inputs[name].(string)
	if !ok {
		return nil
	}
	doc, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil
	}
	v, err := protocol.ParseValue(doc)
	if _, object := v.(map[string]any); err != nil || !object {
		return nil
	}
	plain := maps.Clone(c.Inputs)
	plain[name] = v
	return plain
}

// asYAML returns a document as YAML text. A document that has no YAML form is
// returned unchanged.
func asYAML(v any) any {
	doc, err := protocol.AppendValue(nil, v)
	if err != nil {
		return v
	}
	text, err := yaml.JSONToYAML(doc)
	if err != nil || len(text) == 0 || text[0] == '{' {
		return v
	}
	return string(text)
}

// asText returns a document as JSON text, so that its numbers are spelled out
// in full.
func asText(v any) any {
	if _, ok := v.(map[string]any); !ok {
		return v
	}
	doc, err := protocol.AppendValue(nil, v)
	if err != nil {
		return v
	}
	return string(doc)
}
