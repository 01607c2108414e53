package main

import (
	"context"
	"runtime"
	"syscall"
	"time"
)

// row is one thing to measure. A side that is nil is not measured.
type row struct {
	name              string
	floorName         string
	floor, real, ours func(context.Context)
	target            target
}

// measurement is the result of one row: seconds, bytes or a number, as its unit
// says.
type measurement struct {
	name, floorName   string
	unit              unit
	floor, real, ours float64 // 0: not measured
	target            target
}

// measure takes the minimum processor time of several passes over the workload.
// The sides take turns, so that other load on the machine affects all of them.
// alone leaves the real code out.
func (r *row) measure(ctx context.Context, passes int, alone bool) measurement {
	sides := []*side{{do: r.floor}, {do: r.ours}, {do: r.real}}
	if alone {
		sides = sides[:2]
	}
	for _, s := range sides {
		if s.do != nil {
			s.do(ctx) // compiles what is compiled at first use
		}
	}
	for range passes {
		for _, s := range sides {
			s.pass(ctx)
		}
	}
	m := measurement{
		name:      r.name,
		floorName: r.floorName,
		unit:      seconds,
		target:    r.target,
		floor:     sides[0].least,
		ours:      sides[1].least,
	}
	if !alone {
		m.real = sides[2].least
	}
	return m
}

// side is one of the things that a row compares.
type side struct {
	do    func(context.Context)
	times int // repetitions in one pass
	least float64
}

// shortest is the minimum length of a pass. Shorter ones would measure the
// clock.
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

// timed returns the time of one repetition. The first call finds the number of
// repetitions.
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

// processorTime returns the processor time that this process has used so far,
// garbage collection included. Other processes do not count.
func processorTime() time.Duration {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// ratio returns 0 if one of the two was not measured.
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
