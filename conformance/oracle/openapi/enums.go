package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// enums are the enums of properties, by the name of the function that makes
// the model's schema, e.g. schema_k8sio_api_core_v1_Container.
type enums struct {
	of   map[string]map[string][]any
	used map[string]bool
}

// readEnums reads the enums in the source of the generated schemas.
func readEnums(path string) (*enums, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	all := &enums{map[string]map[string][]any{}, map[string]bool{}}
	for _, decl := range parsed.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "schema_") {
			found := map[string][]any{}
			inProperties(f.Body, found)
			all.of[f.Name.Name] = found
		}
	}
	return all, nil
}

// inProperties finds the enums of the properties in a node. That of the items
// of a list has the name of the list with [].
func inProperties(n ast.Node, found map[string][]any) {
	ast.Inspect(n, func(n ast.Node) bool {
		pair, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		key, isName := pair.Key.(*ast.BasicLit)
		if !isName {
			return true
		}
		name, err := strconv.Unquote(key.Value)
		if err == nil {
			enumOf(pair.Value, name, found)
		}
		return err != nil
	})
}

// enumOf finds the enum of a property.
func enumOf(n ast.Node, name string, found map[string][]any) {
	ast.Inspect(n, func(n ast.Node) bool {
		pair, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		key, _ := pair.Key.(*ast.Ident)
		switch {
		case key == nil:
		case key.Name == "Items", key.Name == "AdditionalProperties":
			enumOf(pair.Value, name+"[]", found)
			return false
		case key.Name == "Enum":
			for _, e := range pair.Value.(*ast.CompositeLit).Elts {
				text, _ := strconv.Unquote(e.(*ast.BasicLit).Value)
				found[name] = append(found[name], text)
			}
			return false
		}
		return true
	})
}

// add adds the enums of a model to its schema.
func (e *enums) add(model string, schema map[string]any) {
	function := functionOf(model)
	e.used[function] = true
	properties, _ := schema["properties"].(map[string]any)
	for name, values := range e.of[function] {
		name, ofItems := strings.CutSuffix(name, "[]")
		at, _ := properties[name].(map[string]any)
		if ofItems && at["items"] != nil {
			at = at["items"].(map[string]any)
		} else if ofItems {
			at = at["additionalProperties"].(map[string]any)
		}
		at["enum"] = values
	}
}

// functionOf returns the name of the function that makes a model's schema, e.g.
// schema_k8sio_api_core_v1_Container for io.k8s.api.core.v1.Container. It has
// the last four parts of the package's path.
func functionOf(model string) string {
	const most = 4
	parts := strings.Split(strings.ReplaceAll(model, "-", "_"), ".")
	kind := parts[len(parts)-1]
	parts = append([]string{"k8sio"}, parts[2:len(parts)-1]...) // without io.k8s
	return "schema_" + strings.Join(parts[max(0, len(parts)-most):], "_") + "_" + kind
}

// unknown fails if a model has no function, because the names of functions are
// then others.
func (e *enums) unknown() error {
	missing := []string{}
	for name := range e.used {
		if e.of[name] == nil {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		return fmt.Errorf("no functions %s", strings.Join(missing, ", "))
	}
	return nil
}
