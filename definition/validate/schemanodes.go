package validate

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// walker checks every node of a schema as it was written, whether the schema is
// structural or not (CRD-151 to CRD-206). Errors come in the server's order: of
// the node's keywords, then of additionalProperties, properties, junctors and
// items, then of the node's extensions, lists and rules.
type walker struct {
	*checker
}

// visit is a node in its surroundings. Within one definition, the errors at the
// node and below depend on nothing else, so a visit without errors is not
// repeated.
type visit struct {
	node *crd.JSONSchemaProps
	in   surroundings
}

// surroundings are the facts that a node inherits from those above it (CRD-163,
// CRD-164).
type surroundings struct {
	root       bool   // the node is the root
	spine      bool   // the node is on the spine of a structural schema
	insideMeta bool   // the node is below apiVersion, kind or metadata of a resource
	noDefaults string // where the node is, if defaults are forbidden there
}

// nested returns the surroundings in junctors, definitions and dependencies.
func (in surroundings) nested() surroundings {
	in.root, in.spine = false, false
	return in
}

func (in surroundings) child() surroundings {
	in.root = false
	return in
}

// additional returns the surroundings in additionalProperties.
func (in surroundings) additional() surroundings {
	in = in.child()
	if in.insideMeta {
		in.noDefaults = "inside additionalProperties applying to object metadata"
	}
	return in
}

// property returns the surroundings in a property of the node s.
func (in surroundings) property(s *crd.JSONSchemaProps, name string) surroundings {
	child := in.child()
	if (in.root || s.XEmbeddedResource) && ofResource(name) {
		child.insideMeta = true
		if in.root {
			child.noDefaults = "in top-level " + name
		}
	}
	return child
}

// schemaTypes returns the values of type that the server knows.
func schemaTypes() []string {
	return []string{"array", "boolean", "integer", "number", "object", "string"}
}

// forbid, require and reject report an error at a keyword of a node. Its origin
// is the id of the rule.

func (w *walker) forbid(rule string, at *schemapath.Path, keyword, detail string) {
	w.at(rule, at.At(keyword), field.Forbidden(nil, detail))
}

func (w *walker) require(rule string, at *schemapath.Path, keyword, detail string) {
	w.at(rule, at.At(keyword), field.Required(nil, detail))
}

func (w *walker) reject(
	rule string, at *schemapath.Path, keyword string, value any, detail string,
) {
	w.at(rule, at.At(keyword), field.Invalid(nil, value, detail))
}

// node checks a node and all nodes below it. It skips a visit that is known to
// have no errors.
func (w *walker) node(s *crd.JSONSchemaProps, at *schemapath.Path, in surroundings) {
	if s == nil || w.clean[visit{s, in}] || w.errs.Full() {
		return
	}
	before := len(w.errs.List)
	w.keywords(s, at, in)
	w.additional(s, at, in)
	w.properties(s, at, in)
	w.junctors(s, at, in)
	w.items(s, at, in)
	w.extensions(s, at)
	w.lists(s, at)
	w.ruleTexts(s, at)
	// Other nodes are cheap to visit again.
	holdsNodes := len(s.Properties) > 0 || s.Items != nil || s.AdditionalProperties != nil
	if len(w.errs.List) == before && (holdsNodes || len(s.XValidations) > 0) {
		w.clean[visit{s, in}] = true
	}
}

// keywords checks the type and the keywords that are not supported (CRD-151 to
// CRD-154, CRD-163).
func (w *walker) keywords(s *crd.JSONSchemaProps, at *schemapath.Path, in surroundings) {
	if w.validTypes && hasUnknownType(s) {
		w.at("CRD-151", at.At("type"), field.NotSupported(nil, s.Type, schemaTypes()))
	}
	if s.Default != nil && in.noDefaults != "" {
		w.forbid("CRD-304", at, "default", "must not be set "+in.noDefaults)
	}
	for _, unsupported := range [...]struct {
		present bool
		keyword string
	}{
		{s.ID != "", "id"},
		{s.AdditionalItems != nil, "additionalItems"},
		{len(s.PatternProperties) > 0, "patternProperties"},
		{len(s.Definitions) > 0, "definitions"},
		{s.Dependencies != nil, "dependencies"},
		{s.Ref != nil, "$ref"},
	} {
		if unsupported.present {
			detail := unsupported.keyword + " is not supported"
			w.forbid("CRD-152", at, unsupported.keyword, detail)
		}
	}
	if s.Type == "null" {
		const detail = "type cannot be set to null, use nullable as an alternative"
		w.forbid("CRD-151", at, "type", detail)
	}
	if s.Items != nil && len(s.Items.JSONSchemas) > 0 {
		w.forbid("CRD-153", at, "items", "items must be a schema object and not an array")
	}
	if in.insideMeta && s.XEmbeddedResource {
		const detail = "must not be used inside of resource meta"
		w.forbid("CRD-163", at, "x-kubernetes-embedded-resource", detail)
	}
	if s.UniqueItems {
		w.forbid("CRD-154", at, "uniqueItems",
			"uniqueItems cannot be set to true since the runtime complexity becomes quadratic")
	}
}

// additional checks additionalProperties (CRD-155, CRD-304).
func (w *walker) additional(s *crd.JSONSchemaProps, at *schemapath.Path, in surroundings) {
	additional := s.AdditionalProperties
	if additional == nil {
		return
	}
	if len(s.Properties) > 0 && (!additional.Allows || additional.Schema != nil) {
		w.forbid("CRD-155", at, "additionalProperties",
			"additionalProperties and properties are mutual exclusive")
	}
	below := at.Child("additionalProperties")
	w.node(additional.Schema, &below, in.additional())
}

func (w *walker) properties(s *crd.JSONSchemaProps, at *schemapath.Path, in surroundings) {
	if len(s.Properties) == 0 {
		return
	}
	for _, name := range jsonvalue.SortedKeys(s.Properties) {
		below := at.Keyed("properties", name)
		w.node(s.Properties[name], &below, in.property(s, name))
	}
}

// junctors checks the nodes below that are not on the spine: branches of allOf,
// oneOf, anyOf and not, definitions, and dependencies.
func (w *walker) junctors(s *crd.JSONSchemaProps, at *schemapath.Path, in surroundings) {
	in = in.nested()
	if s.Not != nil {
		below := at.Child("not")
		w.node(s.Not, &below, in)
	}
	w.branches("allOf", s.AllOf, at, in)
	w.branches("oneOf", s.OneOf, at, in)
	w.branches("anyOf", s.AnyOf, at, in)
	for _, name := range jsonvalue.SortedKeys(s.Definitions) {
		below := at.Keyed("definitions", name)
		w.node(s.Definitions[name], &below, in)
	}
	for _, name := range jsonvalue.SortedKeys(s.Dependencies) {
		below := at.Keyed("dependencies", name)
		w.node(s.Dependencies[name].Schema, &below, in)
	}
}

func (w *walker) branches(
	keyword string, branches []*crd.JSONSchemaProps, at *schemapath.Path, in surroundings,
) {
	for i, branch := range branches {
		below := at.Indexed(keyword, i)
		w.node(branch, &below, in)
	}
}

func (w *walker) items(s *crd.JSONSchemaProps, at *schemapath.Path, in surroundings) {
	if s.Items == nil {
		return
	}
	in = in.child()
	below := at.Child("items")
	w.node(s.Items.Schema, &below, in)
	w.branches("items", s.Items.JSONSchemas, at, in)
}
