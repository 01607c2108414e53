package check

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/chapter/door"
	"github.com/crdsem/crdsem/internal/chapter/profile"
	"github.com/crdsem/crdsem/structural"
)

// Internal is for the packages of this module only; it is outside of the
// compatibility promise.
var Internal exporter

type exporter struct{}

// Export returns what other packages of this module need of this one.
func (exporter) Export(_ *door.NotForPublicUse) export { return export{} }

type export struct{}

// Fields checks the fields of the rules of one node, as far as nothing has to
// be compiled (CEL-070, CEL-071). path is the path of the node. With a nil
// schema, fieldPaths are not resolved.
func (export) Fields(
	rules []structural.Rule, schema *structural.Schema, path *field.Path, p *profile.Profile,
) field.ErrorList {
	return checkFields(rules, schema, path, p)
}

// Checker returns a checker for one schema in a minor. Its expressions are
// compiled in the cache. Once the context has ended, its errors are no verdict.
func (export) Checker(
	ctx context.Context, cache *celrules.Cache, p *profile.Profile,
) *schemaChecker {
	return newChecker(ctx, cache, p)
}

// guide follows a checker through a schema. It knows which nodes of the
// definition have errors other than those of rules.
type guide interface {
	// Property, Items and AdditionalProperties go to a child of the current
	// node.
	Property(name string)
	Items()
	AdditionalProperties()
	// Leave goes back to the parent.
	Leave()
	// Sound reports whether the current node and all nodes below it are without
	// errors. Rules are compiled only there (CEL-072).
	Sound() bool
}

// RulesOfSound checks the rules of all nodes that the guide reports as sound.
// It does not check their fields.
func (c *schemaChecker) RulesOfSound(
	schema *structural.Schema, path *field.Path, g guide,
) field.ErrorList {
	if !schema.HasRules() {
		return nil
	}
	errs := c.guided(c.root(schema, path), g)
	return append(errs, c.total.errors(path)...)
}

// guided checks the nodes below a node and then the node itself.
func (c *schemaChecker) guided(n *node, g guide) field.ErrorList {
	var errs field.ErrorList
	n.children(func(child *node) {
		switch child.step {
		case byProperty:
			g.Property(child.name)
		case byItems:
			g.Items()
		case byAdditionalProperties:
			g.AdditionalProperties()
		}
		errs = append(errs, c.guided(child, g)...)
		g.Leave()
	})
	if len(n.schema.Rules()) > 0 && g.Sound() {
		errs = append(errs, n.checkRules()...)
	}
	return errs
}
