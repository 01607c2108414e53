package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const activePath = "github.com/crdsem/crdsem/tools/mutants/active"

// A binary is the test binary of a package, built with all mutants.
type binary struct {
	path    string // of the package
	dir     string // where its tests run
	file    string
	tests   []*test
	leftOut []string // tests that do not run
	judges  bool     // whether the tests count for every mutant
}

// A test is a test, an example, or a fuzz target with its seeds.
type test struct {
	name    string
	seconds float64      // of the processor, without any mutant
	reached map[int]bool // numbers of mutants
}

// overlay writes instrumented copies of all files with mutants, and the file
// that tells the go command of them.
func overlay(dir string, mutants []*mutant) (string, error) {
	files := map[*source][]*mutant{}
	for _, m := range mutants {
		files[m.file] = append(files[m.file], m)
	}
	replace := map[string]string{}
	for file, list := range files {
		copied := filepath.Join(dir, copyName(file))
		if err := os.WriteFile(copied, []byte(instrument(file, list)), 0o644); err != nil {
			return "", err
		}
		replace[file.path] = copied
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, text, 0o644)
}

// copyName returns the name of the file's instrumented copy.
func copyName(file *source) string { return strings.ReplaceAll(file.name, "/", "_") }

// compileError matches a line of the compiler's output.
var compileError = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: `)

// buildable builds the mutated packages and removes mutants that do not
// compile. A line with an error loses all mutants that
// include it.
func buildable(
	ctx context.Context,
	dir string,
	mutants []*mutant,
	packages []string,
) ([]*mutant, error) {
	for {
		file, err := overlay(dir, mutants)
		if err != nil {
			return nil, err
		}
		args := append([]string{"build", "-gcflags=-e", "-overlay", file}, packages...)
		out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput()
		if err == nil {
			return mutants, nil
		}
		before := len(mutants)
		for _, match := range compileError.FindAllStringSubmatch(string(out), -1) {
			line, _ := strconv.Atoi(match[2]) // digits
			mutants = slices.DeleteFunc(mutants, func(m *mutant) bool {
				return m.line <= line && line <= m.lastLine &&
					filepath.Base(match[1]) == copyName(m.file)
			})
		}
		if len(mutants) == before {
			return nil, fmt.Errorf("the instrumented packages do not build: %s", out)
		}
	}
}

// buildTests compiles the tests of the packages.
func buildTests(ctx context.Context, dir, overlay string, packages []listed) ([]*binary, error) {
	var binaries []*binary
	for _, p := range packages {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			name := strings.ReplaceAll(p.ImportPath, "/", "_") + ".test"
			binaries = append(binaries,
				&binary{path: p.ImportPath, dir: p.Dir, file: filepath.Join(dir, name)})
		}
	}
	failures := make([]error, len(binaries))
	parallel(len(binaries), func(i int) {
		b := binaries[i]
		cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w",
			"-overlay", overlay, "-o", b.file, b.path)
		if out, err := cmd.CombinedOutput(); err != nil {
			failures[i] = fmt.Errorf("%s: %s", b.path, out)
		}
	})
	return binaries, errors.Join(failures...)
}
