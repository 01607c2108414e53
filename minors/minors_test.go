package minors_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/minors"
)

func TestParseRange(t *testing.T) {
	for text, want := range map[string]string{
		"1.31":      "[1.31]",
		"1.31-1.31": "[1.31]",
		"1.35-1.37": "[1.35 1.36 1.37]",
		"v1.31":     "[1.31]",
		"1.31.4":    "[1.31]",

		"1.33,1.31":            "[1.31 1.33]",
		"1.35-1.37, 1.30,1.36": "[1.30 1.35 1.36 1.37]",
		"v1.30.0-v1.31.2,1.31": "[1.30 1.31]",
		"all":                  "[1.30 1.31 1.32 1.33 1.34 1.35 1.36 1.37 1.38]",
	} {
		got, err := minors.ParseRange(text)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":          "expected 1.30 to 1.38",
		"1.28-1.31": `"1.28"`,
		"1.31-":     `""`,
		"1.31,":     `""`,
		"v1.28.3":   `"1.28"`,
		"1.31.x":    `"1.31.x"`,
		"1.33-1.31": "1.31 is before 1.33",
	} {
		if got, err := minors.ParseRange(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
	}
}

func TestZeroIsNewest(t *testing.T) {
	var zero minors.Minor
	newest := minors.Newest()
	if zero.String() != "1.37" || zero.Before(newest) || newest.Before(zero) {
		t.Errorf("%v, %v", zero, newest)
	}
}

func ExampleChanges() {
	for _, c := range minors.Changes() {
		if c.ID == "33-status-ratchet" {
			fmt.Println("since", c.Since, c.Rules, c.Upstream)
			fmt.Println(c.Summary)
		}
	}
	// Output:
	// since 1.33 [RAT-040] #129506
	// Updates of the status are ratcheted.
}

// The chapter of the specification lists every change.
func TestChapterListsChanges(t *testing.T) {
	chapter, err := os.ReadFile("../conformance/spec/minors.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range minors.Changes() {
		row := fmt.Sprintf("| `%s` | %s |", c.ID, strings.Join(c.Rules, ", "))
		if !strings.Contains(string(chapter), row) {
			t.Errorf("spec/minors.md has no row %s", row)
		}
	}
}
