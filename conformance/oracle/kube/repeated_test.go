package kube

import (
	"context"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/crdsem/crdsem/conformance/suite"
	"github.com/crdsem/crdsem/internal/evaluator"
	"github.com/crdsem/crdsem/internal/protocol"
)

// BenchmarkRepeatedDefinitions measures the processor time of a request whose
// definition was sent before: each recorded vector of admit is asked again and
// again. The real code is measured as it answers, and with the resource of the
// last definition kept.
func BenchmarkRepeatedDefinitions(b *testing.B) {
	lines := admitLines(b)
	for name, handler := range map[string]protocol.Handler{
		"real":      New(),
		"real-kept": keeping(),
		"ours":      evaluator.New(),
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				const again = 20
				once := processorTime(b, func() { askEach(lines, 1, handler) })
				often := processorTime(b, func() { askEach(lines, 1+again, handler) })
				perRequest := (often - once) / time.Duration(again*len(lines))
				b.ReportMetric(float64(perRequest.Nanoseconds()), "ns/repeated")
			}
		})
	}
}

// admitLines returns the request lines of the vectors of admit that are no
// faults.
func admitLines(b *testing.B) [][]byte {
	b.Helper()
	all, err := suite.Load(os.DirFS("../../vectors/eval"))
	if err != nil {
		b.Fatal(err)
	}
	var lines [][]byte
	for i := range all {
		req, err := all[i].ProtocolRequest()
		if err != nil {
			b.Fatal(err)
		}
		if req.Op != protocol.OpAdmit {
			continue
		}
		line := req.AppendJSON(nil)
		if protocol.AnswerLine(context.Background(), line, New()).Fault == "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func askEach(lines [][]byte, times int, handler protocol.Handler) {
	for _, line := range lines {
		for range times {
			protocol.AnswerLine(context.Background(), line, handler).AppendJSON(nil)
		}
	}
}

// keeping returns a handler of admit that keeps the resource of the last
// definition and version.
func keeping() protocol.Handler {
	last, kept := "", (*resource)(nil)
	return func(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
		doc, _ := req.CRD.Document()
		if key := req.Version + " " + string(doc); key != last {
			crd, err := servedDefinition(req.CRD)
			if err != nil {
				return nil, err
			}
			if kept, err = newResource(crd, req.Version); err != nil {
				return nil, err
			}
			last = key
		}
		return kept.admit(ctx, req)
	}
}

func processorTime(b *testing.B, do func()) time.Duration {
	b.Helper()
	used := func() time.Duration {
		var usage syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
			b.Fatal(err)
		}
		return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	start := used()
	do()
	return used() - start
}
