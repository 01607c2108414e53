package main

import (
	"context"
	"runtime"
	"syscall"
	"time"
)

// row is one thing that is measured. A side that is nil is not there.
type row struct {
	name              string
	floorName         string
	floor, real, ours func(context.Context)
	target            target
}

// measurement is what one row took: seconds, bytes or a number, as its unit says.
type measurement struct {
	name, floorName   string
	unit              unit
	floor, real, ours float64 // 0: not measured
	target            target
}

// measure takes the least processor time of several passes over the workload; the sides take turns, so that what else happens on the machine
// meets all. alone leaves the real code out.
func (r *row) measure(ctx context.Context, passes int, alone bool) measurement {
	sides := []*side{{do: r.floor}, {do: r.ours}, {do: r.real}}
	if alone {
		sides = sides[:2]
	}
	for _, s := range sides {
		if s.do != nil {
			s.do(ctx) // what is compiled at the first use is compiled
		}
	}
	for range passes {
		for _, s := range sides {
			s.pass(ctx)
		}
	}
	m := measurement{name: r.name, floorName: r.floorName, unit: seconds, target: r.target, floor: sides[0].least, ours: sides[1].least}
	if !alone {
		m.real = sides[2].least
	}
	return m
}

// side is one of the things that are compared in a row.
type side struct {
	do    func(context.Context)
	times int // how often it is done in one pass
	least float64
}

// shortest is what a pass takes at least: shorter ones would measure the clock.
const shortest = 100 * time.Millisecond

func (s *side) pass(ctx context.Context) {
	if s.do == nil {
		return
	}
	took := s.timed(ctx)
	if s.least == 0 || took < s.least {
		s.least = took
	}
}

// timed returns how long it takes to do it once. The first time it finds out how often to do it.
func (s *side) timed(ctx context.Context) float64 {
	if s.times == 0 {
		s.times = 1
		first := s.run(ctx)
		if s.times = 1 + int(shortest/(first+1)); s.times == 1 {
			return first.Seconds()
		}
	}
	return s.run(ctx).Seconds() / float64(s.times)
}

func (s *side) run(ctx context.Context) time.Duration {
	runtime.GC()
	start := processorTime()
	for range s.times {
		s.do(ctx)
	}
	return processorTime() - start
}

// processorTime is what this process has used of the processors so far, its garbage collection included. Other processes do not count.
func processorTime() time.Duration {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// ratio is 0 where one of the two was not measured.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
