package celrules

import (
	"math"
	"math/bits"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/structural"
)

// Place is a node on the spine of a schema that is being checked, reached from the root.
type Place struct {
	checker *Checker
	parent  *Place
	schema  *structural.Schema
	path    *field.Path
	reached reached

	inScope        bool // the node or one above has rules
	cardinality    cardinality
	uncorrelatable *field.Path // of the outermost node above whose values have no old ones

	noElements bool // the parent's declaration has no elements, though its schema says what they are
	declared   bool
	node       *decl.Node
}

// reached is how a place is reached from its parent.
type reached struct {
	step     step
	property string
}

// Root returns the place of a whole resource's schema. path is where the schema stands in the CRD.
func (c *Checker) Root(schema *structural.Schema, path *field.Path) *Place {
	return &Place{
		checker: c, schema: schema, path: path, inScope: len(schema.Rules()) > 0,
		cardinality: cardinality{product: 1},
	}
}

// Path returns where the place stands in the CRD.
func (p *Place) Path() *field.Path { return p.path }

// Schema returns the schema of the place.
func (p *Place) Schema() *structural.Schema { return p.schema }

// Property returns the place of a property, nil if it is not declared.
func (p *Place) Property(name string) *Place {
	if child := p.schema.Property(name); child != nil {
		return p.child(child, reached{byField, name}, p.path.Child("properties").Key(name))
	}
	return nil
}

// Items returns the place of a list's items, nil if there is none.
func (p *Place) Items() *Place {
	if child := p.schema.Items(); child != nil {
		return p.child(child, reached{step: byIndex}, p.path.Child("items"))
	}
	return nil
}

// AdditionalProperties returns the place of a map's values, nil if there is none.
func (p *Place) AdditionalProperties() *Place {
	if child := p.schema.AdditionalSchema(); child != nil {
		return p.child(child, reached{step: byKey}, p.path.Child("additionalProperties"))
	}
	return nil
}

// Children calls yield with all places directly below that have rules or lead to some, in the server's order: the values of a
// map, properties by name, items.
func (p *Place) Children(yield func(*Place)) {
	visit := func(child *Place) {
		if child != nil && child.schema.HasRules() {
			yield(child)
		}
	}
	visit(p.AdditionalProperties())
	for _, name := range p.schema.PropertyNames() {
		visit(p.Property(name))
	}
	visit(p.Items())
}

func (p *Place) child(schema *structural.Schema, how reached, path *field.Path) *Place {
	c := &Place{
		checker: p.checker, parent: p, schema: schema, path: path, reached: how,
		inScope:        p.inScope || len(schema.Rules()) > 0,
		cardinality:    p.cardinality.below(p),
		uncorrelatable: p.uncorrelatable,
	}
	if c.uncorrelatable == nil && p.losesOld(how.step) {
		c.uncorrelatable = p.path
	}
	return c
}

// losesOld tells whether children reached so have no old values (CEL-075).
func (p *Place) losesOld(how step) bool {
	switch how {
	case byIndex:
		return p.schema.ListType() != structural.ListMap
	case byField:
		return !keepsKeys(p.schema)
	}
	return false
}

// declaration returns the node by which expressions are checked, nil if there is none. It is that of the parent's declaration
// where the parent is in scope of rules, so that metadata below a resource root looks as it does from there.
func (p *Place) declaration() *decl.Node {
	if p.declared {
		return p.node
	}
	p.declared = true
	universe := &p.checker.cache.universe
	if p.parent != nil && p.parent.inScope {
		above := p.parent.declaration()
		if above == nil {
			p.noElements = p.parent.noElements
			return nil
		}
		p.node = p.reached.from(above)
		if p.node == nil && p.reached.step != byField {
			p.noElements = true
			return nil
		}
	}
	switch {
	case p.node != nil:
	case p.parent == nil:
		p.node = universe.Root(p.schema)
	default:
		p.node = universe.Inner(p.schema)
	}
	if p.node.Omitted() {
		p.node = nil
	}
	return p.node
}

func (r reached) from(above *decl.Node) *decl.Node {
	if r.step != byField {
		return above.ElemDecl()
	}
	escaped, ok := decl.Escape(r.property)
	if !ok {
		return nil
	}
	return above.Field(escaped)
}

// cardinality is how many values of a place one object can hold.
type cardinality struct {
	product   uint64
	unbounded bool
}

// below returns the cardinality of what is below a place (COST-014).
func (c cardinality) below(p *Place) cardinality {
	most, bounded := elements(p.schema)
	if c.unbounded || !bounded {
		return cardinality{unbounded: true}
	}
	return cardinality{product: saturatingMul(c.product, most)}
}

// elements returns how many children of each kind a value has at most.
func elements(s *structural.Schema) (most uint64, bounded bool) {
	limit := s.Values().MaxItems
	switch {
	case s.Type() == "array":
	case s.Type() == "object" && s.AdditionalProperties() != nil:
		limit = s.Values().MaxProperties
	default:
		return 1, true
	}
	if limit == nil {
		return 0, false
	}
	return uint64(max(*limit, 0)), true
}

// times returns what an expression costs for all values of a place. Without a bound, as many count as fit into a request.
func (c cardinality) times(cost uint64, node *decl.Node) uint64 {
	if c.unbounded {
		return saturatingMul(cost, node.MaxCardinality())
	}
	return saturatingMul(cost, c.product)
}

func saturatingMul(a, b uint64) uint64 {
	if high, low := bits.Mul64(a, b); high == 0 {
		return low
	}
	return math.MaxUint64
}

func saturatingAdd(a, b uint64) uint64 {
	if sum, carry := bits.Add64(a, b, 0); carry == 0 {
		return sum
	}
	return math.MaxUint64
}
