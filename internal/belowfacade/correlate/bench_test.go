package correlate

import (
	"fmt"
	"testing"
)

// BenchmarkPartners finds the partners of all items of an unchanged list.
func BenchmarkPartners(b *testing.B) {
	for _, keys := range [][]string{{"name"}, {"port", "protocol"}} {
		for _, n := range []int{8, 9, 50, 1000} {
			items := make([]any, n)
			for i := range items {
				items[i] = map[string]any{
					"name": fmt.Sprint("container-", i), "port": int64(i), "protocol": "TCP",
				}
			}
			b.Run(fmt.Sprint(len(keys), "keys/", n, "items"), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					p := newPartners(items, keys)
					for _, item := range items {
						p.of(item)
					}
				}
			})
		}
	}
}
