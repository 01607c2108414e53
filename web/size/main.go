// Command size says where the bytes of a WebAssembly program of Go are: its
// sections, and its code by module. Sizes are those of the bytes and of the
// bytes zipped alone. The program needs its section of names. The standard
// input has a line for each package: its import path and its module.
//
//	go run ./size crdsem.wasm < packages
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/crdsem/crdsem/web/internal/wasmfile"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: size PROGRAM < PACKAGES")
		os.Exit(2)
	}
	if err := run(os.Stdout, os.Args[1], os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, file string, packages io.Reader) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	sections, err := wasmfile.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	modules, err := readModules(packages)
	if err != nil {
		return err
	}
	code, err := codeOf(sections, modules)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	bodies := map[string][]byte{}
	for _, s := range sections {
		bodies[s.Name()] = s.Body
	}
	tables := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	writeSizes(tables, "section", bodies)
	writeSizes(tables, "code of", code)
	return tables.Flush()
}

// codeOf returns the code of each module.
func codeOf(sections []wasmfile.Section, modules modules) (map[string][]byte, error) {
	var functions [][]byte
	var imported int
	var names map[int]string
	var err error
	for _, s := range sections {
		var problem error
		switch {
		case s.Kind == wasmfile.Imports:
			imported, problem = wasmfile.Imported(s.Body)
		case s.Kind == wasmfile.Code:
			functions, problem = wasmfile.Bodies(s.Body)
		case s.Kind == wasmfile.Custom && s.Name() == "name":
			names, problem = wasmfile.FunctionNames(s.Body)
		}
		err = errors.Join(err, problem)
	}
	if len(names) == 0 && err == nil {
		err = errors.New("it has no names: build it without the flag -s of the linker")
	}
	code := map[string][]byte{}
	for i, body := range functions {
		module := modules.of(names[i+imported])
		code[module] = append(code[module], body...)
	}
	return code, err
}

// modules are the modules of packages, by the start of the names that the
// functions of a package have in a program.
type modules map[string]string

func readModules(packages io.Reader) (modules, error) {
	m := modules{}
	for lines := bufio.NewScanner(packages); ; {
		if !lines.Scan() {
			return m, lines.Err()
		}
		path, module, _ := strings.Cut(lines.Text(), " ")
		m[mangled(path)+"_"] = cmp.Or(module, "standard library")
	}
}

// of returns the module of a function, by the longest name that fits.
func (m modules) of(function string) string {
	name := mangled(function)
	for end := len(name); end > 0; end-- {
		if module, ok := m[name[:end]]; ok {
			return module
		}
	}
	return "made by the compiler"
}

// mangled returns a name as programs have it: the linker writes other
// characters as underscores.
func mangled(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
}

// writeSizes writes a table of parts, the largest one first.
func writeSizes(out io.Writer, title string, parts map[string][]byte) {
	type row struct {
		name        string
		size, gzips int
	}
	var rows []row
	for name, part := range parts {
		rows = append(rows, row{name, len(part), zipped(part)})
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(b.gzips-a.gzips, cmp.Compare(a.name, b.name))
	})
	fmt.Fprintf(out, "bytes\tzipped\t  %s\n", title)
	for _, r := range rows {
		fmt.Fprintf(out, "%d\t%d\t  %s\n", r.size, r.gzips, r.name)
	}
	fmt.Fprintln(out)
}

func zipped(data []byte) int {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	_, _ = w.Write(data)                                  // a buffer takes all
	_ = w.Close()
	return b.Len()
}
