package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// side is what an attack is run on.
type side string

const (
	ours     side = "ours"
	deadline side = "deadline" // this library, with a deadline
	theirs   side = "real"
)

func (s side) index() int {
	return map[side]int{ours: 0, deadline: 1, theirs: 2}[s]
}

const (
	allowed   = 100 * time.Millisecond // of the side deadline
	timeLimit = 60 * time.Second       // of a process
	heapLimit = 4 << 30                // of a process, in bytes
)

// result is what one run took.
type result struct {
	CPU     time.Duration // of the run, without its preparation
	Wall    time.Duration
	Outcome string // e.g. "admitted"
	peak    int64  // memory of the process in bytes, preparation included
	ran     bool
}

// measure runs one attack in this process.
func measure(ctx context.Context, name string, s side) (result, error) {
	limit := syscall.Rlimit{Cur: heapLimit, Max: heapLimit}
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &limit); err != nil {
		return result{}, err
	}
	for _, a := range attacks() {
		if a.name == name {
			return a.measure(ctx, s)
		}
	}
	return result{}, fmt.Errorf("no attack %q", name)
}

func (a *attack) measure(ctx context.Context, s side) (result, error) {
	prepare := a.prepare.ours
	if s == theirs {
		prepare = a.prepare.real
	}
	do, err := prepare()
	if err != nil {
		return result{}, err
	}
	runtime.GC()
	if s == deadline {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, allowed)
		defer cancel()
	}
	start, cpu := time.Now(), processorTime()
	outcome := do(ctx)
	out := result{CPU: processorTime() - cpu, Wall: time.Since(start), Outcome: outcome}
	return out, nil
}

// processorTime returns the processor time of this process.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// spawn runs one attack in a process of its own.
func spawn(ctx context.Context, name string, s side) result {
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(ctx, os.Args[0], "-child", string(s), "-only", name)
	command.Stdout, command.Stderr = &stdout, &stderr
	command.Env = append(os.Environ(), "GOMAXPROCS=2")
	err := command.Run()
	out := result{ran: true}
	if command.ProcessState != nil {
		if usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok {
			out.peak = usage.Maxrss << 10
			out.CPU = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		}
	}
	switch {
	case ctx.Err() != nil:
		out.Outcome = "over " + timeLimit.String()
	case err != nil && strings.Contains(stderr.String(), "out of memory"):
		out.Outcome = "out of memory"
	case err != nil && strings.Contains(stderr.String(), "stack exceeds"):
		out.Outcome = "stack overflow"
	case err != nil:
		out.Outcome = fmt.Sprintf("%v: %.200s", err, stderr.String())
	default:
		if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
			out.Outcome = err.Error()
		}
	}
	return out
}

// failed reports whether the process died.
func (r *result) failed() bool { return r.ran && r.Wall == 0 }
