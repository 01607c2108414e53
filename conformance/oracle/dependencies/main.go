// Command dependencies runs the vectors and the cases of the library with other
// versions of the modules that answers depend on than it requires: those of
// package compared. It needs no real code.
//
//	go run ./dependencies          every row
//	go run ./dependencies ROW...   some rows, e.g. 0.36
//	go run ./dependencies -list    prints the rows
//
// Each row is a copy of go.mod with the versions of the row, next to the
// library's own. It fails if a test fails with any of them.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/crdsem/crdsem/internal/base/compared"
)

// root is the folder of the library.
const root = "../.."

// tests selects the tests that ask vectors and cases.
const tests = "Vectors|Cases|Recorded|Beta|Minors|KnownDifferences"

// packages returns the packages that ask vectors and cases.
func packages() []string {
	return []string{
		".", "./celrules/...", "./conformance/...", "./conversion/...", "./defaulting/...",
		"./definition/...", "./merge/...", "./objectmeta/...", "./prune/...",
		"./structural/...", "./validation/...", "./versionsort/...",
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("dependencies", flag.ContinueOnError)
	list := flags.Bool("list", false, "print the rows")
	if err := flags.Parse(args); err != nil {
		return err
	}
	failed := 0
	for _, row := range compared.Rows() {
		if named := flags.Args(); len(named) > 0 && !slices.Contains(named, row.Name) {
			continue
		}
		fmt.Fprintf(out, "%s: %s\n", row.Name, strings.Join(row.Modules, " "))
		if *list {
			continue
		}
		start := time.Now()
		passed, err := compare(ctx, row, out)
		fmt.Fprintf(out, "%s: %d tests passed, %v, %.0f s\n", row.Name, passed,
			verdict(err), time.Since(start).Seconds())
		if err != nil {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d rows differ", failed)
	}
	return nil
}

func verdict(err error) string {
	if err != nil {
		return "differences: " + err.Error()
	}
	return "0 differences"
}

// compare runs the tests with the versions of a row. It returns the number of
// tests that passed, with their subtests.
func compare(ctx context.Context, row compared.Row, out io.Writer) (int, error) {
	folder, err := os.MkdirTemp("", "crdsem-dependencies-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // temporary
	modfile := filepath.Join(folder, "go.mod")
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return 0, err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return 0, err
		}
	}
	get := append([]string{"get", "-modfile", modfile}, row.Modules...)
	if text, err := command(ctx, get...).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("go get: %w: %s", err, text)
	}
	test := command(ctx, append([]string{
		"test", "-modfile", modfile, "-vet=off", "-count=1", "-timeout=30m", "-v",
		"-run", tests,
	}, packages()...)...)
	text, err := test.CombinedOutput()
	for line := range bytes.Lines(text) {
		if isFailure(line) {
			fmt.Fprintf(out, "    %s", line)
		}
	}
	return bytes.Count(text, []byte("--- PASS: ")), err
}

// isFailure reports whether a line of go test is about a failure.
func isFailure(line []byte) bool {
	trimmed := bytes.TrimSpace(line)
	return bytes.HasPrefix(trimmed, []byte("--- FAIL")) || bytes.HasPrefix(line, []byte("FAIL")) ||
		bytes.Contains(line, []byte("_test.go:"))
}

// command returns the command go, alone in the library's folder.
func command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod")
	return cmd
}
