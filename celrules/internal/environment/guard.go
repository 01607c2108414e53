package environment

import (
	"errors"
	"strings"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/parser"
)

// errTooLarge says that the macros of an expression expand to more than [maxParts].
var errTooLarge = errors.New("expression is too large: optMap and optFlatMap double what they are called on")

// maxParts is how many parts an expression of that text may have. No text has as many of its own; each optMap of a chain of them doubles
// those before it, and cel-go's type checker takes four times as long for it. Beyond these a server does not answer within the minute that it gives
// a request.
func maxParts(text string) int { return len(text) + 1<<15 }

// doubles tells whether cel-go's parser may see to the text with [guarded] macros only, for it could go on doubling parts.
func doubles(text string) bool {
	return strings.Count(text, "optMap")+strings.Count(text, "optFlatMap") > mostDoublings
}

// mostDoublings is how many calls of optMap and optFlatMap cel-go's parser may expand unguarded.
const mostDoublings = 8

// guarded returns, of macros, those that double their receiver, as macros that fail with the text of [errTooLarge] where there are already
// more parts than the longest text may have.
func guarded(macros []parser.Macro) []parser.Macro {
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
			return nil, factory.NewError(target.ID(), errTooLarge.Error())
		}
		return expand(factory, target, args)
	}
}
