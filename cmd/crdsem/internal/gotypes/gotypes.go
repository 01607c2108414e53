// Package gotypes finds the Go fields that definitions are generated from.
//
//	types, err := gotypes.Read("./api/...")
//	field, found := types.Field("example.com", "v1", "Widget", []string{"spec", "size"})
//
// Files are parsed and no program is run, so types are followed within their
// module only. The place of a field with a type of another module, e.g.
// metav1.Condition, stands for all that is below it.
package gotypes

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// maxFile is the size of the largest file that is parsed, in bytes.
const maxFile = 16 << 20

// Types are the packages of a project.
type Types struct {
	files    *token.FileSet
	folders  map[string]*pkg // nil for a folder without Go files
	versions map[version]*pkg
}

// version is the group and version that a package has the types of.
type version struct{ group, name string }

// pkg is one package.
type pkg struct {
	folder, root, module string // root is the folder of the module
	name                 string
	types                map[string]*declared
	of                   version
}

// declared is a type with the imports of its file.
type declared struct {
	*ast.TypeSpec
	imports []*ast.ImportSpec
	in      *pkg
}

// Field is a field of a Go struct, or the type of a kind. Name is e.g.
// WidgetSpec.Size.
type Field struct {
	token.Position
	Name string
}

// Read reads the packages in folders. A folder with /... stands for all below
// it, as for the go command.
func Read(patterns ...string) (*Types, error) {
	t := &Types{
		files: token.NewFileSet(), folders: map[string]*pkg{}, versions: map[version]*pkg{},
	}
	for _, pattern := range patterns {
		below, isTree := strings.CutSuffix(filepath.ToSlash(pattern), "/...")
		top := filepath.Clean(below)
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || !d.IsDir():
				return err
			case path != top && (!isTree || isIgnored(path)):
				return fs.SkipDir
			}
			p, err := t.folder(path)
			if p != nil && p.of.group != "" {
				t.versions[p.of] = p
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(t.versions) == 0 {
		return nil, fmt.Errorf("%s: no Go package has the marker +groupName",
			strings.Join(patterns, ", "))
	}
	return t, nil
}

// isIgnored reports whether the go command leaves a folder out: by its name, or
// as another module.
func isIgnored(path string) bool {
	name := filepath.Base(path)
	if name == "testdata" || name == "vendor" || strings.ContainsAny(name[:1], "._") {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

// folder returns the package in a folder, nil without one.
func (t *Types) folder(path string) (*pkg, error) {
	if p, known := t.folders[path]; known {
		return p, nil
	}
	t.folders[path] = nil
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	p := &pkg{folder: path, types: map[string]*declared{}}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if err := t.add(p, filepath.Join(path, name)); err != nil {
			return nil, err
		}
	}
	if p.name == "" {
		return nil, nil
	}
	if p.of.name == "" {
		p.of.name = p.name
	}
	p.root, p.module, err = moduleOf(path)
	t.folders[path] = p
	return p, err
}

// add parses a file of a package.
func (t *Types) add(p *pkg, path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular() || info.Size() > maxFile:
		return fmt.Errorf("%s is not a file of at most %d bytes", path, maxFile)
	}
	const mode = parser.ParseComments | parser.SkipObjectResolution
	file, err := parser.ParseFile(t.files, path, nil, mode)
	if err != nil {
		return err
	}
	p.name = file.Name.Name
	for _, group := range file.Comments {
		for _, comment := range group.List {
			if m := marker.FindStringSubmatch(comment.Text); m != nil && m[1] == "groupName" {
				p.of.group = m[2]
			} else if m != nil {
				p.of.name = m[2]
			}
		}
	}
	for _, d := range file.Decls {
		all, ok := d.(*ast.GenDecl)
		if !ok || all.Tok != token.TYPE {
			continue
		}
		for _, spec := range all.Specs {
			if spec, ok := spec.(*ast.TypeSpec); ok {
				p.types[spec.Name.Name] = &declared{spec, file.Imports, p}
			}
		}
	}
	return nil
}

// marker is a comment that says which group or version a package has.
var marker = regexp.MustCompile(`^//\s*\+(groupName|versionName)=(\S+)\s*$`)

var moduleLine = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)

// moduleOf returns the folder and the path of the module of a folder, empty
// without one.
func moduleOf(path string) (root, module string, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return "", "", err
	}
	for ; ; path = filepath.Dir(path) {
		text, err := os.ReadFile(filepath.Join(path, "go.mod"))
		switch {
		case err == nil:
			if m := moduleLine.FindSubmatch(text); m != nil {
				return path, string(m[1]), nil
			}
			return "", "", nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", "", err
		case filepath.Dir(path) == path:
			return "", "", nil
		}
	}
}

// Field returns the Go field of a field of objects, which is named by its JSON
// keys; [*] stands for items and values. If the path leads out of the types of
// the module, it is the last field on the way. Without any field it is the type
// of the kind.
func (t *Types) Field(group, versionName, kind string, path []string) (Field, bool) {
	p := t.versions[version{group, versionName}]
	if p == nil || p.types[kind] == nil {
		return Field{}, false
	}
	d := p.types[kind]
	found, at := Field{t.files.Position(d.Pos()), kind}, located{d.Type, d}
	for _, key := range path {
		at = t.underlying(at)
		if key == "[*]" {
			at.Expr = element(at.Expr)
			continue
		}
		field, in := t.member(at, key, nil)
		if field == nil {
			break
		}
		found = Field{t.files.Position(field.Pos()), in.Name.Name + "." + nameOf(field)}
		at = located{field.Type, in}
	}
	return found, true
}

// located is an expression with the declaration that it is in.
type located struct {
	ast.Expr
	in *declared
}

// underlying follows pointers and names to what they stand for.
func (t *Types) underlying(at located) located {
	for range 100 { // names may go in circles, though not in what compiles
		switch e := at.Expr.(type) {
		case *ast.StarExpr:
			at.Expr = e.X
		case *ast.ParenExpr:
			at.Expr = e.X
		case *ast.Ident, *ast.SelectorExpr:
			d := t.lookup(at)
			if d == nil {
				return located{nil, at.in}
			}
			at = located{d.Type, d}
		default:
			return at
		}
	}
	return located{nil, at.in}
}

// lookup returns the declaration of a name, nil if it is not in the module.
func (t *Types) lookup(at located) *declared {
	switch e := at.Expr.(type) {
	case *ast.Ident:
		return at.in.in.types[e.Name]
	case *ast.SelectorExpr:
		name, ok := e.X.(*ast.Ident)
		if !ok {
			return nil
		}
		for _, spec := range at.in.imports {
			if p := t.imported(at.in.in, spec); p != nil && name.Name == localName(spec, p) {
				return p.types[e.Sel.Name]
			}
		}
	}
	return nil
}

// localName returns the name of an imported package in a file.
func localName(spec *ast.ImportSpec, p *pkg) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return p.name
}

// imported returns a package of the same module, nil for others.
func (t *Types) imported(from *pkg, spec *ast.ImportSpec) *pkg {
	below, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, "\"`")+"/", from.module+"/")
	if !ok || from.module == "" {
		return nil
	}
	folder := filepath.Join(from.root, filepath.FromSlash(below))
	if here, err := os.Getwd(); err == nil {
		if local, err := filepath.Rel(here, folder); err == nil {
			folder = local
		}
	}
	p, _ := t.folder(folder) // a package that cannot be read ends the way
	return p
}

// element returns the type of items or values.
func element(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.ArrayType:
		return e.Elt
	case *ast.MapType:
		return e.Value
	}
	return nil
}

// member returns the field of a struct with a JSON key, and the declaration of
// the struct. Fields of embedded structs count as its own.
func (t *Types) member(at located, key string, above []ast.Expr) (*ast.Field, *declared) {
	at = t.underlying(at)
	s, ok := at.Expr.(*ast.StructType)
	if !ok || slices.Contains(above, at.Expr) {
		return nil, nil
	}
	var embedded []*ast.Field
	for _, field := range s.Fields.List {
		name, isInline := jsonKey(field)
		switch {
		case isInline:
			embedded = append(embedded, field)
		case name == key:
			return field, at.in
		}
	}
	for _, field := range embedded {
		inner := located{field.Type, at.in}
		if found, in := t.member(inner, key, append(above, at.Expr)); found != nil {
			return found, in
		}
	}
	return nil, nil
}

var jsonTag = regexp.MustCompile(`json:"([^",]*)([^"]*)"`)

// jsonKey returns the key of a field, or whether its own fields take its place.
func jsonKey(field *ast.Field) (key string, isInline bool) {
	if field.Tag != nil {
		if m := jsonTag.FindStringSubmatch(field.Tag.Value); m != nil {
			if m[1] != "" {
				return m[1], false
			}
			isInline = strings.Contains(m[2], ",inline")
		}
	}
	if len(field.Names) == 0 || isInline {
		return "", true
	}
	return field.Names[0].Name, false
}

// nameOf returns the name of a field, that of its type for an embedded one.
func nameOf(field *ast.Field) string {
	if len(field.Names) > 0 {
		return field.Names[0].Name
	}
	e := field.Type
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return "?"
}
