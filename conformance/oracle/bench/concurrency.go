package main

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/crdsem/crdsem"
)

// concurrencyRow compares the throughput of two cores with that of one, for the
// objects of one definition. The best possible value is 2; other load on the
// machine reduces it. Each figure is the best of many short slices.
func concurrencyRow(ctx context.Context, w *workload) measurement {
	m := measurement{name: "throughput of two cores, admitting from JSON", unit: factor}
	if runtime.NumCPU() < 2 {
		return m
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	scaling := func(do func(*object)) float64 {
		best := [3]float64{}
		for range 20 {
			for _, cores := range []int{1, 2} {
				best[cores] = max(best[cores], throughput(w.objects, cores, do))
			}
		}
		return best[2] / best[1]
	}
	m.ours = scaling(
		func(o *object) {
			fine(o.version.CreateBytes(ctx, o.json, crdsem.Format(crdsem.JSON)).Admitted())
		},
	)
	m.real = scaling(
		func(o *object) { _, err := o.of.real.CreateJSON(ctx, o.name, o.json); must(err) },
	)
	return m
}

// throughput returns how many objects a number of goroutines handle per second,
// each on a core of its own.
func throughput(objects []*object, cores int, do func(*object)) float64 {
	const slice = 100 * time.Millisecond
	runtime.GOMAXPROCS(cores)
	var all sync.WaitGroup
	done := make([]int, cores)
	start := time.Now()
	for core := range cores {
		all.Go(func() {
			for time.Since(start) < slice {
				do(objects[(done[core]*7+core)%len(objects)])
				done[core]++
			}
		})
	}
	all.Wait()
	total := 0
	for _, n := range done {
		total += n
	}
	return float64(total) / time.Since(start).Seconds()
}
