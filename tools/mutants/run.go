package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// memory is the address space that a test may use, in KiB: a mutant that
// allocates without end must not take the machine with it.
const memory = 8 << 20

// An ending is how the tests of a package ended.
type ending int

const (
	passed ending = iota
	failed
	timedOut
)

// patience is how many times their processor time tests may take on a machine
// that does other work. It ends tests that wait for each other.
const patience = 10

// run runs tests of a binary with the environment given. The limit is one of
// processor time, which does not depend on what else the machine does. The
// second result is the time taken.
func (b *binary) run(
	ctx context.Context,
	limit time.Duration,
	tests []string,
	env ...string,
) (ending, time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience*limit)
	defer cancel()
	seconds := int(math.Ceil(limit.Seconds()))
	script := fmt.Sprintf(`ulimit -v %d; ulimit -t %d; exec "$0" "$@"`, memory, seconds)
	cmd := exec.CommandContext(ctx, "sh", "-c", script, b.file, "-test.short", "-test.failfast",
		"-test.run", "^("+strings.Join(tests, "|")+")$")
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	var took time.Duration
	if state := cmd.ProcessState; state != nil {
		took = state.UserTime() + state.SystemTime()
	}
	switch {
	case ctx.Err() != nil, err != nil && took >= limit:
		return timedOut, took
	case err != nil:
		return failed, took
	}
	return passed, took
}

// baseline runs each test without any mutant, and records which mutants it
// reaches. Tests that fail are left out: they count allocations, say, which
// the instrumentation changes. So are tests that take longer than the limit.
func (b *binary) baseline(ctx context.Context, longest time.Duration) error {
	names, err := b.list(ctx)
	if err != nil {
		return err
	}
	tests, failures := make([]*test, len(names)), make([]error, len(names))
	parallel(len(names), func(i int) {
		tests[i], failures[i] = b.alone(ctx, longest, names[i])
	})
	for i, t := range tests {
		if t != nil {
			b.tests = append(b.tests, t)
		} else {
			b.leftOut = append(b.leftOut, names[i])
		}
	}
	return errors.Join(append(failures, ctx.Err())...)
}

// alone runs a test without any mutant. It returns nil if the test fails.
func (b *binary) alone(ctx context.Context, longest time.Duration, name string) (*test, error) {
	file := b.file + "." + name
	end, took := b.run(ctx, longest, []string{name}, "CRDSEM_REACHED="+file)
	reached, err := numbers(file)
	if err != nil || end != passed {
		return nil, err
	}
	return &test{name: name, seconds: took.Seconds(), reached: reached}, nil
}

// list returns the names of the tests, examples and fuzz targets.
func (b *binary) list(ctx context.Context) ([]string, error) {
	cmd := exec.CommandContext(ctx, b.file, "-test.list", "^(Test|Example|Fuzz)")
	cmd.Dir = b.dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.path, err)
	}
	return strings.Fields(string(out)), nil
}

// numbers reads a file of numbers, one on each line, and removes it. A missing
// file has none.
func numbers(file string) (map[int]bool, error) {
	defer func() { _ = os.Remove(file) }()
	set := map[int]bool{}
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for _, word := range strings.Fields(string(text)) {
		if n, err := strconv.Atoi(word); err == nil {
			set[n] = true
		}
	}
	return set, nil
}

// A batch is tests of one binary that run in one process.
type batch struct {
	binary  *binary
	tests   []string
	seconds float64
}

// quick is the time of a test that runs before slower ones, in seconds.
const quick = 1

// homes returns the folder of a mutant's package, and that of the package that
// it is internal to, e.g. generate for generate/internal/objectgen. They are
// relative to the root.
func (m *mutant) homes() []string {
	dir := path.Dir(m.file.name)
	if outer, _, isInternal := strings.Cut(dir, "/internal/"); isInternal {
		return []string{dir, outer}
	}
	return []string{dir}
}

// isHome reports whether the tests of a folder are those of the mutant.
func (m *mutant) isHome(dir string) bool {
	root := strings.TrimSuffix(m.file.path, filepath.FromSlash(m.file.name))
	return slices.ContainsFunc(m.homes(), func(home string) bool {
		return filepath.Join(root, filepath.FromSlash(home)) == dir
	})
}

// batches returns the tests that reach the mutant, quick ones before slow ones.
// Those of other packages are left out unless they are judges.
func batches(m *mutant, binaries []*binary) (list []batch) {
	for _, slow := range []bool{false, true} {
		var round []batch
		for _, b := range binaries {
			if !b.judges && !m.isHome(b.dir) {
				continue
			}
			next := batch{binary: b}
			for _, t := range b.tests {
				if t.reached[m.id] && (t.seconds > quick) == slow {
					next.tests = append(next.tests, t.name)
					next.seconds += t.seconds
				}
			}
			if len(next.tests) > 0 {
				round = append(round, next)
			}
		}
		slices.SortStableFunc(round, func(a, b batch) int {
			return cmp.Compare(a.seconds, b.seconds)
		})
		list = append(list, round...)
	}
	return list
}

// A verdict is the outcome of a mutant.
type verdict struct {
	killer  string // the package whose tests failed; empty if all passed
	reached bool
	timeout bool
}

// kill runs the tests that reach the mutant until one fails.
func (m *mutant) kill(ctx context.Context, binaries []*binary) {
	for _, b := range batches(m, binaries) {
		m.verdict.reached = true
		limit := time.Duration((10 + 10*b.seconds) * float64(time.Second))
		end, _ := b.binary.run(ctx, limit, b.tests, fmt.Sprintf("CRDSEM_MUTANT=%d", m.id))
		if end != passed {
			m.verdict.killer, m.verdict.timeout = b.binary.path, end == timedOut
			return
		}
	}
}
