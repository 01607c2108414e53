package fastparse

import (
	"strings"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/parser"
)

// Doubles tells whether cel-go's parser may see to the text with [Guarded] macros only, for it could go on doubling parts.
func Doubles(text string) bool {
	return strings.Count(text, "optMap")+strings.Count(text, "optFlatMap") > mostDoublings
}

// mostDoublings is how many calls of optMap and optFlatMap cel-go's parser may expand unguarded.
const mostDoublings = 8

// Guarded returns, of macros, those that double their receiver, as macros that fail with the text of [ErrTooLarge] where there are already
// more parts than the longest text may have.
func Guarded(macros []parser.Macro) []parser.Macro {
	var out []parser.Macro
	for _, m := range macros {
		if m.Function() != "optMap" && m.Function() != "optFlatMap" {
			continue
		}
		expand := m.Expander()
		out = append(out, parser.NewReceiverMacro(m.Function(), m.ArgCount(), guard(expand)))
	}
	return out
}

// mostGuarded is more than the parts that the longest text may have.
const mostGuarded = 1 << 17

func guard(expand parser.MacroExpander) parser.MacroExpander {
	return func(factory parser.ExprHelper, target ast.Expr, args []ast.Expr) (ast.Expr, *common.Error) {
		var latest int64 // ids are given one after the other, a copied receiver's too
		ast.PreOrderVisit(target, ast.NewExprVisitor(func(e ast.Expr) { latest = max(latest, e.ID()) }))
		if latest > mostGuarded {
			return nil, factory.NewError(target.ID(), ErrTooLarge.Error())
		}
		return expand(factory, target, args)
	}
}
