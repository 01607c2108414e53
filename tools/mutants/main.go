package main

import (
	"bufio"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// judges are the packages whose tests count for every mutant: the facade and
// the vectors.
const judges = ". ./conformance"

// everything names the packages that users import, and what they consist of.
var everything = []string{"./...", "./kube/..."}

// notMutated are the packages that hold tests, or what only tests need.
var notMutated = []string{"/conformance/", "/examples/", "/crdsem/fuzz/", "/internal/test/",
	"/celrules/internal/celtable/", "/crdsem/minors/", "/testdata/", "/kube/cmd/"}

//go:embed equivalent.txt
var equivalentText string

func main() {
	count := flag.Int("n", 40, "mutants of each package")
	seed := flag.Uint64("seed", 1, "the seed that selects them")
	longest := flag.Duration("longest", 90*time.Second,
		"the processor time of the longest test that is run")
	tests := flag.String("tests", judges,
		"the packages whose tests run besides the mutant's own, separated by spaces")
	only := flag.String("only", "", "a file of mutants to run, e.g. the output of another run")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	survivors, err := run(ctx, flag.Args(),
		selection{*count, *seed, *only, strings.Fields(*tests), *longest})
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
	if survivors > 0 {
		os.Exit(1)
	}
}

// A selection says which mutants and which tests run.
type selection struct {
	count   int // of mutants in each package
	seed    uint64
	only    string        // a file of mutants, instead of a sample
	tests   []string      // patterns of packages
	longest time.Duration // processor time of a test
}

// run tests a sample of the mutants of the packages, those of all packages if
// none are named. It returns how many of them survived without being known as
// equivalent.
func run(ctx context.Context, patterns []string, s selection) (int, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if len(patterns) == 0 {
		if patterns, err = mutated(); err != nil {
			return 0, err
		}
	}
	packages, err := load(patterns)
	if err != nil {
		return 0, err
	}
	mutants, err := selected(packages, s)
	if err != nil {
		return 0, err
	}
	mutants, err = buildable(ctx, dir, mutants, patterns)
	if err != nil {
		return 0, err
	}
	fmt.Printf("%d mutants of %d packages, seed %d\n", len(mutants), len(packages), s.seed)
	r := report{equivalent: equivalents(), rows: map[string]*row{}}
	mutants = slices.DeleteFunc(mutants, func(m *mutant) bool {
		known := r.equivalent[m.String()]
		if known {
			r.add(m)
		}
		return known
	})
	left, err := rounds(ctx, dir, mutants, s, &r)
	if err != nil {
		return 0, err
	}
	for _, m := range left {
		r.add(m)
	}
	r.print()
	return len(left), ctx.Err()
}

// mutated returns the packages whose code is changed if none are named.
func mutated() ([]string, error) {
	all, err := goList(everything...)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, p := range all {
		if !slices.ContainsFunc(notMutated, func(s string) bool {
			return strings.Contains(p.ImportPath+"/", s)
		}) {
			paths = append(paths, p.ImportPath)
		}
	}
	return paths, nil
}

// rounds runs the tests of the mutants' own packages, and on those that survive
// the tests that count for all. It returns the mutants that survive both.
func rounds(
	ctx context.Context, dir string, mutants []*mutant, s selection, r *report,
) ([]*mutant, error) {
	own := map[string]bool{}
	for _, m := range mutants {
		for _, dir := range m.homes() {
			own["./"+dir] = true
		}
	}
	for i, patterns := range [][]string{slices.Sorted(maps.Keys(own)), s.tests} {
		if len(patterns) == 0 || len(mutants) == 0 {
			continue
		}
		binaries, err := prepare(ctx, dir, patterns, s.longest)
		if err != nil {
			return nil, err
		}
		for _, b := range binaries {
			b.judges = i > 0
		}
		parallel(len(mutants), func(i int) { mutants[i].kill(ctx, binaries) })
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		mutants = slices.DeleteFunc(mutants, func(m *mutant) bool {
			killed := m.verdict.killer != ""
			if killed {
				r.add(m)
			}
			return killed
		})
		fmt.Printf("%d are left\n", len(mutants))
	}
	return mutants, nil
}

// parallel calls work with each index below n, for as many at once as there are
// processors.
func parallel(n int, work func(i int)) {
	var workers sync.WaitGroup
	indexes := make(chan int)
	for range runtime.NumCPU() {
		workers.Go(func() {
			for i := range indexes {
				work(i)
			}
		})
	}
	for i := range n {
		indexes <- i
	}
	close(indexes)
	workers.Wait()
}

// selected returns the mutants that run, with their numbers.
func selected(packages []*pkg, s selection) ([]*mutant, error) {
	if s.only == "" {
		return sample(packages, s), nil
	}
	text, err := os.ReadFile(s.only)
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if place, ok := strings.CutPrefix(line, survived); ok {
			_, line, _ = strings.Cut(place, " ")
		}
		named[line] = true
	}
	s.count = math.MaxInt
	all := slices.DeleteFunc(sample(packages, s), func(m *mutant) bool {
		return !named[m.String()]
	})
	return all, nil
}

// sample selects mutants of each package and numbers them: one of each package,
// then another of each, so that a run that is interrupted has some of all.
func sample(packages []*pkg, s selection) (mutants []*mutant) {
	lists := make([][]*mutant, len(packages))
	for i, p := range packages {
		list := find(p)
		random := rand.New(rand.NewPCG(s.seed, hash(p.path)))
		random.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		lists[i] = list
	}
	longest := 0
	for _, list := range lists {
		longest = max(longest, len(list))
	}
	for round := range min(s.count, longest) {
		for _, list := range lists {
			if round < len(list) {
				mutants = append(mutants, list[round])
				list[round].id = len(mutants)
			}
		}
	}
	return mutants
}

// hash spreads the seeds of packages.
func hash(path string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(path)) // never fails
	return h.Sum64()
}

// prepare builds the tests of the packages and runs each once.
func prepare(
	ctx context.Context, dir string, patterns []string, longest time.Duration,
) ([]*binary, error) {
	all, err := goList(patterns...)
	if err != nil {
		return nil, err
	}
	binaries, err := buildTests(ctx, dir, filepath.Join(dir, "overlay.json"), all)
	if err != nil {
		return nil, err
	}
	for _, b := range binaries {
		if err := b.baseline(ctx, longest); err != nil {
			return nil, err
		}
		fmt.Printf("%s: %d tests; left out: %s\n", b.path, len(b.tests),
			strings.Join(b.leftOut, " "))
	}
	return binaries, nil
}

// equivalents returns the mutants that change nothing that can be observed.
// Each line of equivalent.txt is the name of one; indented lines give the
// reason.
func equivalents() map[string]bool {
	known := map[string]bool{}
	lines := bufio.NewScanner(strings.NewReader(equivalentText))
	for lines.Scan() {
		if line := lines.Text(); line != "" && line[0] != '#' && line[0] != '\t' {
			known[line] = true
		}
	}
	return known
}

// A row counts the mutants of a package.
type row struct{ all, killed, equivalent, timeouts int }

// survived begins a line of the output that names a mutant.
const survived = "survived: "

// A report counts verdicts by package.
type report struct {
	equivalent map[string]bool
	rows       map[string]*row
}

func (r *report) add(m *mutant) {
	own := path.Dir(m.file.name)
	at := r.rows[own]
	if at == nil {
		at = &row{}
		r.rows[own] = at
	}
	at.all++
	switch {
	case m.verdict.killer != "":
		at.killed++
		if m.verdict.timeout {
			at.timeouts++
		}
	case r.equivalent[m.String()]:
		at.equivalent++
	default:
		fmt.Printf(survived+"%s:%d: %s\n", m.file.name, m.line, m)
		if !m.verdict.reached {
			fmt.Println("\tno test reaches it")
		}
	}
}

// print writes the table: equivalent mutants count neither as killed nor as
// survived.
func (r *report) print() {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "package\tmutants\tkilled\tof these by time\tequivalent\tsurvived\tkilled")
	var sum row
	for _, own := range slices.Sorted(maps.Keys(r.rows)) {
		at := r.rows[own]
		at.print(w, own)
		sum.all, sum.killed = sum.all+at.all, sum.killed+at.killed
		sum.equivalent, sum.timeouts = sum.equivalent+at.equivalent, sum.timeouts+at.timeouts
	}
	sum.print(w, "all")
	w.Flush()
}

func (r row) print(w *tabwriter.Writer, name string) {
	survived := r.all - r.killed - r.equivalent
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%.1f %%\n", name, r.all, r.killed, r.timeouts,
		r.equivalent, survived, 100*float64(r.killed)/float64(max(r.all-r.equivalent, 1)))
}
