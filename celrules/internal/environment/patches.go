package environment

import (
	"errors"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// The environments of mutations have the types Object and JSONPatch, whose
// values expressions make, and a function for paths.

// patchesOf is a minor and a kind of such an environment.
type patchesOf struct {
	minor profile.Minor
	kind  library.Expressions
}

// builtForPatches has a function for each of them that was asked for. It is
// empty at the start, so that programs without mutations have no code of them.
var builtForPatches sync.Map

// ForPatches returns the environment of mutations of a minor.
func ForPatches(p *profile.Profile, kind library.Expressions) (*Env, error) {
	build := sync.OnceValues(func() (*Env, error) { return forPatches(p, kind) })
	built, _ := builtForPatches.LoadOrStore(patchesOf{p.Minor, kind}, build)
	return built.(func() (*Env, error))()
}

// escapeKey escapes a key for a path of a JSON patch
// (k8s.io/apiserver/pkg/cel/library/jsonpatch.go).
var escapeKey = library.Function{
	Name: "jsonpatch.escapeKey", Cost: library.CostTransform,
	Overloads: []library.Overload{{
		ID: "string_jsonpatch_escapeKey_string", Params: []string{"string"}, Result: "string",
	}},
}

var escaped = strings.NewReplacer("/", "~1", "~", "~0")

func forPatches(p *profile.Profile, kind library.Expressions) (*Env, error) {
	binding := cel.UnaryBinding(func(text ref.Val) ref.Val { // cel-go checks its type
		return types.String(escaped.Replace(string(text.(types.String))))
	})
	declared, invalid := overload(escapeKey.Overloads[0], binding)
	e, err := newEnv(p, kind, []library.Function{escapeKey}, cel.Function(escapeKey.Name, declared),
		func(e *cel.Env) (*cel.Env, error) {
			return cel.CustomTypeProvider(patchTypes{e.CELTypeProvider()})(e)
		})
	return e, errors.Join(invalid, err)
}

// patchTypes adds the types of what mutations make.
type patchTypes struct{ types.Provider }

// FindStructType implements types.Provider.
func (t patchTypes) FindStructType(name string) (*types.Type, bool) {
	if of := madeType(name); of != nil {
		return types.NewTypeTypeWithParam(of), true
	}
	return t.Provider.FindStructType(name)
}

// FindStructFieldType implements types.Provider.
func (t patchTypes) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	switch {
	case k8scel.IsObject(name):
		return k8scel.ObjectField(field), true
	case name == k8scel.PatchType.TypeName():
		return k8scel.PatchField(field), true
	}
	return t.Provider.FindStructFieldType(name, field)
}

// NewValue implements types.Provider.
func (t patchTypes) NewValue(name string, fields map[string]ref.Val) ref.Val {
	switch of := madeType(name); of {
	case nil:
		return t.Provider.NewValue(name, fields)
	case k8scel.PatchType:
		return k8scel.NewPatch(fields)
	default:
		return k8scel.NewObject(of, fields)
	}
}

// madeType returns the type of a name, nil for other types.
func madeType(name string) *types.Type {
	switch {
	case name == k8scel.PatchType.TypeName():
		return k8scel.PatchType
	case name == k8scel.ObjectType.TypeName():
		return k8scel.ObjectType
	case k8scel.IsObject(name):
		return types.NewObjectType(name)
	}
	return nil
}
