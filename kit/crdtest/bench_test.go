package crdtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/test/crdcases"
	"github.com/crdsem/crdsem/kit/crdtest"
)

// manyCases writes a folder of cases and returns it.
func manyCases(b *testing.B, files, each int) string {
	b.Helper()
	folder := b.TempDir()
	for i := range files {
		var text strings.Builder
		text.WriteString("cases:\n")
		for j := range each {
			fmt.Fprintf(&text, "- name: case %d\n  create:\n"+
				"    apiVersion: stable.example.com/v1\n"+
				"    kind: CronTab\n    spec: {cronSpec: a, replicas: %d}\n", j, j%5+1)
			text.WriteString("  want:\n    object:\n      apiVersion: stable.example.com/v1\n" +
				"      kind: CronTab\n")
			fmt.Fprintf(&text, "      spec: {cronSpec: a, maxReplicas: 5, replicas: %d}\n", j%5+1)
		}
		crdcases.Write(b, folder, fmt.Sprintf("%03d.crdtest.yaml", i), text.String())
	}
	return folder
}

// BenchmarkFolder reads and runs a folder of 3,000 cases.
func BenchmarkFolder(b *testing.B) {
	folder := manyCases(b, 100, 30)
	for b.Loop() {
		crds, suites := crdcases.Read(b, []string{crontab}, folder)
		results, err := crdtest.Execute(b.Context(), crds, suites)
		if err != nil || len(results) != 3000 {
			b.Fatal(len(results), err)
		}
		for _, r := range results {
			if r.Err != nil {
				b.Fatal(r.Err)
			}
		}
	}
}
