package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
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
	timeLimit = 60                     // of a process, in seconds of processor time
	patience  = 20 * time.Minute       // with a process
	heapLimit = 4 << 30                // of a process, in bytes
)

// result is what one run took.
type result struct {
	CPU     time.Duration // of the run, without its preparation
	Peak    int64         // memory of the run in bytes, without its preparation
	Outcome string        // e.g. "admitted"
	ran     bool
	died    bool
}

// measure runs one attack in this process.
func measure(ctx context.Context, name string, s side) (result, error) {
	for resource, limit := range map[int]uint64{
		syscall.RLIMIT_DATA: heapLimit, syscall.RLIMIT_CPU: timeLimit,
	} {
		if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			return result{}, err
		}
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
	debug.FreeOSMemory()
	before := memory("VmRSS")
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		return result{}, err // VmHWM does not start again
	}
	if s == deadline {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, allowed)
		defer cancel()
	}
	cpu := processorTime()
	outcome := do(ctx)
	return result{
		CPU: processorTime() - cpu, Peak: memory("VmHWM") - before, Outcome: outcome,
	}, nil
}

// memory returns a figure of this process in bytes, e.g. VmHWM for the most
// memory that it had.
func memory(name string) int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), name+":")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kilobytes, _ := strconv.ParseInt(fields[0], 10, 64)
	return kilobytes << 10
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
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(ctx, os.Args[0], "-child", string(s), "-only", name)
	command.Stdout, command.Stderr = &stdout, &stderr
	command.Env = append(os.Environ(), "GOMAXPROCS=2")
	err := command.Run()
	out := result{ran: true}
	if command.ProcessState != nil {
		if usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok {
			out.Peak = usage.Maxrss << 10
			out.CPU = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		}
	}
	out.died = err != nil
	switch {
	case ctx.Err() != nil, out.CPU >= (timeLimit-1)*time.Second:
		out.Outcome = fmt.Sprintf("over %d s", timeLimit)
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
