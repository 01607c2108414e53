package kube

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/internal/test/suite"
)

// BenchmarkRepeatedDefinitions measures the processor time of a request whose
// definition was sent before: each recorded vector of admit is asked again and
// again. The real code is measured as it answers, and with the resource of the
// last definition kept. This library is also measured with requests that refer
// to a definition by its name.
func BenchmarkRepeatedDefinitions(b *testing.B) {
	lines := admitLines(b)
	for _, side := range []struct {
		name    string
		handler protocol.Handler
		lines   [][][]byte
	}{
		{"real", New(), lines},
		{"real-kept", keeping(), lines},
		{"ours", whole.New(), lines},
		{"ours-defined", whole.New(), defined(b, lines)},
	} {
		b.Run(side.name, func(b *testing.B) {
			for range b.N {
				const again = 20
				once := processorTime(b, func() { askEach(side.lines, 1, side.handler) })
				often := processorTime(b, func() { askEach(side.lines, 1+again, side.handler) })
				perRequest := (often - once) / time.Duration(again*len(lines))
				b.ReportMetric(float64(perRequest.Nanoseconds()), "ns/repeated")
			}
		})
	}
}

// BenchmarkRepeatedLongDefinition measures the processor time of 400 requests
// that repeat a definition of 430 KB as a YAML text, from their lines to the
// lines of their answers. The sides are those of BenchmarkRepeatedDefinitions.
func BenchmarkRepeatedLongDefinition(b *testing.B) {
	const requests = 400
	const path = "gateway-api/crds/httproutes.gateway.networking.k8s.io--crd-standard.yaml"
	text, err := os.ReadFile(filepath.Join(corpus.Folder(b), path))
	if err != nil {
		b.Fatal(err)
	}
	request := protocol.Request{
		ID: "1", Op: protocol.OpAdmit, Version: "v1",
		CRD:    protocol.TextInput(string(text)),
		Object: protocol.JSONInput([]byte(`{"apiVersion":"gateway.networking.k8s.io/v1","kind":"HTTPRoute","metadata":{"name":"a"},"spec":{"parentRefs":[{"name":"b"}],"hostnames":["c.d"]}}`)),
	}
	line := request.AppendJSON(nil)
	definedLines := defined(b, [][][]byte{{line}})[0]
	for _, side := range []struct {
		name    string
		handler protocol.Handler
		lines   [][]byte
	}{
		{"real-kept", keeping(), [][]byte{line}},
		{"ours", whole.New(), [][]byte{line}},
		{"ours-defined", whole.New(), definedLines},
	} {
		b.Run(side.name, func(b *testing.B) {
			for range b.N {
				once := processorTime(b, func() { serve(b, side.lines, 1, side.handler) })
				all := processorTime(b, func() { serve(b, side.lines, requests+1, side.handler) })
				b.ReportMetric(float64((all-once).Microseconds())/requests, "µs/request")
			}
		})
	}
}

// serve answers the given lines, the last one the given number of times.
func serve(b *testing.B, lines [][]byte, times int, handler protocol.Handler) {
	b.Helper()
	var in []io.Reader
	for i, line := range lines {
		n := 1
		if i == len(lines)-1 {
			n = times
		}
		for range n {
			in = append(in, bytes.NewReader(line), strings.NewReader("\n"))
		}
	}
	err := protocol.Serve(context.Background(), io.MultiReader(in...), io.Discard,
		protocol.Options{}, handler)
	if err != nil {
		b.Fatal(err)
	}
}

// admitLines returns the request lines of the vectors of admit that are no
// faults. The last line of each element is the one to repeat.
func admitLines(b *testing.B) [][][]byte {
	b.Helper()
	all, err := suite.Load(os.DirFS("../../vectors/eval"))
	if err != nil {
		b.Fatal(err)
	}
	var lines [][][]byte
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
			lines = append(lines, [][]byte{line})
		}
	}
	return lines
}

// defined returns the requests with references in the place of definitions, and
// a line that defines the definition in front.
func defined(b *testing.B, lines [][][]byte) [][][]byte {
	b.Helper()
	var out [][][]byte
	for _, line := range lines {
		req, err := protocol.ParseRequest(line[0])
		if err != nil {
			b.Fatal(err)
		}
		define := protocol.Request{ID: "1", Op: protocol.OpDefine, Name: "crd", CRD: req.CRD}
		req.CRD = protocol.JSONInput([]byte(`{"$ref":"crd"}`))
		out = append(out, [][]byte{define.AppendJSON(nil), req.AppendJSON(nil)})
	}
	return out
}

// askEach asks the last line of each element the given number of times, and the
// lines before it once.
func askEach(lines [][][]byte, times int, handler protocol.Handler) {
	session := protocol.NewSession(handler)
	for _, element := range lines {
		last := len(element) - 1
		for _, line := range element[:last] {
			session.Answer(context.Background(), line)
		}
		for range times {
			session.Answer(context.Background(), element[last]).AppendJSON(nil)
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
