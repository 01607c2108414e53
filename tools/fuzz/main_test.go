package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// write makes a tree of files and returns its root.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestTargetsAreFound(t *testing.T) {
	root := write(t, map[string]string{
		"a/a_test.go":        "package a\nfunc FuzzOne(f *testing.F) {}\nfunc FuzzHelper(n int) {}\nfunc (s suite) FuzzMethod(f *testing.F) {}\n",
		"a/b_test.go":        "package a_test\nfunc TestFuzz(t *testing.T) {}\nfunc FuzzTwo(f *testing.F) {}\n",
		"a/a.go":             "package a\nfunc FuzzCode(f *testing.F) {}\n",
		"testdata/x_test.go": "package x\nfunc FuzzIgnored(f *testing.F) {}\n",
		"web/dist/x_test.go": "package x\nfunc FuzzIgnored(f *testing.F) {}\n",
		".git/x_test.go":     "package x\nfunc FuzzIgnored(f *testing.F) {}\n",
		"root_test.go":       "package root\nfunc FuzzRoot(f *testing.F) {}\n",
	})
	got, err := findTargets(root)
	want := []target{{"a", "FuzzOne"}, {"a", "FuzzTwo"}, {".", "FuzzRoot"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(target{})); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if _, err := selected(options{root: root, match: "Nothing"}); err == nil {
		t.Error("a pattern that no target matches is taken")
	}
}

func TestCountsAddUp(t *testing.T) {
	file := filepath.Join(t.TempDir(), "counts")
	counts, err := readCounts(file)
	if err != nil || total(counts) != 0 {
		t.Fatalf("no file: %v %v", counts, err)
	}
	counts["a FuzzOne"], counts[". FuzzRoot"] = 5, 7
	if err := writeCounts(file, counts); err != nil {
		t.Fatal(err)
	}
	if again, err := readCounts(file); err != nil || total(again) != 12 || again["a FuzzOne"] != 5 {
		t.Errorf("read again: %v %v", again, err)
	}
	if err := os.WriteFile(file, []byte("a FuzzOne many\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readCounts(file); err == nil || !strings.Contains(err.Error(), "a FuzzOne many") {
		t.Errorf("a line without a number: %v", err)
	}
}

func TestDeadlineIsNoFailure(t *testing.T) {
	const deadline = "--- FAIL: FuzzOne (30.02s)\n    context deadline exceeded\nFAIL\n"
	if !endedByTime(deadline) {
		t.Error("the end of the time counts as a failure")
	}
	if endedByTime(deadline + "    Failing input written to testdata/fuzz/FuzzOne/1\n") {
		t.Error("a failing input is lost")
	}
}

// One target fails, another does not. The first one's input is kept where
// `go test` finds it, the second one's executions are counted.
func TestRun(t *testing.T) {
	root := write(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n",
		"a/a_test.go": `package a
import "testing"
func FuzzFails(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, n int) { if n != 1 { t.Error(n) } })
}
func FuzzHolds(f *testing.F) { f.Fuzz(func(t *testing.T, n int) {}) }
`,
	})
	o := options{root: root, cache: t.TempDir(), counts: filepath.Join(root, "counts"),
		time: 4 * time.Second, slot: 2 * time.Second}
	if failures, err := run(context.Background(), o); failures != 1 || err != nil {
		t.Errorf("%d failures, %v", failures, err)
	}
	kept, err := os.ReadDir(filepath.Join(root, "a/testdata/fuzz/FuzzFails"))
	if len(kept) != 1 || err != nil {
		t.Errorf("kept %v %v", kept, err)
	}
	if counts, err := readCounts(o.counts); counts["a FuzzHolds"] < 1000 || err != nil {
		t.Errorf("counted %v %v", counts, err)
	}
}
