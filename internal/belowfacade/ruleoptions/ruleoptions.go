// Package ruleoptions defines the settings that the options of package celrules
// change. Packages of this module can write options that users do not have.
package ruleoptions

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

// ForCompile returns an option of celrules.Compile and of package check.
func ForCompile(set func(*Compile)) structural.Option { return compileOption{set: set} }

// compileOption is an option of ForCompile. The interface, which is nil, makes
// it one.
type compileOption struct {
	structural.Option
	set func(*Compile)
}

// Choose does what options say.
func (s *Compile) Choose(options []structural.Option) {
	minor, cache := structural.Common(options...)
	s.Profile, s.Cache = profile.Named(string(minor)), cache
	for _, o := range options {
		if o, ok := o.(compileOption); ok {
			o.set(s)
		}
	}
}

// Compile is what options of celrules.Compile and of package check change.
type Compile struct {
	// Profile is that of the minor whose server runs or checks the rules.
	Profile *profile.Profile
	// Cache has what was compiled before, nil without a cache.
	Cache *structural.Cache
	// PerCallLimit is the cost at which one evaluation is stopped, and Memory
	// the number of bytes.
	PerCallLimit, Memory uint64
	// Inner says that the schema is that of a node inside a resource. Its
	// apiVersion, kind and metadata are declared only if its schema declares
	// them or if it is an embedded resource.
	Inner bool
	// List is called for each rule that compiles, with its operands and no
	// evaluation. All rules are then compiled at once.
	List func(Observation)

	Check
}

// Check are the settings of package check.
type Check struct {
	// Bounds asks for the missing bounds of rules below their limit too.
	Bounds bool
	// StoredRule and StoredMessage report whether the text of a rule or
	// messageExpression compiles as a stored expression (CEL-003).
	StoredRule, StoredMessage func(text string) bool
	// NoRuleLimit turns the limit of a rule's cost off, as a server does for an
	// update that does not change the schema (COST-021).
	NoRuleLimit bool
	// Guide is nil if the fields of rules are to be checked.
	Guide Guide
}

// Guide follows the check of rules through a schema. It knows which nodes of
// the definition have errors other than those of rules.
type Guide interface {
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

// ValidateOption is implemented by every celrules.ValidateOption.
type ValidateOption interface{ ForValidate(*Validate) }

// Validate is what a celrules.ValidateOption changes.
type Validate struct {
	Budget    int64
	Path      *field.Path
	NoRatchet bool
	Costs     bool
	Explain   Explanation
	// Watch is called for each evaluation of a rule unless it is nil. The rule
	// is evaluated twice for that, and the second evaluation counts for
	// nothing.
	Watch func(Observation)
}

// Explanation is how much is recorded about a failed rule.
type Explanation uint8

// The explanations.
const (
	Unexplained Explanation = iota
	Names                   // its text and its path
	Terms                   // the values of its sub-expressions too
)

// Observation is one evaluation of a rule on one value.
type Observation struct {
	// Path is the path of the rule's schema node, e.g.
	// "openAPIV3Schema.properties[spec]". Index is the index of the rule there.
	Path  string
	Index int
	// Holds reports whether the rule is true.
	Holds bool
	// Operands are those of the rule, with their values in this evaluation, in
	// the order of the text.
	Operands []Operand
}

// Operand is an operand of &&, || or ? : in a rule, e.g. `self.a` of
// `self.a && self.b`. The operands of `a && b && c` are a, b and c.
type Operand struct {
	// Text is the operand as CEL. Offset is its position in the text of the
	// rule, in code points from 0.
	Text   string
	Offset int
	// Boolean reports whether the operand can be true and false. Literals
	// cannot, and branches of ? : may have other types.
	Boolean bool
	// True, False and Other count its values. Other counts those that are not
	// boolean, errors too. In a comprehension, an operand can have many.
	True, False, Other int
}
