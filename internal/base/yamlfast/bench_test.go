package yamlfast_test

import (
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/base/yamlfast"
	"github.com/crdsem/crdsem/internal/base/yamljson"
)

// BenchmarkYAML reads an ordinary manifest with the fast reader and with the
// library.
func BenchmarkYAML(b *testing.B) {
	text := []byte(strings.Repeat(`- name: v1
  description: |-
    What a field is for is told
    in a line or two.
  properties:
    replicas: {}
    image:
      type: string
      description: plain text that goes on
        over two lines
      maxLength: 63
`, 200))
	b.Run("direct", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, ok := yamlfast.Decode(text, yamljson.Decode); !ok {
				b.Fatal("not read directly")
			}
		}
	})
	b.Run("library", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := yamljson.Decode(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
