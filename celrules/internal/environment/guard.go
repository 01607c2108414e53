package environment

import (
	"errors"

	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/parser"
)

// The guard against exploding macros.
//
// `x.optMap(v, e)` expands to a conditional that has x twice. In a chain of
// optMap and optFlatMap each call doubles all calls before it: 20 of them are a
// million parts, for which cel-go's parser and checker take hours. The guard
// makes an error of such an expression: the parser has guarded forms of these
// macros, and parts are counted once more after it.

// errTooLarge is the error of an expression whose macros expand to more than
// maxParts.
var errTooLarge = errors.New(
	"expression is too large: optMap and optFlatMap double what they are called on")

// maxParts returns how many parts an expression of a text may have after the
// expansion of its macros. No text has as many parts of its own.
//
// At this size cel-go's type checker takes seconds, and four times as long for
// each further call of optMap. A server does not answer within the minute that
// it gives a request.
func maxParts(text string) int { return len(text) + 1<<15 }

// guarded returns guarded forms of those macros that double their receiver.
// They fail with errTooLarge if the receiver has more than maxGuarded parts.
func guarded(macros []parser.Macro) []parser.Macro {
	var out []parser.Macro
	for _, m := range macros {
		if !doublesReceiver(m) {
			continue
		}
		expand := m.Expander()
		out = append(out, parser.NewReceiverMacro(m.Function(), m.ArgCount(), guard(expand)))
	}
	return out
}

// doublesReceiver reports whether the expansion of a macro has the receiver
// twice.
func doublesReceiver(m parser.Macro) bool {
	return m.Function() == "optMap" || m.Function() == "optFlatMap"
}

// maxGuarded is more than the parts of the longest text, whose length is at
// most maxCodePoints.
const maxGuarded = 1 << 17

// guard returns an expander that first counts the parts of the receiver.
func guard(expand parser.MacroExpander) parser.MacroExpander {
	return func(
		factory parser.ExprHelper, target ast.Expr, args []ast.Expr,
	) (ast.Expr, *common.Error) {
		var latest int64 // ids are consecutive, also those of a copied receiver
		ast.PreOrderVisit(target, ast.NewExprVisitor(func(e ast.Expr) {
			latest = max(latest, e.ID())
		}))
		if latest > maxGuarded {
			return nil, factory.NewError(target.ID(), errTooLarge.Error())
		}
		return expand(factory, target, args)
	}
}
