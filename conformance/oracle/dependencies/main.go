// Command dependencies runs the vectors and the cases of the library with other
// versions of the modules that answers depend on than it requires, and the
// tests of kube, kube/fake and kube/server with other versions of Kubernetes'
// libraries and of controller-runtime: those of package compared. It needs no
// real code.
//
//	go run ./dependencies          every row
//	go run ./dependencies ROW...   some rows, e.g. 0.36 kube-0.36
//	go run ./dependencies -list    prints the rows
//
// Each row is run with a copy of go.mod that has its versions. It fails if a
// test fails with any of them.
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
	for _, s := range subjects() {
		for _, row := range s.rows {
			named := flags.Args()
			if len(named) > 0 && !slices.Contains(named, row.Name) {
				continue
			}
			fmt.Fprintf(out, "%s: %s: %s\n", s.folder, row.Name, strings.Join(row.Modules, " "))
			if !*list && !s.compare(ctx, row, out) {
				failed++
			}
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d rows differ", failed)
	}
	return nil
}

// subject is a module whose tests are run with other versions.
type subject struct {
	folder string   // of the module, from the root of the repository
	tests  []string // arguments of go test
	rows   []compared.Row
}

func subjects() []subject {
	return []subject{
		{
			".", append([]string{"-run", tests}, packages()...),
			slices.Concat(compared.Rows(), compared.Next()),
		},
		{"kube", []string{"-short", "./..."}, compared.Pairs()},
		// The transcript, and the packages below, have built-in kinds of the
		// newest Kubernetes.
		{"kube/server", []string{"-short", "-skip", "^TestTranscript$", "."}, compared.Pairs()},
	}
}

// compare runs the tests with the versions of a row, and reports whether all
// passed.
func (s *subject) compare(ctx context.Context, row compared.Row, out io.Writer) bool {
	start := time.Now()
	passed, err := s.test(ctx, row, out)
	fmt.Fprintf(out, "%s: %d tests passed, %v, %.0f s\n", row.Name, passed, verdict(err),
		time.Since(start).Seconds())
	return err == nil
}

func verdict(err error) string {
	if err != nil {
		return "differences: " + err.Error()
	}
	return "0 differences"
}

// test runs the tests. It returns the number of tests that passed, with their
// subtests.
func (s *subject) test(ctx context.Context, row compared.Row, out io.Writer) (int, error) {
	temporary, err := os.MkdirTemp("", "crdsem-dependencies-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(temporary)
	modfile, err := copied(s.folder, temporary)
	if err != nil {
		return 0, err
	}
	steps := [][]string{
		append([]string{"get", "-modfile", modfile}, row.Modules...),
		{"mod", "tidy", "-modfile", modfile},
	}
	if replace := replaced(s.folder); len(replace) > 0 {
		edit := append([]string{"mod", "edit"}, append(replace, modfile)...)
		steps = append([][]string{edit}, steps...)
	}
	for _, args := range steps {
		if text, err := command(ctx, s.folder, modfile, args...).CombinedOutput(); err != nil {
			return 0, fmt.Errorf("go %s: %w: %s", args[0], err, text)
		}
	}
	text, err := command(ctx, s.folder, modfile, append([]string{
		"test", "-modfile", modfile, "-vet=off", "-count=1", "-timeout=30m", "-v",
	}, s.tests...)...).CombinedOutput()
	for line := range bytes.Lines(text) {
		if err != nil && isFailure(line) {
			fmt.Fprintf(out, "    %s", line)
		}
	}
	return bytes.Count(text, []byte("--- PASS: ")), err
}

// copied copies go.mod and go.sum of a module.
func copied(folder, to string) (modfile string, err error) {
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, folder, name))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(to, name), text, 0o600); err != nil {
			return "", err
		}
	}
	return filepath.Join(to, "go.mod"), nil
}

// replaced returns arguments of go mod edit: the other modules of the
// repository are those of the working tree.
func replaced(folder string) (args []string) {
	top, err := filepath.Abs(root)
	if err != nil {
		return nil
	}
	const module = "github.com/crdsem/crdsem"
	for _, other := range []string{"", "/kube", "/kube/server"} {
		if folder != "." && "/"+folder != other {
			args = append(args, "-replace="+module+other+"="+top+other)
		}
	}
	return args
}

// isFailure reports whether a line of go test is about a failure.
func isFailure(line []byte) bool {
	trimmed := bytes.TrimSpace(line)
	return bytes.HasPrefix(trimmed, []byte("--- FAIL")) || bytes.HasPrefix(line, []byte("FAIL")) ||
		bytes.Contains(line, []byte("_test.go:"))
}

// command returns the command go, alone in the folder of a module. With the
// versions of a row the module may need a newer Go than its own go.mod names,
// by which the command chooses.
func command(ctx context.Context, folder, modfile string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = filepath.Join(root, folder)
	toolchain := "auto"
	own, row := goOf(filepath.Join(cmd.Dir, "go.mod")), goOf(modfile)
	if row != "" && row != own {
		toolchain = "go" + row
	}
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOTOOLCHAIN="+toolchain,
		"GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod")
	return cmd
}

// goOf returns the version of Go that a go.mod names, "" if it cannot be read.
func goOf(file string) string {
	text, _ := os.ReadFile(file)
	_, rest, _ := strings.Cut(string(text), "\ngo ")
	version, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(version)
}
