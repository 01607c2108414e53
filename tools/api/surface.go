package main

import (
	"fmt"
	"go/types"
	"slices"
)

// surface returns a line for each exported name of a package, sorted: constants
// with their values, types with their fields and methods.
func surface(pkg *types.Package) (lines []string) {
	add := func(format string, args ...any) {
		lines = append(lines, "pkg "+pkg.Path()+", "+fmt.Sprintf(format, args...))
	}
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		switch object := object.(type) {
		case *types.Const:
			add("const %s %s = %s", name, text(object.Type()), object.Val().ExactString())
		case *types.Var:
			add("var %s %s", name, text(object.Type()))
		case *types.Func:
			add("func %s%s", name, parameters(object.Signature()))
		case *types.TypeName:
			typeLines(object, add)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// typeLines adds the lines of a type.
func typeLines(name *types.TypeName, add func(format string, args ...any)) {
	if name.IsAlias() {
		add("type %s = %s", name.Name(), text(types.Unalias(name.Type())))
		return
	}
	switch under := name.Type().Underlying().(type) {
	case *types.Struct:
		add("type %s struct", name.Name())
		for field := range under.Fields() {
			if field.Exported() {
				add("type %s struct, %s %s", name.Name(), field.Name(), text(field.Type()))
			}
		}
	case *types.Interface:
		add("type %s interface%s", name.Name(), closed(under))
		for method := range under.Methods() {
			if method.Exported() {
				add("type %s interface, %s%s", name.Name(), method.Name(),
					parameters(method.Signature()))
			}
		}
		return
	default:
		add("type %s %s", name.Name(), text(under))
	}
	methods(name, name.Type(), add)
	methods(name, types.NewPointer(name.Type()), add)
}

// closed says that only the package itself can implement an interface.
func closed(i *types.Interface) string {
	for method := range i.Methods() {
		if !method.Exported() {
			return " with unexported methods"
		}
	}
	return ""
}

// methods adds the exported methods of a type, those of embedded fields too. A
// pointer's are those that the type itself lacks.
func methods(name *types.TypeName, of types.Type, add func(format string, args ...any)) {
	receiver := name.Name()
	value := types.NewMethodSet(name.Type())
	if _, ok := of.(*types.Pointer); ok {
		receiver = "*" + receiver
	} else {
		value = types.NewMethodSet(types.NewStruct(nil, nil))
	}
	for selection := range types.NewMethodSet(of).Methods() {
		method := selection.Obj().(*types.Func)
		if method.Exported() && value.Lookup(method.Pkg(), method.Name()) == nil {
			add("method (%s) %s%s", receiver, method.Name(), parameters(method.Signature()))
		}
	}
}

// parameters returns the parameters and results of a function without their
// names. Those of a generic function have them.
func parameters(s *types.Signature) string {
	if s.TypeParams().Len() == 0 && s.RecvTypeParams().Len() == 0 {
		s = types.NewSignatureType(nil, nil, nil, unnamed(s.Params()), unnamed(s.Results()),
			s.Variadic())
	}
	return text(s)[len("func"):]
}

func unnamed(tuple *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range tuple.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), "", v.Type()))
	}
	return types.NewTuple(vars...)
}

// text returns a type with the names of packages, not their paths.
func text(t types.Type) string { return types.TypeString(t, (*types.Package).Name) }
