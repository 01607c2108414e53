package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// minimize is how often an input is run to make it smaller.
const minimize = "50x"

// A runner runs targets of the packages below root.
type runner struct {
	root     string
	binaries string // folder of the compiled tests
	cache    string // folder of inputs that reach new code
}

// An outcome is what one run of a target did.
type outcome struct {
	executions int64
	failure    string // the fuzzer's output if an input failed
}

// instrumented are the packages in which the fuzzer sees what an input reaches.
// With all packages, as go test -fuzz has it, everything is compiled once more,
// the API server included, and executions take twice as long.
const instrumented = "-gcflags=github.com/crdsem/crdsem/...=-d=libfuzzer"

// build compiles the tests of a package for fuzzing.
func (r *runner) build(ctx context.Context, folder string) error {
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", instrumented, "-o",
		r.binary(folder), ".")
	cmd.Dir = filepath.Join(r.root, folder)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", folder, err, out)
	}
	return nil
}

func (r *runner) binary(folder string) string {
	return filepath.Join(r.binaries, strings.ReplaceAll(folder, "/", "_")+".test")
}

// inputs is the folder of the target's inputs. It is the folder where
// `go test -fuzz` has them, if the cache is the go command's.
func (r *runner) inputs(t target) string { return filepath.Join(r.packageCache(t), t.name) }

func (r *runner) packageCache(t target) string {
	return filepath.Join(r.cache, "github.com/crdsem/crdsem", t.folder)
}

// executed matches the fuzzer's count of executions.
var executed = regexp.MustCompile(`execs: (\d+)`)

// fuzz runs a target for about as long as given.
func (r *runner) fuzz(ctx context.Context, t target, share time.Duration) (outcome, error) {
	cmd := exec.CommandContext(ctx, r.binary(t.folder), "-test.run=^$",
		"-test.fuzz=^"+t.name+"$", "-test.fuzztime="+share.String(), "-test.parallel=1",
		"-test.fuzzminimizetime="+minimize, "-test.fuzzcachedir="+r.packageCache(t))
	cmd.Dir = filepath.Join(r.root, t.folder)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	result := outcome{}
	for _, match := range executed.FindAllSubmatch(out.Bytes(), -1) {
		result.executions, _ = strconv.ParseInt(string(match[1]), 10, 64) // digits
	}
	if err == nil || ctx.Err() != nil || endedByTime(out.String()) {
		return result, nil
	}
	if out.Len() == 0 {
		return result, err
	}
	result.failure = out.String()
	return result, nil
}

// endedByTime reports whether the fuzzer failed for its own deadline only,
// which it sometimes takes for a failure.
func endedByTime(out string) bool {
	return strings.Contains(out, "context deadline exceeded") &&
		!strings.Contains(out, "Failing input written") && !strings.Contains(out, "panic")
}

// kept counts the inputs that the fuzzer keeps for the target.
func (r *runner) kept(t target) int {
	entries, err := os.ReadDir(r.inputs(t))
	if err != nil {
		return 0 // nothing was kept yet
	}
	return len(entries)
}
