package environment

import (
	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/parser"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// macrosOf returns the macros of a minor. The last one for a call counts.
//
// Before Kubernetes 1.32, optMap and optFlatMap expanded to an expression that
// has their receiver twice, with the same ids. The type checker then rejects
// receivers whose type it makes up, e.g. optional.none() and the results of
// other macros (LIB-006).
func macrosOf(macros []parser.Macro, p *profile.Profile) []parser.Macro {
	if p.CopiedReceivers {
		return macros
	}
	out := append([]parser.Macro{}, macros...)
	for _, m := range macros {
		if doublesReceiver(m) {
			expand := sharing(m.Expander())
			out = append(out, parser.NewReceiverMacro(m.Function(), m.ArgCount(), expand))
		}
	}
	return out
}

// sharing returns an expander that does not copy the receiver. It fails if the
// receiver is too large to be visited twice.
func sharing(expand parser.MacroExpander) parser.MacroExpander {
	return func(
		factory parser.ExprHelper, target ast.Expr, args []ast.Expr,
	) (ast.Expr, *common.Error) {
		parts := 0
		ast.PreOrderVisit(target, ast.NewExprVisitor(func(ast.Expr) { parts++ }))
		if parts > maxGuarded {
			return nil, factory.NewError(target.ID(), errTooLarge.Error())
		}
		return expand(notCopying{factory}, target, args)
	}
}

// notCopying is a factory of expressions whose copies are the originals.
type notCopying struct{ parser.ExprHelper }

// Copy returns the expression itself.
func (notCopying) Copy(e ast.Expr) ast.Expr { return e }
