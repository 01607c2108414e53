package server_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/kube/server"
)

// BenchmarkStart starts a server with definitions of the corpus, or with small
// ones without a corpus.
func BenchmarkStart(b *testing.B) {
	for _, n := range []int{0, 100, 700} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			paths := []string{}
			if n > 0 {
				paths = append(paths, manyDefinitions(b, n))
			}
			before := processorTime(b)
			for b.Loop() {
				s, err := server.Start(b.Context(), server.Options{Definitions: paths})
				if err != nil {
					b.Fatal(err)
				}
				if err := s.Stop(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processorTime(b)-before)*1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// processorTime returns the processor time of the process in seconds.
func processorTime(b *testing.B) float64 {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(usage.Utime) + seconds(usage.Stime)
}

// manyDefinitions writes a folder with n definitions, each in a group of its
// own.
func manyDefinitions(b *testing.B, n int) string {
	b.Helper()
	texts := [][]byte{[]byte(crd)}
	if corpus.Path() != "" {
		texts = nil
		for _, file := range corpus.Definitions(b) {
			texts = append(texts, file.Text)
		}
	}
	dir := b.TempDir()
	for i := range n {
		var object map[string]any
		if err := yaml.Unmarshal(texts[i%len(texts)], &object); err != nil {
			b.Fatal(err)
		}
		spec := object["spec"].(map[string]any)
		names := spec["names"].(map[string]any)
		group := fmt.Sprintf("g%d.%s", i, strings.TrimSuffix(spec["group"].(string), ".k8s.io"))
		spec["group"] = group
		object["metadata"] = map[string]any{"name": names["plural"].(string) + "." + group}
		text, err := yaml.Marshal(object)
		if err != nil {
			b.Fatal(err)
		}
		path := filepath.Join(dir, fmt.Sprintf("%03d.yaml", i))
		if err := os.WriteFile(path, text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}
