package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// options are the command's flags.
type options struct {
	root, match, cache, counts string
	time, slot                 time.Duration
	goal                       int64
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", ".", "the folder below which targets are looked for")
	flag.StringVar(&o.match, "match", "", "only targets that match, e.g. 'prune FuzzValue'")
	flag.StringVar(&o.cache, "cache", "", "the folder that keeps inputs (default GOCACHE/fuzz)")
	flag.StringVar(&o.counts, "counts", "", "a file to which executions are added")
	flag.DurationVar(&o.time, "time", 5*time.Minute, "the time of all targets together")
	flag.DurationVar(&o.slot, "slot", time.Minute, "the longest run of one target in a round")
	flag.Int64Var(&o.goal, "goal", 0, "go on until the counts add up to so many executions")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	failures, err := run(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(2)
	}
	if failures > 0 {
		os.Exit(1)
	}
}

// run fuzzes as the options say and returns how many targets failed.
func run(ctx context.Context, o options) (int, error) {
	targets, err := selected(o)
	if err != nil {
		return 0, err
	}
	if o.cache == "" {
		if o.cache, err = goCache(ctx); err != nil {
			return 0, err
		}
	}
	binaries, err := os.MkdirTemp("", "fuzz")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(binaries)
	s := session{options: o, runner: runner{root: o.root, binaries: binaries, cache: o.cache},
		before: map[target]int{}, executions: map[target]int64{}, failed: map[target]bool{}}
	if err := s.build(ctx, targets); err != nil {
		return 0, err
	}
	err = s.rounds(ctx, targets)
	s.print(targets)
	return len(s.failed), err
}

func selected(o options) ([]target, error) {
	pattern, err := regexp.Compile(o.match)
	if err != nil {
		return nil, err
	}
	targets, err := findTargets(o.root)
	if err != nil {
		return nil, err
	}
	targets = slices.DeleteFunc(targets, func(t target) bool {
		return !pattern.MatchString(t.String())
	})
	if len(targets) == 0 {
		return nil, fmt.Errorf("no target matches %q", o.match)
	}
	return targets, nil
}

func goCache(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOCACHE: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "fuzz"), nil
}

// A session is one run of the command.
type session struct {
	options
	runner runner
	before map[target]int // inputs kept before

	mu         sync.Mutex // guards what follows, and the file of counts
	executions map[target]int64
	failed     map[target]bool
}

func (s *session) build(ctx context.Context, targets []target) error {
	built := map[string]bool{}
	for _, t := range targets {
		s.before[t] = s.runner.kept(t)
		if !built[t.folder] {
			built[t.folder] = true
			if err := s.runner.build(ctx, t.folder); err != nil {
				return err
			}
		}
	}
	return nil
}

// rounds gives each target the same time, in rounds, until the time is over or
// the goal is reached. A target that failed gets no further time.
func (s *session) rounds(ctx context.Context, targets []target) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ends := time.Now().Add(s.time)
	for ctx.Err() == nil {
		left := slices.DeleteFunc(slices.Clone(targets), func(t target) bool { return s.failed[t] })
		share := s.slot
		if s.goal == 0 && len(left) > 0 {
			share = min(share, time.Until(ends)*time.Duration(workers)/time.Duration(len(left)))
		}
		share = share.Truncate(time.Second)
		if share < time.Second || len(left) == 0 {
			return nil
		}
		if err := s.round(ctx, stop, left, share); err != nil {
			return err
		}
	}
	return nil
}

// workers is how many targets run at the same time: one on each processor.
var workers = runtime.NumCPU()

// round runs each target once, side by side. It stops all when the goal is
// reached or an error occurs.
func (s *session) round(
	ctx context.Context, stop func(), targets []target, share time.Duration,
) error {
	queue := make(chan target, len(targets))
	for _, t := range targets {
		queue <- t
	}
	close(queue)
	errs := make([]error, workers)
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			for t := range queue {
				done, err := s.fuzz(ctx, t, share)
				if done || err != nil {
					errs[i] = err
					stop()
				}
				if ctx.Err() != nil {
					return
				}
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

// fuzz runs a target once and reports whether the goal is reached.
func (s *session) fuzz(ctx context.Context, t target, share time.Duration) (done bool, err error) {
	result, err := s.runner.fuzz(ctx, t, share)
	if err != nil {
		return false, fmt.Errorf("%s: %w", t, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.executions[t] += result.executions
	if result.failure != "" {
		s.failed[t] = true
		fmt.Printf("== %s\n%s\n", t, result.failure)
	}
	if s.counts == "" {
		return false, nil
	}
	counts, err := readCounts(s.counts)
	if err != nil {
		return false, err
	}
	counts[t.String()] += result.executions
	return s.goal > 0 && total(counts) >= s.goal, writeCounts(s.counts, counts)
}

func (s *session) print(targets []target) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "package\ttarget\texecutions\tinputs\tnew inputs\t")
	var sum int64
	for _, t := range targets {
		verdict := ""
		if s.failed[t] {
			verdict = "FAILED"
		}
		kept := s.runner.kept(t)
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\n", t.folder, t.name, s.executions[t], kept,
			kept-s.before[t], verdict)
		sum += s.executions[t]
	}
	fmt.Fprintf(w, "\tall\t%d\t\t\t\n", sum)
	w.Flush()
}
