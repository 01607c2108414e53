// Command bench measures this library next to the real code, in one process and
// one run, and prints one table. It also measures floors that neither can beat:
// copying an object, decoding its JSON, the size of a definition. Times are
// processor time on one core, the minimum of several passes over the whole
// workload. Compare the ratios, not the times.
//
//	go run ./bench [-corpus FOLDER] [-passes N] [-only PATTERN]
//	go run ./bench -check FILE     compare only ours with the floor; fail if a
//	                               ratio is more than a half worse than recorded
//	go run ./bench -record FILE    record those ratios
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/test/corpus"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	folder := flag.String("corpus", corpus.Path(), "the `folder` of definitions and objects")
	passes := flag.Int("passes", 5, "measure everything `N` times")
	only := flag.String("only", "", "measure the rows that match this `pattern`")
	check := flag.String("check", "", "compare the ratios to the floors with those of this `file`")
	record := flag.String("record", "", "write the ratios to the floors to this `file`")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	w, err := loadWorkload(ctx, *folder)
	if err != nil {
		return err
	}
	s := suite{workload: w, passes: *passes, pattern: pattern, alone: *check != "" || *record != ""}
	measured, err := s.measure(ctx)
	switch {
	case err != nil:
		return err
	case *record != "":
		return recordRatios(*record, measured)
	case *check != "":
		return checkRatios(*check, measured)
	}
	fmt.Println(s.describe())
	fmt.Println()
	printTable(os.Stdout, measured)
	return nil
}

// suite is what one run measures.
type suite struct {
	*workload
	passes  int
	pattern *regexp.Regexp
	alone   bool // the real code is left out
}

// describe returns the heading of the table.
func (s *suite) describe() string {
	load, _ := os.ReadFile("/proc/loadavg") // an unknown processor is left out
	return fmt.Sprintf(
		"%d definitions, %d objects (%d with rules, %d with a status), "+
			"%.1f MB of JSON; minimum of %d passes, load of the machine %s",
		len(s.definitions),
		len(s.objects),
		len(s.ruled),
		len(s.withStatus),
		float64(s.bytes)/1e6,
		s.passes,
		cmp.Or(
			strings.Join(strings.Fields(string(load))[:min(3, len(strings.Fields(string(load))))],
				" "),
			"unknown",
		),
	)
}

func (s *suite) measure(ctx context.Context) ([]measurement, error) {
	cores := runtime.GOMAXPROCS(1)
	percent := debug.SetGCPercent(200)
	var out []measurement
	for _, r := range append(objectRows(s.workload), definitionRows(s.workload)...) {
		if s.pattern.MatchString(r.name) {
			out = append(out, s.row(ctx, r))
		}
	}
	for _, m := range olderMinors() {
		if !s.alone && s.pattern.MatchString(admittedAs(m)) {
			out = append(out, s.row(ctx, minorRow(ctx, s.workload, m)))
		}
	}
	out = append(
		out,
		s.matching("retained", func() []measurement { return memoryRows(s.workload, s.alone) })...)
	if s.alone {
		return out, nil
	}
	debug.SetGCPercent(percent)
	out = append(
		out,
		s.matching("throughput",
			func() []measurement { return []measurement{concurrencyRow(ctx, s.workload)} })...)
	runtime.GOMAXPROCS(cores)
	var err error
	out = append(
		out,
		s.matching("program",
			func() (rows []measurement) { rows, err = programRows(); return rows })...)
	return out, err
}

// row measures a row and says so, for people who wait.
func (s *suite) row(ctx context.Context, r row) measurement {
	m := r.measure(ctx, s.passes, s.alone)
	fmt.Fprintln(os.Stderr, r.name)
	return m
}

// matching measures rows that belong together, if their common name matches.
func (s *suite) matching(name string, rows func() []measurement) []measurement {
	if !s.pattern.MatchString(name) {
		return nil
	}
	return rows()
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
