package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"text/tabwriter"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/conformance/oracle/kube"
)

// measurement is what one row took, per pass over the workload.
type measurement struct {
	row
	floor, real, ours time.Duration
}

// measure takes the least of several passes; the sides take turns, so that what else happens on the machine meets all.
// alone leaves the real code out.
func (r row) measure(ctx context.Context, passes int, alone bool) measurement {
	m := measurement{row: r}
	for range passes {
		least(&m.floor, ctx, r.floor)
		least(&m.ours, ctx, r.ours)
		if !alone {
			least(&m.real, ctx, r.real)
		}
	}
	return m
}

func least(best *time.Duration, ctx context.Context, do func(context.Context)) {
	if do == nil {
		return
	}
	runtime.GC()
	start := time.Now()
	do(ctx)
	if took := time.Since(start); *best == 0 || took < *best {
		*best = took
	}
}

func ratio(a, b time.Duration) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func printTable(out io.Writer, all []measurement) {
	w := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	fmt.Fprintln(w, "| what\t| floor\t| real code\t| ours\t| real : ours\t| ours : floor\t| target\t|")
	fmt.Fprintln(w, "| ---\t| ---\t| ---\t| ---\t| ---\t| ---\t| ---\t|")
	for _, m := range all {
		fmt.Fprintf(w, "| %s\t| %s %s\t| %s\t| %s\t| %.1f\t| %.2f\t| %s\t|\n", m.name, m.floorName, rounded(m.floor), rounded(m.real), rounded(m.ours),
			ratio(m.real, m.ours), ratio(m.ours, m.floor), m.target)
	}
	_ = w.Flush() // its writer does not fail where out does not
}

func rounded(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

// printMemory prints what ready definitions keep on the heap.
func printMemory(out io.Writer, w *workload) error {
	const copies = 20
	fmt.Fprintln(out, "\n| retained by a ready definition | real code | ours |\n| --- | --- | --- |")
	for _, name := range []string{"httproutes.gateway.networking.k8s.io.yaml", "prometheuses.monitoring.coreos.com.yaml"} {
		for _, d := range w.definitions {
			if filepath.Base(d.file) != name {
				continue
			}
			real := retained(copies, func() any {
				s, err := kube.NewServing(d.text)
				must(err)
				return s
			})
			ours := retained(copies, func() any { return ready(d.text) })
			fmt.Fprintf(out, "| %s | %.2f MB | %.2f MB |\n", name, real, ours)
			break
		}
	}
	return nil
}

// retained returns the megabytes that one of several made values keeps.
func retained(copies int, make func() any) float64 {
	keep := []any{make()} // what is shared by all exists before
	before := heap()
	for range copies {
		keep = append(keep, make())
	}
	after := heap()
	runtime.KeepAlive(keep)
	return float64(after-before) / float64(copies) / 1e6
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// recordRatios writes ours : floor of every row.
func recordRatios(file string, all []measurement) error {
	ratios := map[string]float64{}
	for _, m := range all {
		ratios[m.name] = ratio(m.ours, m.floor)
	}
	text, err := json.MarshalIndent(ratios, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// checkRatios fails where a ratio is worse by a half than the recorded one.
func checkRatios(file string, all []measurement) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	recorded := map[string]float64{}
	if err := json.Unmarshal(text, &recorded); err != nil {
		return err
	}
	var worse []error
	for _, m := range all {
		now := ratio(m.ours, m.floor)
		fmt.Printf("%-50s %.2f of the floor, recorded %.2f\n", m.name, now, recorded[m.name])
		if now > 1.5*recorded[m.name] {
			worse = append(worse, fmt.Errorf("%s: %.2f of the floor, recorded were %.2f", m.name, now, recorded[m.name]))
		}
	}
	return errors.Join(worse...)
}

func jsonOf(text string) []byte {
	out, err := yaml.YAMLToJSON([]byte(text))
	must(err)
	return out
}
