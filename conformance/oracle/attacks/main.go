// Command attacks sends hostile definitions, objects, patches and rules to this
// library and to the real code, and prints one table: processor time, memory,
// and the processor time of this library under a deadline of 100 ms. Each run
// is a process of its own, with limits on its time and memory. Linux only.
//
//	go run ./attacks [-only PATTERN] [-real=false]
//
// It fails if a row is over its bounds: this library may take three times the
// processor time of the real code, or three seconds if that is more; 1.5 GiB of
// memory; and two seconds after the deadline, for the step that it is in: 3 MB
// of dense YAML are decoded in 1.3 seconds.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"

	"k8s.io/klog/v2"
)

func main() {
	klog.LogToStderr(false) // the real code's log
	klog.SetOutput(io.Discard)
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "attacks:", err)
		os.Exit(1)
	}
}

// errOver means that rows are over their bounds.
var errOver = errors.New("rows marked with ! are over their bounds")

func run(ctx context.Context) error {
	only := flag.String("only", "", "run the attacks that match this `pattern`")
	real := flag.Bool("real", true, "run the real code too")
	child := flag.String("child", "", "run one attack in this process, on one `side`")
	flag.Parse()
	if *child != "" {
		out, err := measure(ctx, *only, side(*child))
		return cmp.Or(err, json.NewEncoder(os.Stdout).Encode(out))
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	sides := []side{ours, deadline}
	if *real {
		sides = append(sides, theirs)
	}
	over := false
	printHead()
	for _, a := range attacks() {
		if !pattern.MatchString(a.name) {
			continue
		}
		r := row{attack: a}
		for _, s := range sides {
			if s == theirs && a.prepare.real == nil {
				continue
			}
			r.results[s.index()] = spawn(ctx, a.name, s)
		}
		over = r.print() || over
	}
	if over {
		return errOver
	}
	return nil
}
