package suite

import (
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

func TestParseRules(t *testing.T) {
	rules, err := ParseRules([]byte("# rules\nA-001\n\nA-002  no input can show it\nFMT-ip\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Rule{{ID: "A-001"}, {ID: "A-002", Why: "no input can show it"}, {ID: "FMT-ip"}}
	if !reflect.DeepEqual(rules, want) {
		t.Errorf("got %v, want %v", rules, want)
	}
	if _, err := ParseRules([]byte("A-001\nA-001 because\n")); err == nil ||
		err.Error() != "rule A-001 is listed twice" {
		t.Errorf("a rule listed twice: %v", err)
	}
}

func TestRulesShown(t *testing.T) {
	folder := fstest.MapFS{
		"b.jsonl":  {Data: []byte(`{"rule":"B-001"}` + "\n" + `{"rule":"B-001"}`)},
		"a.jsonl":  {Data: []byte(`{"id":"x","rule":"A-001"}` + "\n")},
		"notes.md": {Data: []byte("no vectors")},
	}
	shown, err := RulesShown(folder)
	if got := strings.Join(shown, " "); err != nil || got != "A-001 B-001 B-001" {
		t.Errorf("got %s, %v", got, err)
	}
	folder["b.jsonl"].Data = []byte("{}\nx\n")
	if _, err := RulesShown(folder); err == nil || !strings.HasPrefix(err.Error(), "b.jsonl:2: ") {
		t.Errorf("a line that is no object: %v", err)
	}
}

func TestCoverage(t *testing.T) {
	rules := []Rule{{ID: "A-001"}, {ID: "A-002", Why: "internal"}, {ID: "B-001"}}
	for _, c := range []struct {
		name, shown string
		ok          bool
		report      string
	}{
		{"every rule in order", "B-001 A-001 B-001 X-001", true,
			"A-001 1 A-002 0 internal B-001 2 3 rules: 2 with vectors, 1 with a reason to have none, 0 with neither or both"},
		{"a rule without vectors", "A-001", false,
			"A-001 1 A-002 0 internal B-001 0 NO VECTOR AND NO REASON 3 rules: 1 with vectors, 1 with a reason to have none, 1 with neither or both"},
		{"a rule with vectors and a reason", "A-001 A-002 B-001", false,
			"A-001 1 A-002 1 HAS VECTORS, YET A REASON TO HAVE NONE: internal B-001 1 3 rules: 2 with vectors, 0 with a reason to have none, 1 with neither or both"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			ok, err := WriteCoverage(&out, Coverage(rules, strings.Fields(c.shown)))
			if got := strings.Join(strings.Fields(out.String()), " "); err != nil || ok != c.ok ||
				got != c.report {
				t.Errorf("got %v, %v\n%s\nwant\n%s", ok, err, got, c.report)
			}
		})
	}
}
