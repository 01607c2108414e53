package upgrade

import (
	"math/rand/v2"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate"
)

// wish is a value that a rule asks for: a literal that it compares with, or any
// one of a field whose presence it asks for.
type wish struct {
	path    []string
	literal any // nil for any value
}

// wishes adds what an expression asks for, also within macros.
func (x *expression) wishes(e ast.Expr, in variables) (list []wish) {
	if e.Kind() != ast.CallKind {
		return nil
	}
	call := e.AsCall()
	args := call.Args()
	switch name := call.FunctionName(); {
	case name == "has" && len(args) == 1:
		if path, ok := selected(args[0], in); ok {
			return []wish{{path: path}}
		}
		return nil
	case name == operators.Equals || name == operators.NotEquals:
		for i := range args {
			path, ok := selected(args[i], in)
			if literal := literalOf(args[1-i]); ok && literal != nil {
				return []wish{{path, literal}}
			}
		}
	}
	if inner, _, ok := ofItems(call, in); ok {
		return x.wishes(args[len(args)-1], inner)
	}
	for _, arg := range slices.Concat(args, targetOf(call)) {
		list = append(list, x.wishes(arg, in)...)
	}
	return list
}

// joint returns copies of an object that have all that a rule asks for at once,
// and all but one: rules about several fields fail for no single one.
func (w *witnessSearch) joint(x *expression, object map[string]any) (list []candidate) {
	const most = 8
	if w.isTransition() {
		return nil
	}
	all := x.wishes(x.root, variables{"self": {}})
	if len(all) < 2 || len(all) > most {
		return nil
	}
	random := rand.New(rand.NewPCG(uint64(len(all)), 2))
	for without := -1; without < len(all); without++ {
		copied := jsonvalue.DeepCopyMap(object)
		isMade := true
		for i, want := range all {
			if i != without {
				isMade = isMade && w.grant(copied, want, random)
			}
		}
		if without >= 0 && isMade {
			node := slices.Concat(w.change.target.node, nodeOf(all[without].path))
			replaceAt(copied, node, func(any) (any, bool) { return nil, false })
		}
		if isMade {
			list = append(list, candidate{object: copied})
		}
	}
	return list
}

// grant puts a wish into an object, with what is missing around it. It reports
// whether there is a place for it.
func (w *witnessSearch) grant(object map[string]any, want wish, random *rand.Rand) bool {
	node := slices.Concat(w.change.target.node, nodeOf(want.path))
	for depth := 1; depth <= len(node); depth++ {
		at := node[:depth]
		schema := schemaAt(w.admits.Schema(), at)
		if schema == nil {
			return false
		}
		isLast := depth == len(node)
		if len(valuesAt(object, at)) > 0 && !(isLast && want.literal != nil) {
			continue
		}
		value := generate.Object(random, schema)
		if isLast && want.literal != nil {
			value = want.literal
		}
		if !strings.HasPrefix(at[depth-1], memberStep) {
			around := at[:depth-1] // a list or a map without items
			if len(around) == 0 || schemaAt(w.admits.Schema(), around).Items() == nil {
				return false
			}
			at, value = around, []any{value}
		}
		keep := func(any) (any, bool) { return jsonvalue.DeepCopy(value), true }
		if !replaceAt(object, at, keep) {
			return false
		}
	}
	return true
}
