package server_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/kube/server"
)

// BenchmarkStart starts a server with some definitions.
func BenchmarkStart(b *testing.B) {
	for _, n := range []int{0, 100, 700} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			for i := range n {
				text := strings.ReplaceAll(crd, "example.com", fmt.Sprintf("g%d.example.com", i))
				path := filepath.Join(dir, fmt.Sprintf("%d.yaml", i))
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					b.Fatal(err)
				}
			}
			paths := []string{dir}
			if n == 0 {
				paths = nil
			}
			for b.Loop() {
				s, err := server.Start(b.Context(), server.Options{Definitions: paths})
				if err != nil {
					b.Fatal(err)
				}
				if err := s.Stop(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
