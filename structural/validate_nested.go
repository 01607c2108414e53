package structural

import (
	"regexp/syntax"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/schemapath"
)

// exempt marks anyOfs of a spine node that are an int-or-string pattern, e.g.
// [{"type": "integer"}, {"type": "string"}]. They are not checked.
type exempt struct {
	anyOf      bool // the node's own
	firstAllOf bool // that of the node's first allOf branch
}

// junctors checks the nested nodes of one node.
func (c *checker) junctors(
	v *ValueValidation, at *schemapath.Path, skip exempt, allowed Allowance,
) {
	withoutRules := allowed &^ AllowNestedRules // only allOf lets rules through
	if !skip.anyOf {
		c.branches("anyOf", v.AnyOf, at, withoutRules)
	}
	for i, branch := range v.AllOf {
		below := at.Indexed("allOf", i)
		c.nested(branch, &below, exempt{anyOf: i == 0 && skip.firstAllOf}, allowed)
	}
	c.branches("oneOf", v.OneOf, at, withoutRules)
	if v.Not != nil {
		below := at.Child("not")
		c.nested(v.Not, &below, exempt{}, withoutRules)
	}
}

// pattern checks the pattern of a node by a rule: STR-061 on the spine, STR-084
// elsewhere.
func (c *checker) pattern(rule, pattern string, at *schemapath.Path) {
	if pattern == "" {
		return
	}
	if err := c.patternError(pattern); err != nil {
		detail := "must be a valid regular expression, but isn't: " + err.Error()
		c.invalid(rule, at, "pattern", pattern, detail)
	}
}

// patternError returns the error of a pattern. Only parsing can fail when a
// pattern is compiled. Each pattern is parsed once.
func (c *checker) patternError(pattern string) error {
	err, ok := c.patterns[pattern]
	if !ok {
		_, err = syntax.Parse(pattern, syntax.Perl)
		c.patterns[pattern] = err
	}
	return err
}

func (c *checker) branches(
	junctor string, branches []*Schema, at *schemapath.Path, allowed Allowance,
) {
	for i, branch := range branches {
		below := at.Indexed(junctor, i)
		c.nested(branch, &below, exempt{}, allowed)
	}
}

// nested checks a nested node and all nodes below it.
func (c *checker) nested(s *Schema, at *schemapath.Path, skip exempt, allowed Allowance) {
	if c.errs.Full() {
		return
	}
	c.junctors(s.Values(), at, skip, allowed)
	c.pattern("STR-084", s.Values().Pattern, at)
	if s.items != nil {
		below := at.Child("items")
		c.nested(s.items, &below, exempt{}, allowed)
	}
	for name, node := range s.Properties() {
		below := at.Keyed("properties", name)
		c.nested(node, &below, exempt{}, allowed)
		if name == "metadata" {
			err := field.Forbidden(nil, "must not be specified in a nested context")
			c.add("STR-083", below.String(), err)
		}
	}
	if s.restrictsAdditional() || s.additional != nil && !c.profile.NestedOptions {
		c.nestedAdditional(s, at, allowed)
	}
	c.nestedGenerics(s, at)
	c.nestedExtensions(s, at, allowed)
}

// restrictsAdditional reports whether the additionalProperties of a nested node
// has an effect: the value false has none (STR-028).
func (s *Schema) restrictsAdditional() bool {
	return s.additional != nil && (s.additional.Allows || s.additional.Schema != nil)
}

func (c *checker) nestedAdditional(s *Schema, at *schemapath.Path, allowed Allowance) {
	if allowed&AllowNestedAdditionalProperties == 0 {
		c.forbidden("STR-071", at, "additionalProperties", mustBeUndefined)
		return
	}
	if s.additional.Schema != nil {
		below := at.Child("additionalProperties")
		c.nested(s.additional.Schema, &below, exempt{}, allowed)
	}
}

const (
	mustBeEmpty     = "must be empty to be structural"
	mustBeFalse     = "must be false to be structural"
	mustBeUndefined = "must be undefined to be structural"
)

// keywordRule is the rule that forbids a keyword in nested nodes.
type keywordRule struct {
	present               bool
	rule, keyword, detail string
}

func (c *checker) forbid(rules []keywordRule, at *schemapath.Path) {
	for _, rule := range rules {
		if rule.present {
			c.forbidden(rule.rule, at, rule.keyword, rule.detail)
		}
	}
}

// nestedGenerics checks keywords that only the spine may have (STR-070, STR-072
// to STR-075).
func (c *checker) nestedGenerics(s *Schema, at *schemapath.Path) {
	c.forbid([]keywordRule{
		{s.typ != "", "STR-070", "type", mustBeEmpty},
		{s.def != nil, "STR-072", "default", mustBeUndefined},
		{s.title != "", "STR-073", "title", mustBeEmpty},
		{s.description != "", "STR-074", "description", mustBeEmpty},
		{s.nullable, "STR-075", "nullable", mustBeFalse},
	}, at)
}

// nestedExtensions checks the extensions. Nested nodes must not have any of
// them (STR-076 to STR-082).
func (c *checker) nestedExtensions(s *Schema, at *schemapath.Path, allowed Allowance) {
	hasRules := len(s.rules) > 0 && allowed&AllowNestedRules == 0
	c.forbid([]keywordRule{
		{s.preserve, "STR-076", "x-kubernetes-preserve-unknown-fields", mustBeFalse},
		{s.embedded, "STR-077", "x-kubernetes-embedded-resource", mustBeFalse},
		{s.intOrString, "STR-078", "x-kubernetes-int-or-string", mustBeFalse},
		{len(s.listMapKeys) > 0, "STR-079", "x-kubernetes-list-map-keys", mustBeEmpty},
		{s.listType != nil, "STR-080", "x-kubernetes-list-type", mustBeUndefined},
		{s.mapType != nil, "STR-081", "x-kubernetes-map-type", mustBeUndefined},
		{hasRules, "STR-082", "x-kubernetes-validations", mustBeEmpty},
	}, at)
}
