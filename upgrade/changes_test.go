package upgrade_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/upgrade"
)

// Each case of testdata/changes.txt has the changes that it lists. What a
// witness shows is what the facade answers. CRDSEM_GOLDEN=write writes the
// changes, which are then to be read.
func TestChanges(t *testing.T) {
	const file = "testdata/changes.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(strings.TrimSpace(string(text)), "\n\n")
	for i, block := range blocks[1:] {
		lines := strings.SplitN(block, "\n", 4)
		name, old, changed := lines[0], specified(lines[1]), specified(lines[2])
		got := strings.Join(append(lines[:3:3], verdicts(t, name, old, changed)...), "\n")
		line := 1 + strings.Count(strings.Join(blocks[:i+1], "\n\n")+"\n\n", "\n")
		if diff := cmp.Diff(block, got); diff != "" && os.Getenv("CRDSEM_GOLDEN") != "write" {
			t.Errorf("%s:%d: %s: (-want +got)\n%s", file, line, name, diff)
		}
		blocks[i+1] = got
	}
	if os.Getenv("CRDSEM_GOLDEN") == "write" {
		written := []byte(strings.Join(blocks, "\n\n") + "\n")
		if err := os.WriteFile(file, written, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// specified returns a definition with a schema of spec, in YAML after a sign.
func specified(schema string) []byte {
	_, schema, _ = strings.Cut(schema, " ")
	properties := `{"spec": {"type": "object", ` + strings.TrimPrefix(schema, "{")
	with := strings.Replace(string(crd(`{}`)), `{"spec": {"type": "object", "properties": {}}}`,
		properties+"}", 1)
	return []byte("---\n" + with) // YAML, in which names need no quotes
}

// verdicts returns the changes as lines.
func verdicts(t *testing.T, name string, old, changed []byte) (lines []string) {
	t.Helper()
	report, err := upgrade.Compare(t.Context(), old, changed, upgrade.Witnesses(upgrade.Fine))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	changes := report.Changes
	for i := range changes {
		c := &changes[i]
		line := fmt.Sprintf("%v; %s %s %s", c, c.Severities.Writers, c.Severities.Readers,
			c.Severities.Stored)
		if c.Decided {
			line += "; decided"
		}
		if c.Witness != nil {
			checkWitness(t, name, c, old, changed)
			line += "; shown"
		}
		if c.Message != "" {
			first, _, _ := strings.Cut(c.Message, "\n")
			line += "; " + first
		}
		lines = append(lines, line)
	}
	return lines
}

// checkWitness asks the facade about a witness under both definitions.
func checkWitness(t *testing.T, name string, c *upgrade.Change, old, changed []byte) {
	t.Helper()
	w := c.Witness
	before, after := answer(t, w, old), answer(t, w, changed)
	if was, is := message(before), message(after); was != w.Old || is != w.New {
		t.Errorf("%s: %v: the facade says %q and %q, not %+v", name, c, was, is, w)
	}
	shows := map[upgrade.Class]bool{
		upgrade.Stricter: w.Old == "" && w.New != "",
		upgrade.Looser:   w.Old != "" && w.New == "",
		upgrade.ChangesStorage: w.Old == "" && w.New == "" &&
			!cmp.Equal(before.Object, after.Object) && !cmp.Equal(w.StoredOld, w.StoredNew),
	}
	if !shows[c.Class] {
		t.Errorf("%s: %v: not shown by %+v", name, c, w)
	}
}

func message(r *crdsem.Result) string {
	if r.Err() == nil {
		return ""
	}
	return r.Err().Error()
}

// answer sends a witness to the facade.
func answer(t *testing.T, w *upgrade.Witness, document []byte) *crdsem.Result {
	t.Helper()
	definition, err := crdsem.Parse(document)
	if err != nil {
		t.Fatal(err)
	}
	version, err := definition.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	if w.Replaces != nil {
		return version.Update(t.Context(), w.Object, w.Replaces)
	}
	return version.Create(t.Context(), w.Object)
}
