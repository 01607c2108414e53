// Package gosyntax prints values as Go does by %#v, in the place of a program
// that has other types: the printed types have the names of that program's.
package gosyntax

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Address is printed for each pointer that is not nil. Go prints the address of
// the value, which differs from run to run.
const Address = "0xc000000000"

// Printer prints values. It is safe for concurrent use.
type Printer struct {
	// Packages has the printed name of a package by its path. The structures of
	// these packages stand for those of the other program:
	//
	//   - A field prints as the type of its tag "go", e.g. *bool.
	//   - Lists and maps hold structures, also where these hold pointers.
	Packages map[string]string
}

// Text returns a value in the syntax of Go. What is not from the packages
// prints as by %#v.
func (p *Printer) Text(value any) string {
	var b strings.Builder
	p.print(&b, reflect.ValueOf(value), "")
	return b.String()
}

// name returns the name of a type.
func (p *Printer) name(t reflect.Type) string {
	switch {
	case t.Name() != "":
		if of, ok := p.Packages[t.PkgPath()]; ok {
			return of + "." + t.Name()
		}
	case t.Kind() == reflect.Pointer:
		return "*" + p.name(t.Elem())
	case t.Kind() == reflect.Slice:
		return "[]" + p.name(p.held(t))
	case t.Kind() == reflect.Map:
		return "map[" + p.name(t.Key()) + "]" + p.name(p.held(t))
	}
	return t.String()
}

// held returns the type of what a list or a map holds.
func (p *Printer) held(t reflect.Type) reflect.Type {
	if held := t.Elem(); held.Kind() != reflect.Pointer || !p.isOurs(held.Elem()) {
		return held
	}
	return t.Elem().Elem()
}

// isOurs reports whether a type is from the packages.
func (p *Printer) isOurs(t reflect.Type) bool {
	_, ok := p.Packages[t.PkgPath()]
	return ok
}

// print prints a value as one of a named type. Without a name it is that of the
// value's type.
func (p *Printer) print(b *strings.Builder, v reflect.Value, name string) {
	if !v.IsValid() {
		b.WriteString("<nil>")
		return
	}
	if name == "" {
		name = p.name(v.Type())
	}
	switch kind := v.Kind(); {
	case strings.HasPrefix(name, "*"):
		address := Address
		if v.IsNil() {
			address = "nil"
		}
		b.WriteString("(" + name + ")(" + address + ")")
	case kind == reflect.Interface && !v.IsNil():
		p.print(b, v.Elem(), "")
	case kind == reflect.Interface:
		b.WriteString(name + "(nil)")
	case kind == reflect.Struct && p.isOurs(v.Type()):
		p.structure(b, v, name)
	case kind == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		p.list(b, v, name)
	case kind == reflect.Map:
		p.fields(b, v, name)
	default:
		fmt.Fprintf(b, "%#v", v.Interface())
	}
}

func (p *Printer) structure(b *strings.Builder, v reflect.Value, name string) {
	b.WriteString(name + "{")
	for i := range v.NumField() {
		if i > 0 {
			b.WriteString(", ")
		}
		f := v.Type().Field(i)
		b.WriteString(f.Name + ":")
		p.print(b, v.Field(i), f.Tag.Get("go"))
	}
	b.WriteString("}")
}

func (p *Printer) list(b *strings.Builder, v reflect.Value, name string) {
	if v.IsNil() {
		b.WriteString(name + "(nil)")
		return
	}
	b.WriteString(name + "{")
	for i := range v.Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		p.member(b, v.Index(i), strings.TrimPrefix(name, "[]"), name)
	}
	b.WriteString("}")
}

func (p *Printer) fields(b *strings.Builder, v reflect.Value, name string) {
	if v.IsNil() {
		b.WriteString(name + "(nil)")
		return
	}
	b.WriteString(name + "{")
	keys := v.MapKeys()
	slices.SortFunc(keys,
		func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	for i, key := range keys {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "%#v:", key.Interface())
		p.member(b, v.MapIndex(key), "", name)
	}
	b.WriteString("}")
}

// member prints what a list or a map of a named type holds. An interface has
// the name of the list's items, unless the list has a name of its own.
func (p *Printer) member(b *strings.Builder, v reflect.Value, item, of string) {
	switch {
	case v.Kind() == reflect.Pointer && p.isOurs(v.Type().Elem()):
		if v.IsNil() {
			v = reflect.New(v.Type().Elem())
		}
		p.print(b, v.Elem(), "")
	case v.Kind() == reflect.Interface && item != of:
		p.print(b, v, item)
	default:
		p.print(b, v, "")
	}
}
