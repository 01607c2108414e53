package fleet_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/kit/fleet"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// change is one of a kind whose spec.l, a list of strings, gets keywords.
func change(kind, list, item string) fleet.Change {
	definition := func(list, item string) []byte {
		plural := strings.ToLower(kind) + "s"
		return fmt.Appendf(nil, `{"apiVersion": "apiextensions.k8s.io/v1",
"kind": "CustomResourceDefinition", "metadata": {"name": "%s.g.io"}, "spec": {"group": "g.io",
"scope": "Cluster", "names": {"plural": %[1]q, "kind": %q}, "versions": [{"name": "v1",
"served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties":
{"l": {"type": "array" %s, "items": {"type": "string" %s}}}}}}]}}`, plural, kind, list, item)
	}
	return fleet.Change{Old: definition("", ""), New: definition(list, item)}
}

// branches is a keyword that looks at a value in 2^levels ways.
func branches(levels int) string {
	leaf := `{"pattern": "^b"}`
	for range levels {
		leaf = `{"oneOf": [` + leaf + `,` + leaf + `]}`
	}
	return ", " + strings.Trim(leaf, "{}")
}

// poisons are changes of five kinds, and what happens to the record p<i> among
// harmless ones.
var poisons = []struct {
	kind, list, item string
	items            int
	fate             upgrade.Fate
	failure          string
}{
	{kind: "Branch", item: branches(13), items: 100_000, fate: fleet.Failed,
		failure: "context deadline exceeded"},
	{kind: "Huge", list: `, "minItems": 1000000000`, fate: upgrade.Ratcheted},
	{kind: "Long", items: 300_000, fate: fleet.Failed,
		failure: "1200105 bytes, at most 1000000"},
	{kind: "Panic", fate: fleet.Failed, failure: "panic: runtime error: " +
		"invalid memory address or nil pointer dereference"},
	{kind: "Text", item: `, "maxLength": 0`, items: 30_000, fate: upgrade.Ratcheted},
}

// Poisoned records fail by their name, and all others are judged.
func TestPoison(t *testing.T) {
	const harmless = `{"apiVersion": "g.io/v1", "kind": "Huge", "metadata": {"name": "h"}}`
	u := &fleet.Upgrade{Limits: fleet.Limits{Deadline: 3 * time.Second, Bytes: 1_000_000}}
	var records, failures []string
	counts := map[upgrade.Fate]int64{fleet.NotJudged: 1, upgrade.Unaffected: 1}
	for i, p := range poisons {
		u.Changes = append(u.Changes, change(p.kind, p.list, p.item))
		list := strings.TrimSuffix(strings.Repeat(`"a",`, p.items), ",")
		name := fmt.Sprintf("p%d", i)
		records = append(records, harmless, fmt.Sprintf(`{"cluster": "c", "object": `+
			`{"apiVersion": "g.io/v1", "kind": %q, "metadata": {"name": %q}, "l": [%s]}}`,
			p.kind, name, list))
		counts[p.fate]++
		counts[upgrade.Unaffected]++
		if p.failure != "" {
			failures = append(failures, text(t, fleet.Failure{Cluster: "c", APIVersion: "g.io/v1",
				Kind: p.kind, Name: name, Error: p.failure}))
		}
	}
	malformed := []string{"", "{", "[1]", `{"object": 1}`, strings.Repeat("[", 500_000),
		`{"kind": "K", "apiVersion": 1}`, `{"a": 1e2147483647}`}
	records = append(append(records, malformed...), harmless, `{"apiVersion": "v1", "kind": "S"}`)
	if err := u.Panics("Panic"); err != nil {
		t.Fatal(err)
	}
	found := judged(t, u, records)
	slices.Sort(failures)
	if diff := cmp.Diff(failures, found["failures"]); diff != "" {
		t.Error(diff)
	}
	if len(found["malformed"]) != len(malformed) {
		t.Errorf("%d malformed records, want %d", len(found["malformed"]), len(malformed))
	}
	if diff := cmp.Diff(counts, fates(t, found["counts"])); diff != "" {
		t.Error(diff)
	}
	for _, line := range found["verdicts"] {
		var v fleet.Verdict
		if err := json.Unmarshal([]byte(line), &v); err != nil || len(line) > 2_000_000 {
			t.Errorf("%d bytes, %v", len(line), err)
		}
		if v.Definition == "texts.g.io" && v.More+len(v.Findings) != 30_000 {
			t.Errorf("%d and %d findings, want 30000", len(v.Findings), v.More)
		}
	}
}

// judged runs Beam, and returns the lines of each output.
func judged(t *testing.T, u *fleet.Upgrade, records []string) map[string][]string {
	t.Helper()
	dir := t.TempDir()
	p, s := beam.NewPipelineWithRoot()
	r := u.Judge(s, beam.CreateList(s, records))
	for name, lines := range map[string]beam.PCollection{"verdicts": r.Verdicts,
		"counts": r.Counts, "malformed": r.Malformed, "failures": r.Failures} {
		fleet.Write(s, filepath.Join(dir, name), 1, lines)
	}
	if err := beamx.Run(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	return results(t, dir)
}

// fates sums the counts by fate.
func fates(t *testing.T, lines []string) map[upgrade.Fate]int64 {
	t.Helper()
	sums := map[upgrade.Fate]int64{}
	for _, line := range lines {
		var c fleet.Count
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if c.Rule == "" {
			sums[c.Fate] += c.Objects
		}
	}
	return sums
}
