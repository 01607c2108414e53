package architecture_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// ruleRow is a row of the table in CONTRIBUTING.md that leads from rules to
// code.
type ruleRow struct{ first, last string }

func (r ruleRow) has(id string) bool {
	prefix := func(id string) string { return id[:strings.IndexByte(id, '-')+1] }
	return prefix(id) == prefix(r.first) && r.first <= id && id <= r.last
}

// Every rule leads to code: one row of the table has it, and the files of the
// row are there.
func TestRulesHaveCode(t *testing.T) {
	text, err := os.ReadFile("../../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []ruleRow
	for _, m := range regexp.MustCompile(`(?m)^\| ([A-Z]+-\w+)(?: to ([A-Z]+-\w+))? \|[^|]*\| (.*) \|$`).FindAllStringSubmatch(string(text), -1) {
		row := ruleRow{m[1], m[2]}
		if row.last == "" {
			row.last = row.first
		}
		rows = append(rows, row)
		for _, file := range strings.Split(m[3], ", ") {
			if _, err := os.Stat("../../../" + strings.Trim(file, "`")); err != nil {
				t.Errorf("rules %s to %s: %v", row.first, row.last, err)
			}
		}
	}
	ids, err := os.ReadFile("../../../conformance/vectors/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for line := range strings.Lines(string(ids)) {
		id, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if id == "" || strings.HasPrefix(id, "#") {
			continue
		}
		known++
		found := 0
		for _, row := range rows {
			if row.has(id) {
				found++
			}
		}
		if found != 1 {
			t.Errorf("rule %s is in %d rows", id, found)
		}
	}
	if known == 0 || len(rows) == 0 {
		t.Errorf("%d rules in %d rows", known, len(rows))
	}
}
