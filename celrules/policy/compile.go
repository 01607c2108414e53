package policy

import (
	"errors"
	"fmt"
	"slices"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/minors"
)

// Role is what an expression is for. It says which value the expression must
// have, and which variables there are.
type Role int

const (
	// Condition is a match condition or a validation: a bool.
	Condition Role = iota
	// Message is a messageExpression: a string. There is no authorizer.
	Message
	// Annotation is the value of an audit annotation: a string or null.
	Annotation
	// Variable is the value of a variable, of any type.
	Variable
	// Configuration is an applyConfiguration: an object that it makes, e.g.
	// `Object{spec: Object.spec{size: 1}}`.
	Configuration
	// Patch is a jsonPatch: a list of operations that it makes, e.g.
	// `[JSONPatch{op: "remove", path: "/spec/size"}]`.
	Patch
)

// surroundings are the variables and types of an expression.
type surroundings int

const (
	usual surroundings = iota
	withoutAuthorizer
	withPatches
)

func (r Role) surroundings() surroundings {
	switch r {
	case Message:
		return withoutAuthorizer
	case Configuration, Patch:
		return withPatches
	}
	return usual
}

// resultTypes returns the types that an expression may have, nil for all.
func (r Role) resultTypes() []*cel.Type {
	switch r {
	case Condition:
		return []*cel.Type{cel.BoolType}
	case Message:
		return []*cel.Type{cel.StringType}
	case Annotation:
		return []*cel.Type{cel.StringType, cel.NullType}
	case Configuration:
		return []*cel.Type{k8scel.ObjectType}
	case Patch:
		return []*cel.Type{cel.ListType(k8scel.PatchType)}
	}
	return nil
}

// Option chooses what the expressions of a compiler may refer to.
type Option interface{ set(*Compiler) }

type optionFunc func(*Compiler)

func (f optionFunc) set(c *Compiler) { f(c) }

// Params declares the variable params, which is the object of a paramKind.
func Params() Option {
	return optionFunc(func(c *Compiler) { c.declare("params", cel.DynType) })
}

// Composed declares the variable variables. Its fields are those that
// [Compiler.Define] adds.
func Composed() Option {
	return optionFunc(func(c *Compiler) {
		c.declare("variables", cel.ObjectType(variablesType))
	})
}

// Unstored restricts expressions to functions that the minor before has, too.
// A server accepts only those in a new object.
func Unstored() Option {
	return optionFunc(func(c *Compiler) { c.kind = library.NewExpressions })
}

// Compiler compiles the expressions of one webhook or policy. It is for one
// goroutine until everything is compiled, and then safe for concurrent use.
type Compiler struct {
	kind      library.Expressions
	env       *environment.Env
	profile   *profile.Profile
	declared  []environment.Variable
	fields    map[string]*types.Type // of variables
	scopes    map[surroundings]*environment.Scope
	variables map[string]*Expression
}

// NewCompiler returns a compiler for the server of a minor. An error says that
// the environment of the minor cannot be made, which tests rule out.
func NewCompiler(kubernetes minors.Minor, options ...Option) (*Compiler, error) {
	c := &Compiler{
		kind: library.StoredExpressions, profile: profile.Named(string(kubernetes)),
		fields: map[string]*types.Type{}, variables: map[string]*Expression{},
	}
	c.declare("object", cel.DynType)
	c.declare("oldObject", cel.DynType)
	c.declare("request", cel.ObjectType(requestType))
	c.declare("namespaceObject", cel.ObjectType(namespaceType))
	for _, option := range options {
		if option != nil {
			option.set(c)
		}
	}
	var err error
	c.env, err = environment.For(c.profile, c.kind)
	patches, failed := environment.ForPatches(c.profile, c.kind)
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	all := append(slices.Clone(c.declared),
		environment.Variable{Name: "authorizer", Type: k8scel.AuthorizerType},
		environment.Variable{Name: "authorizer.requestResource", Type: k8scel.ResourceCheckType})
	c.scopes = map[surroundings]*environment.Scope{}
	for of, variables := range map[surroundings][]environment.Variable{
		usual: all, withoutAuthorizer: c.declared, withPatches: all,
	} {
		env := c.env
		if of == withPatches {
			env = patches
		}
		c.scopes[of], err = env.Scope(provider{env.Provider(), c.fields}, variables...)
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *Compiler) declare(name string, of *cel.Type) {
	c.declared = append(c.declared, environment.Variable{Name: name, Type: of})
}

// Expression is a compiled expression. It is immutable and safe for concurrent
// use.
type Expression struct {
	text    string
	program *environment.Program
	err     error
}

// Err returns why the expression does not compile, nil if it does.
func (e *Expression) Err() error { return e.err }

// Compile compiles an expression. The error of one that does not compile is
// that of its evaluation, as on a server.
func (c *Compiler) Compile(text string, role Role) *Expression {
	e, _ := c.compile(text, role)
	return e
}

// Define compiles a variable, which later expressions may refer to.
func (c *Compiler) Define(name, text string) *Expression {
	e, of := c.compile(text, Variable)
	c.variables[name], c.fields[name] = e, of
	return e
}

// compile is Compile, and returns the type of the expression as variables have
// it.
func (c *Compiler) compile(text string, role Role) (*Expression, *types.Type) {
	e := &Expression{text: text}
	var checked *ast.AST
	if checked, e.err = c.check(text, role); e.err != nil {
		return e, cel.DynType
	}
	if e.program, e.err = c.scopes[role.surroundings()].Env().Plan(checked); e.err != nil {
		e.err = fmt.Errorf("program instantiation failed: %w", e.err)
		return e, cel.DynType
	}
	return e, declarable(checked.GetType(checked.Expr().ID()))
}

// check parses and checks an expression.
func (c *Compiler) check(text string, role Role) (*ast.AST, error) {
	checked, issues := c.scopes[role.surroundings()].Compile(text)
	if err := issues.Err(); err != nil {
		return nil, fmt.Errorf("compilation failed: %w", err)
	}
	got, want := checked.GetType(checked.Expr().ID()), role.resultTypes()
	for _, of := range want {
		if got.IsExactType(of) {
			return checked, nil
		}
	}
	switch len(want) {
	case 0:
		return checked, nil
	case 1:
		return nil, fmt.Errorf("must evaluate to %v but got %v", want[0], got)
	}
	return nil, fmt.Errorf("must evaluate to one of %v but got %v", want, got)
}
