package builtin

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/crdsem/crdsem/structural"
)

// The formats of models whose values are checked by formats.go. They are no
// formats of OpenAPI, so the validator does not know them.
const (
	formatQuantity    = "kubernetes-quantity"
	formatIntOrString = "kubernetes-int-or-string"
	formatTime        = "kubernetes-time"
	formatMicroTime   = "kubernetes-micro-time"
	formatBytes       = "kubernetes-bytes"
	formatLabels      = "kubernetes-labels"
	formatAnnotations = "kubernetes-annotations"
)

// leaves are the models that are not an object with fields, and the nodes that
// stand for them.
var leaves = map[string]map[string]any{
	apimachinery + "api.resource.Quantity": {
		"x-kubernetes-preserve-unknown-fields": true, "format": formatQuantity,
	},
	apimachinery + "util.intstr.IntOrString": {
		"x-kubernetes-int-or-string": true, "format": formatIntOrString,
	},
	apimachinery + "apis.meta.v1.Time": {
		"type": "string", "nullable": true, "format": formatTime,
	},
	apimachinery + "apis.meta.v1.MicroTime": {
		"type": "string", "nullable": true, "format": formatMicroTime,
	},
	apimachinery + "apis.meta.v1.FieldsV1": anything,
	apimachinery + "runtime.RawExtension":  anything,

	// The schemas of definitions are recursive. Package definition judges them.
	"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps": anything,
}

const apimachinery = "io.k8s.apimachinery.pkg."

var anything = map[string]any{"x-kubernetes-preserve-unknown-fields": true}

// marks are properties whose values have a format that is not published.
var marks = map[string]map[string]string{
	apimachinery + "apis.meta.v1.ObjectMeta": {
		"labels": formatLabels, "annotations": formatAnnotations,
	},
	apimachinery + "apis.meta.v1.LabelSelector": {"matchLabels": formatLabels},
	"io.k8s.api.core.v1.PodSpec":                {"nodeSelector": formatLabels},
	"io.k8s.api.core.v1.ServiceSpec":            {"selector": formatLabels},
}

// builder makes structural schemas of the models of a minor.
type builder struct {
	record *record
	bit    uint64
	memo   map[built]map[string]any
	// within are the models that are being converted.
	within map[string]bool
	// asPublished keeps what servers do not enforce, and isOutside all keywords
	// of values: those of Kubernetes itself have none.
	asPublished, isOutside bool
}

func newBuilder(r *record, bit uint64) *builder {
	return &builder{
		record: r, bit: bit, memo: map[built]map[string]any{}, within: map[string]bool{},
	}
}

// built is a model that was converted.
type built struct {
	model string
	loose bool
}

// schema returns the structural schema of a kind's model.
func (b *builder) schema(model string, cache *structural.Cache) (*structural.Schema, error) {
	root, err := b.model(built{model, false})
	if err != nil {
		return nil, err
	}
	if properties, ok := root["properties"].(map[string]any); ok && properties["status"] != nil {
		var raw struct {
			Properties struct {
				Status map[string]any `json:"status"`
			} `json:"properties"`
		}
		if err := json.Unmarshal([]byte(b.record.model(model, b.bit)), &raw); err != nil {
			return nil, err
		}
		status, err := b.node(raw.Properties.Status, true)
		if err != nil {
			return nil, err
		}
		root, properties = maps.Clone(root), maps.Clone(properties)
		properties["status"], root["properties"] = status, properties
	}
	return structural.FromMap(root, structural.InCache(cache))
}

// model returns the schema of a model as a map. Maps of models are shared.
func (b *builder) model(of built) (map[string]any, error) {
	if leaf := leaves[of.model]; leaf != nil {
		return leaf, nil
	}
	if known := b.memo[of]; known != nil {
		return known, nil
	}
	if b.within[of.model] {
		// A model that holds itself is followed once.
		return map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}, nil
	}
	b.within[of.model] = true
	defer delete(b.within, of.model)
	text := b.record.model(of.model, b.bit)
	if text == "" {
		return nil, fmt.Errorf("no model %s", of.model)
	}
	var raw map[string]any
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		return nil, fmt.Errorf("model %s: %w", of.model, err)
	}
	out, err := b.node(raw, of.loose)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", of.model, err)
	}
	if properties, ok := out["properties"].(map[string]any); ok {
		for name, format := range marks[of.model] {
			if property, ok := properties[name].(map[string]any); ok {
				property["format"] = format
			}
		}
	}
	if !of.loose && !b.asPublished {
		b.relax(out, of.model)
	}
	b.memo[of] = out
	return out, nil
}

// kept are the keywords that a structural schema has as well.
var kept = []string{
	"type", "format", "x-kubernetes-map-type", "x-kubernetes-list-type", "x-kubernetes-list-map-keys",
}

// outside are the keywords that documents of other servers have, too.
var outside = []string{
	"nullable", "pattern", "minLength", "maxLength", "minItems", "maxItems", "minProperties",
	"maxProperties", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields",
	"x-kubernetes-embedded-resource",
}

// strict are the keywords that are left out of a loose schema.
var strict = []string{"x-kubernetes-list-type", "x-kubernetes-list-map-keys"}

// node converts a node of a published schema. A loose one has types and fields
// only.
func (b *builder) node(raw map[string]any, loose bool) (map[string]any, error) {
	if raw["format"] == "byte" {
		return map[string]any{
			"x-kubernetes-preserve-unknown-fields": true, "format": formatBytes,
		}, nil
	}
	out := map[string]any{}
	if ref := reference(raw); ref != "" {
		target, err := b.model(built{ref, loose})
		if err != nil {
			return nil, err
		}
		maps.Copy(out, target)
	}
	b.keywords(raw, loose, out)
	for _, key := range []string{"items", "additionalProperties"} {
		if below, ok := raw[key].(map[string]any); ok {
			node, err := b.node(below, loose)
			if err != nil {
				return nil, err
			}
			out[key] = node
		}
	}
	properties, err := b.properties(raw, loose)
	if properties != nil {
		out["properties"] = properties
	}
	return out, err
}

// keywords copies the keywords of a node that have no nodes below them.
func (b *builder) keywords(raw map[string]any, loose bool, out map[string]any) {
	for _, key := range kept {
		if value, has := raw[key]; has && !(loose && slices.Contains(strict, key)) {
			out[key] = value
		}
	}
	if _, has := raw["properties"]; !has && raw["type"] == nil && reference(raw) == "" &&
		raw["x-kubernetes-int-or-string"] != true {
		maps.Copy(out, anything)
	}
	if loose {
		return
	}
	for _, key := range outside {
		if value, has := raw[key]; has && b.isOutside {
			out[key] = value
		}
	}
	for _, key := range []string{"enum", "required"} {
		if values, ok := raw[key].([]any); ok {
			out[key] = values
		}
	}
	if value := raw["default"]; !isZero(value) {
		out["default"] = value
	}
}

// properties converts the properties of a node; nil if it has none.
func (b *builder) properties(raw map[string]any, loose bool) (map[string]any, error) {
	fields, ok := raw["properties"].(map[string]any)
	if !ok {
		return nil, nil
	}
	out := make(map[string]any, len(fields))
	for name, below := range fields {
		field, ok := below.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("property %s is no object", name)
		}
		node, err := b.node(field, loose)
		if err != nil {
			return nil, err
		}
		out[name] = node
	}
	return out, nil
}

// reference returns the model that a node refers to, "" if to none.
func reference(raw map[string]any) string {
	if all, ok := raw["allOf"].([]any); ok && len(all) == 1 {
		raw, _ = all[0].(map[string]any)
	}
	name, _ := raw["$ref"].(string)
	return name
}

// isZero reports whether a default is the zero value of its Go type: it says
// only that the field is no pointer.
func isZero(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case bool:
		return !v
	case float64:
		return v == 0
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}
