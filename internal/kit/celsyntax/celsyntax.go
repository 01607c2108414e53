// Package celsyntax reads the syntax of validation rules: without types, and
// without expanded macros.
package celsyntax

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/parser"
)

// Parse returns the syntax of a rule, nil if it does not parse.
func Parse(rule string) *ast.AST {
	// These options do not fail.
	p, _ := parser.NewParser(parser.EnableOptionalSyntax(true),
		parser.EnableIdentEscapeSyntax(true))
	parsed, errs := p.Parse(common.NewTextSource(rule))
	if len(errs.GetErrors()) > 0 {
		return nil
	}
	return parsed
}

// keywords cannot be names of fields in CEL.
var keywords = []string{
	"true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function",
	"if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while",
}

// escapes are the strings that CEL writes in another way in names of fields.
var escapes = []string{
	"__", "__underscores__", ".", "__dot__", "-", "__dash__", "/", "__slash__",
}

// Name returns how CEL writes the name of a field (CEL-030). It is the reverse
// of [Field].
func Name(field string) string {
	if slices.Contains(keywords, field) {
		return "__" + field + "__"
	}
	return strings.NewReplacer(escapes...).Replace(field)
}

// Field returns the field that a name of CEL stands for (CEL-030).
func Field(name string) string {
	name = strings.Trim(name, "`")
	for _, keyword := range keywords {
		if name == "__"+keyword+"__" {
			return keyword
		}
	}
	reversed := slices.Clone(escapes)
	slices.Reverse(reversed)
	return strings.NewReplacer(reversed...).Replace(name)
}
