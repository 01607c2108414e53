// Command load measures crdsem-server, and beside it kube-apiserver with etcd,
// in one run: the processor time of writes, memory, and how long a write takes
// while many watches begin. The clients are in this process, so that the time
// of a server is its own. Linux only.
//
//	go run ./load -server PATH [-apiserver PATH] [-n N] [-watches W]
//
// The etcd is that of PATH, and syncs no file. A kube-apiserver is built by
// build.sh.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"text/tabwriter"
	"time"
)

// settings say what is measured.
type settings struct {
	server, apiserver string
	objects, watches  int
}

func main() {
	var s settings
	flag.StringVar(&s.server, "server", "", "the crdsem-server")
	flag.StringVar(&s.apiserver, "apiserver", "", "the kube-apiserver, if any")
	flag.IntVar(&s.objects, "n", 20_000, "how many objects are created")
	flag.IntVar(&s.watches, "watches", 200, "how many watches begin at once")
	flag.Parse()
	if err := run(context.Background(), s); err != nil {
		log.Fatal(err)
	}
}

// run measures the servers and prints a table.
func run(ctx context.Context, s settings) (err error) {
	dir, err := os.MkdirTemp("", "load")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, of := range []struct {
		path  string
		start func(ctx context.Context, path, dir string) (*target, error)
	}{{s.server, startOurs}, {s.apiserver, startReal}} {
		if of.path == "" {
			continue
		}
		if err := measure(ctx, s, out, func() (*target, error) {
			return of.start(ctx, of.path, dir)
		}); err != nil {
			return fmt.Errorf("%s: %w", of.path, err)
		}
	}
	return out.Flush()
}

// measure measures one server.
func measure(
	ctx context.Context, s settings, out *tabwriter.Writer, start func() (*target, error),
) (err error) {
	t, err := start()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.stop()) }()
	began, idle := t.used()
	fmt.Fprintf(out, "%s\tstart\t%.2f s of processor time\t%d MB\n", t.name, began.Seconds(), idle)
	if err := t.define(ctx); err != nil {
		return err
	}
	began, _ = t.used()
	longest, size, err := t.create(ctx, "a", s.objects)
	if err != nil {
		return err
	}
	used, memory := t.used()
	used -= began
	fmt.Fprintf(out, "%s\t%d writes by 8 clients\t%.0f writes a second of processor time\t"+
		"%d MB, %.1f KB an object of %d bytes\tlongest %d ms\n", t.name, s.objects,
		float64(s.objects)/used.Seconds(), memory,
		float64(memory-idle)*(1<<20)/1e3/float64(s.objects), size, longest.Milliseconds())
	return t.watched(ctx, s, out)
}

// watched begins many watches of all objects at once and measures writes
// meanwhile.
func (t *target) watched(ctx context.Context, s settings, out *tabwriter.Writer) error {
	const writes = 1000
	began, _ := t.used()
	before := time.Now()
	events := t.follow(ctx, s.watches)
	longest, _, err := t.create(ctx, "b", writes)
	if err != nil {
		return err
	}
	wrote := time.Since(before)
	all := int64(s.watches) * int64(s.objects+writes)
	failed := events.wait(ctx, all, cmp.Or(t.patience, time.Minute))
	used, memory := t.used()
	fmt.Fprintf(out, "%s\t%d watches begin on %d objects\t1,000 writes meanwhile in %.1f s\t"+
		"%d MB\tlongest %d ms; %d of %d events in %.0f s, %.1f s of processor time, %d cut\n",
		t.name, s.watches, s.objects, wrote.Seconds(), memory, longest.Milliseconds(),
		events.seen.Load(), all, time.Since(before).Seconds(),
		(used - began).Seconds(), failed)
	return nil
}
