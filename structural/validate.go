package structural

import (
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/bounded"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Allow makes [Validate] lift rules of structural schemas. Several allowances
// add up.
func Allow(a Allowance) Option { return allowing(a) }

type allowing Allowance

// Allowance lifts one rule of structural schemas. The server lifts none of them
// for the schemas of CustomResourceDefinitions.
type Allowance uint8

const (
	// AllowNestedAdditionalProperties lets nested nodes restrict
	// additionalProperties (STR-100).
	AllowNestedAdditionalProperties Allowance = 1 << iota
	// AllowNestedRules lets nested nodes have x-kubernetes-validations, if only
	// allOf leads to them (STR-101).
	AllowNestedRules
	// AllowPropertiesOfMaps lets nested nodes restrict properties that only a
	// schema in additionalProperties specifies (STR-102).
	AllowPropertiesOfMaps
)

// Validate returns an error for each violation of the rules of structural
// schemas (STR-040 to STR-095), in the order of the error strings. path is the
// path of the schema, e.g. spec.versions[0].schema.openAPIV3Schema. The Origin
// of an error is the id of its rule, e.g. STR-047. A nil schema violates no
// rule. Errors that would take more than 64 MiB end with an internal error.
func Validate(s *Schema, path *field.Path, options ...Option) field.ErrorList {
	if s == nil {
		return nil
	}
	minor, _ := Common(options...)
	c := checker{
		profile: profile.Named(string(minor)),
		clean:   map[visit]struct{}{}, patterns: map[string]error{},
	}
	for _, o := range options {
		if allowance, ok := o.(allowing); ok {
			c.allowed |= Allowance(allowance)
		}
	}
	root := schemapath.Root(path)
	c.spine(s, levelRoot, &root)
	c.restrictionsComplete(s, s, &root, &root)
	return byText(c.profile.Show(c.errs.List))
}

// byText sorts errors by their strings, which are the field, a colon and the
// body. Bodies are made only if the fields do not decide.
func byText(errs field.ErrorList) field.ErrorList {
	bodies := map[*field.Error]string{}
	body := func(err *field.Error) string {
		text, ok := bodies[err]
		if !ok {
			text = ": " + err.ErrorBody()
			bodies[err] = text
		}
		return text
	}
	slices.SortStableFunc(errs, func(a, b *field.Error) int {
		if rest, ok := strings.CutPrefix(a.Field, b.Field); ok {
			return strings.Compare(rest+body(a), body(b))
		}
		if rest, ok := strings.CutPrefix(b.Field, a.Field); ok {
			return strings.Compare(body(a), rest+body(b))
		}
		return strings.Compare(a.Field, b.Field)
	})
	return errs
}

// level is how a spine node is reached from its parent.
type level uint8

const (
	levelRoot level = iota
	levelItem
	levelField
)

// checker collects the errors of one schema.
type checker struct {
	profile *profile.Profile
	allowed Allowance
	errs    bounded.Errors
	clean   map[visit]struct{} // spine nodes without an error at or below them

	patterns map[string]error // parsed patterns; nil for a valid one
}

type visit struct {
	node  *Schema
	level level
}

// add records an error at a path. Its origin is the id of the rule, e.g.
// STR-043.
func (c *checker) add(rule, at string, err *field.Error) {
	err.Field, err.Origin = at, rule
	c.errs.Add(err)
}

func (c *checker) required(rule string, at *schemapath.Path, keyword, detail string) {
	c.add(rule, at.At(keyword), field.Required(nil, detail))
}

func (c *checker) forbidden(rule string, at *schemapath.Path, keyword, detail string) {
	c.add(rule, at.At(keyword), field.Forbidden(nil, detail))
}

func (c *checker) invalid(
	rule string, at *schemapath.Path, keyword string, value any, detail string,
) {
	c.add(rule, at.At(keyword), field.Invalid(nil, value, detail))
}

// spine checks a spine node and all nodes below it. A node that occurs again at
// the same level is skipped if it was clean.
func (c *checker) spine(s *Schema, lvl level, at *schemapath.Path) {
	seen := visit{s, lvl}
	if _, ok := c.clean[seen]; ok || c.errs.Full() {
		return
	}
	before := len(c.errs.List)
	c.spineChildren(s, at)
	c.additional(s, lvl, at)
	c.extensions(s, at)
	c.junctors(s.Values(), at, exempt{
		anyOf: c.isIntOrString(s.Values().AnyOf),
		firstAllOf: len(s.Values().AllOf) > 0 &&
			c.isIntOrString(s.Values().AllOf[0].Values().AnyOf),
	}, c.allowed)
	c.pattern("STR-061", s.Values().Pattern, at)
	c.typ(s, lvl, at)
	if lvl == levelRoot || s.embedded {
		c.typeMeta(s, at)
	}
	if lvl == levelRoot {
		c.rootMetadata(s, at)
	}
	if len(c.errs.List) == before {
		c.clean[seen] = struct{}{}
	}
}

func (c *checker) spineChildren(s *Schema, at *schemapath.Path) {
	if s.items != nil {
		below := at.Child("items")
		c.spine(s.items, levelItem, &below)
	} else if s.typ == "array" {
		c.required("STR-043", at, "items", "must be specified")
	}
	for name, node := range s.Properties() {
		below := at.Keyed("properties", name)
		c.spine(node, levelField, &below)
	}
}

// additional checks additionalProperties (STR-044, STR-051).
func (c *checker) additional(s *Schema, lvl level, at *schemapath.Path) {
	if s.additional == nil {
		return
	}
	if lvl == levelRoot {
		c.forbidden("STR-044", at, "additionalProperties", "must not be used at the root")
	}
	if s.embedded {
		const detail = "must not be used if x-kubernetes-embedded-resource is set"
		c.forbidden("STR-051", at, "additionalProperties", detail)
	}
	if s.additional.Schema != nil {
		below := at.Child("additionalProperties")
		c.spine(s.additional.Schema, levelField, &below)
	}
}

// extensions checks which extensions exclude each other and what an embedded
// resource requires (STR-052, STR-059, STR-060).
func (c *checker) extensions(s *Schema, at *schemapath.Path) {
	const noIntOrString = "must be false if x-kubernetes-int-or-string is true"
	if s.intOrString && s.preserve {
		c.invalid("STR-059", at, "x-kubernetes-preserve-unknown-fields", true, noIntOrString)
	}
	if s.intOrString && s.embedded {
		c.invalid("STR-060", at, "x-kubernetes-embedded-resource", true, noIntOrString)
	}
	if s.embedded && !s.preserve && s.properties.len() == 0 {
		const detail = "must not be empty if x-kubernetes-embedded-resource is true " +
			"without x-kubernetes-preserve-unknown-fields"
		c.required("STR-052", at, "properties", detail)
	}
}

// typ checks that the type is present where it is required, and is object where
// only an object is possible (STR-045 to STR-050).
func (c *checker) typ(s *Schema, lvl level, at *schemapath.Path) {
	const ifEmbedded = "must be object if x-kubernetes-embedded-resource is true"
	switch {
	case s.embedded && s.typ == "":
		c.required("STR-050", at, "type", ifEmbedded)
	case s.embedded && s.typ != "object":
		c.invalid("STR-050", at, "type", s.typ, ifEmbedded)
	case s.typ == "" && !s.intOrString && !s.preserve:
		c.noType(lvl, at)
	}
	if lvl == levelRoot && s.typ != "" && s.typ != "object" {
		c.invalid("STR-048", at, "type", s.typ, "must be object at the root")
	}
}

func (c *checker) noType(lvl level, at *schemapath.Path) {
	switch lvl {
	case levelRoot:
		c.required("STR-045", at, "type", "must not be empty at the root")
	case levelItem:
		c.required("STR-046", at, "type", "must not be empty for specified array items")
	case levelField:
		c.required("STR-047", at, "type", "must not be empty for specified object fields")
	}
}

// typeMeta checks the types of the fields that every resource has (STR-053 to
// STR-055).
func (c *checker) typeMeta(s *Schema, at *schemapath.Path) {
	for _, want := range [...]struct{ name, typ, rule string }{
		{"kind", "string", "STR-053"},
		{"apiVersion", "string", "STR-054"},
		{"metadata", "object", "STR-055"},
	} {
		if declared := s.Property(want.name); declared != nil && declared.typ != want.typ {
			below := at.Keyed("properties", want.name)
			c.invalid(want.rule, &below, "type", declared.typ, "must be "+want.typ)
		}
	}
}

// rootMetadata checks that the root's metadata restricts only name and
// generateName (STR-056, STR-057).
func (c *checker) rootMetadata(s *Schema, at *schemapath.Path) {
	metadata := s.Property("metadata")
	if metadata == nil || c.restrictsOnlyNames(metadata) {
		return
	}
	below := at.Keyed("properties", "metadata")
	c.add(
		"STR-056",
		below.String(),
		field.Forbidden(nil, "must not specify anything other than name and "+
			"generateName, but metadata is implicitly specified"),
	)
}

// seen returns the keywords of a node that the rules of the minor look at.
func (c *checker) seen(s *Schema) keywords {
	k := s.keywords
	if !c.profile.ExamplesAreGenerics {
		k.example, k.externalDocs = nil, nil
	}
	return k
}

// restrictsOnlyNames reports whether the schema of a root's metadata has only
// type, default and the properties name and generateName (STR-057). With a
// third property, name and generateName count as well.
func (c *checker) restrictsOnlyNames(metadata *Schema) bool {
	k := c.seen(metadata)
	k.typ, k.def = "", nil
	for _, name := range metadata.PropertyNames() {
		if name != "name" && name != "generateName" {
			return false
		}
	}
	k.properties = nil
	return reflect.DeepEqual(&k, &keywords{})
}
