package architecture_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each bound of SECURITY.md names the tests that hold it, and they exist.
func TestBoundsHaveTests(t *testing.T) {
	text, err := os.ReadFile("../../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| bound | value | held by |")
	if !found {
		t.Fatal("SECURITY.md has no table of bounds")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	rows := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || strings.Contains(line, "---") {
			continue
		}
		rows++
		if missing := missingTests(t, cells[3]); len(missing) > 0 {
			t.Errorf("%s: no test %v", strings.TrimSpace(cells[1]), missing)
		}
	}
	if rows < 15 {
		t.Errorf("%d rows were read, there are more", rows)
	}
}

// held matches tests and their folder, e.g. "`TestA`, `TestB` (validation)".
// The folder root is the root of the repository.
var held = regexp.MustCompile("((?:`Test\\w+`,? ?)+)\\(([\\w/-]+)\\)")

// missingTests returns the tests that a cell names and that are not there. A
// cell without a test is one.
func missingTests(t *testing.T, cell string) (missing []string) {
	t.Helper()
	groups := held.FindAllStringSubmatch(cell, -1)
	if len(groups) == 0 {
		return []string{"(no test named)"}
	}
	for _, group := range groups {
		folder := filepath.Join("../../..", strings.TrimPrefix(group[2], "root"))
		code := testCode(t, folder)
		for _, name := range regexp.MustCompile(`Test\w+`).FindAllString(group[1], -1) {
			if !strings.Contains(code, "\nfunc "+name+"(t *testing.T) {") {
				missing = append(missing, group[2]+" "+name)
			}
		}
	}
	return missing
}

// testCode returns the code of all tests in a folder.
func testCode(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(text)
	}
	return code.String()
}
