// Command growth finds work that grows faster than its input. It makes each
// part of the input that can be long twice, four and eight times as long, e.g.
// the names of fields or the number of findings, and fits the exponents of the
// time and of the memory that is allocated: 1 is linear, 2 quadratic.
//
//	go run ./attacks/growth [-only PATTERN] [-security FILE]
//
// It fails if an exponent is over 1.2, unless the table "Faster than linear" of
// SECURITY.md has the place with its reason. Linux only.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	only := flag.String("only", "", "grow the places that match this `pattern`")
	security := flag.String("security", "../../SECURITY.md", "the `file` of exceptions")
	flag.Parse()
	if err := run(context.Background(), *only, *security); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only, security string) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	listed, err := exceptions(security)
	if err != nil {
		return err
	}
	limit := &syscall.Rlimit{Cur: mostMemory, Max: mostMemory}
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, limit); err != nil {
		return err
	}
	fmt.Println("| place | size | time | exponent | memory | exponent | |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- |")
	over := 0
	for _, p := range places() {
		if !pattern.MatchString(p.name) {
			continue
		}
		g, err := p.grow(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		remark := ""
		if g.isOver() {
			remark = "listed"
			if !listed[p.name] {
				remark = "OVER"
				over++
			}
		}
		last := g.runs[len(g.runs)-1]
		fmt.Printf("| %s | %d | %.3f s | %.2f | %.1f MB | %.2f | %s |\n", p.name, last.size,
			last.time.Seconds(), g.time, float64(last.bytes)/1e6, g.memory, remark)
	}
	if over > 0 {
		return fmt.Errorf("%d places grow faster than their input", over)
	}
	return nil
}

// exceptions returns the places that the table of a file lists.
func exceptions(file string) (map[string]bool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	_, table, found := strings.Cut(string(text), "### Faster than linear\n")
	if !found {
		return nil, errors.New(file + ` has no section "Faster than linear"`)
	}
	table, _, _ = strings.Cut(table, "\n#")
	listed := map[string]bool{}
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			listed[strings.TrimSpace(cells[1])] = true
		}
	}
	return listed, nil
}

// The limits of a run. Sizes start where a run takes leastTime, so that the
// clock and the garbage collector do not decide.
const (
	mostMemory = 8 << 30
	leastTime  = 4 * time.Millisecond
	longTime   = 10 * time.Second
	shortTime  = 20 * time.Millisecond
	// longPreparation ends the search for a size.
	longPreparation = 300 * time.Millisecond
	// largest keeps the longest inputs at the 3 MiB that a server takes: tables
	// of a million names outgrow the processor's caches, which looks like
	// growth.
	largest = 1 << 14

	repeats      = 3
	attempts     = 2
	mostExponent = 1.2
)

// place is a part of an input that can be long. The work of a size is prepared
// before it is measured.
type place struct {
	name    string
	prepare func(size int) (work func(ctx context.Context), err error)
}

// measured is one run.
type measured struct {
	size  int
	time  time.Duration // of the processor
	bytes uint64        // that were allocated
	// prepared is how long it took to make the input.
	prepared time.Duration
}

// growth is how a place grows.
type growth struct {
	runs         []measured
	time, memory float64 // exponents
}

// isOver reports whether an exponent is too large. Times that are short say
// nothing.
func (g *growth) isOver() bool {
	isLong := g.runs[len(g.runs)-1].time > shortTime
	return g.memory > mostExponent || g.time > mostExponent && isLong
}

// grow measures a place, and again from a larger size if it is over, because
// small times are not exact.
func (p *place) grow(ctx context.Context) (g *growth, err error) {
	size := 128
	for range attempts {
		if g, size, err = p.from(ctx, size); err != nil || !g.isOver() {
			return g, err
		}
		size = min(4*size, largest)
	}
	return g, nil
}

// from measures four sizes, from the first one on that takes long enough. It
// returns that one.
func (p *place) from(ctx context.Context, size int) (*growth, int, error) {
	first, err := p.measure(ctx, size, 1)
	for ; err == nil && first.time < leastTime && first.prepared < longPreparation &&
		4*size <= largest; size *= 4 {
		first, err = p.measure(ctx, 4*size, 1)
	}
	if err != nil {
		return nil, 0, err
	}
	g := &growth{}
	for _, factor := range []int{1, 2, 4, 8} {
		if len(g.runs) > 1 && g.runs[len(g.runs)-1].time > longTime {
			break // it is quadratic at least
		}
		next, err := p.measure(ctx, factor*size, repeats)
		if err != nil {
			return nil, 0, err
		}
		g.runs = append(g.runs, next)
	}
	g.time = exponent(g.runs, func(m measured) float64 { return m.time.Seconds() })
	g.memory = exponent(g.runs, func(m measured) float64 { return float64(m.bytes + 1) })
	return g, size, nil
}

// measure runs a size a number of times, and returns the least figures.
func (p *place) measure(ctx context.Context, size, times int) (measured, error) {
	least := measured{size: size, time: math.MaxInt64, bytes: math.MaxUint64}
	for range times {
		prepared := processorTime()
		work, err := p.prepare(size)
		least.prepared = processorTime() - prepared
		if err != nil {
			return least, err
		}
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := processorTime()
		work(ctx)
		least.time = min(least.time, processorTime()-start)
		runtime.ReadMemStats(&after)
		least.bytes = min(least.bytes, after.TotalAlloc-before.TotalAlloc)
		if least.time > time.Second {
			break
		}
	}
	return least, nil
}

// processorTime returns the processor time of this process.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// exponent fits the slope of a figure over the size, both as logarithms.
func exponent(runs []measured, figure func(measured) float64) float64 {
	var n, x, y, xx, xy float64
	for _, r := range runs {
		a, b := math.Log(float64(r.size)), math.Log(figure(r))
		n, x, y, xx, xy = n+1, x+a, y+b, xx+a*a, xy+a*b
	}
	if n < 2 {
		return math.Inf(1) // the first size took too long
	}
	return (n*xy - x*y) / (n*xx - x*x)
}
