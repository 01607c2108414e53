package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// load returns the packages of the module in a folder that users can import, by
// path. It compiles what is not compiled yet.
func load(folder string) ([]*types.Package, error) {
	own, err := list(folder, "-f", "{{.ImportPath}} {{.Name}}", "./...")
	if err != nil {
		return nil, err
	}
	compiled, err := list(folder, "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./...")
	if err != nil {
		return nil, err
	}
	lookup := func(path string) (io.ReadCloser, error) {
		file, ok := compiled[path]
		if !ok {
			return nil, fmt.Errorf("package %s is not listed", path)
		}
		return os.Open(file)
	}
	from := importer.ForCompiler(token.NewFileSet(), "gc", lookup)
	var packages []*types.Package
	for path, name := range own {
		isInternal := slices.Contains(strings.Split(path, "/"), "internal")
		if name == "main" || isInternal || compiled[path] == "" { // "": tests only
			continue
		}
		pkg, err := from.Import(path)
		if err != nil {
			return nil, err
		}
		packages = append(packages, pkg)
	}
	slices.SortFunc(packages, func(a, b *types.Package) int {
		return strings.Compare(a.Path(), b.Path())
	})
	return packages, nil
}

// list runs go list in a folder. It returns the second word of each line by the
// first one.
func list(folder string, args ...string) (map[string]string, error) {
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = folder
	out, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil, fmt.Errorf("go list in %s: %w: %s", folder, err, bytes.TrimSpace(failed.Stderr))
	}
	if err != nil {
		return nil, err
	}
	words := map[string]string{}
	for line := range strings.Lines(string(out)) {
		first, second, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		words[first] = second
	}
	return words, nil
}
