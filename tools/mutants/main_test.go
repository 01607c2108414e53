package main

import (
	"context"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const example = `package m

func within(n, most int, list []string) (bool, error) {
	if n < 3 && n != most {
		n++
	}
	for _, s := range list {
		if s == "" {
			continue
		}
		n += len(s) + 1
	}
	switch {
	case n > most:
		most = n
	default:
		list = nil
	}
	return n <= most, nil
}
`

// module writes a module with one file and loads it.
func module(t *testing.T) *pkg {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "m.go": example} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	packages, err := load([]string{"."})
	if err != nil || len(packages) != 1 {
		t.Fatalf("%d packages, %v", len(packages), err)
	}
	return packages[0]
}

func TestFind(t *testing.T) {
	var got []string
	for _, m := range find(module(t)) {
		name, _ := strings.CutPrefix(m.String(), "m.go | within | ")
		got = append(got, name)
	}
	want := strings.Split(strings.TrimSpace(`
statement dropped | most = n
result 1 becomes !(n <= most) | return n <= most, nil
condition negated | n < 3 && n != most
condition always true | n < 3 && n != most
condition always false | n < 3 && n != most
&& becomes || | n < 3 && n != most
< becomes <= | n < 3
constant plus one | 3
constant minus one | 3
!= becomes == | n != most
statement dropped | n++
condition negated | s == ""
condition always true | s == ""
condition always false | s == ""
== becomes != | s == ""
statement dropped | continue
statement dropped | n += len(s) + 1
result off by one | len(s) + 1
constant plus one | 1
constant minus one | 1
case does nothing | most = n
> becomes >= | n > most
statement dropped | list = nil
case does nothing | list = nil
<= becomes < | n <= most`), "\n")
	less := cmp.Transformer("sorted", func(list []string) map[string]int {
		counts := map[string]int{}
		for _, s := range list {
			counts[s]++
		}
		return counts
	})
	if diff := cmp.Diff(want, got, less); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// All mutants together, and each one alone, are Go on the same lines.
func TestInstrument(t *testing.T) {
	p := module(t)
	mutants := sample([]*pkg{p}, selection{count: 1000})
	for i := range mutants {
		checkCode(t, instrument(&p.files[0], mutants[i:i+1]))
	}
	checkCode(t, instrument(&p.files[0], mutants))
}

func checkCode(t *testing.T, text string) {
	t.Helper()
	if _, err := parser.ParseFile(token.NewFileSet(), "m.go", text, 0); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
	if got, want := strings.Count(text, "\n"), strings.Count(example, "\n"); got != want {
		t.Errorf("%d lines, want %d", got, want)
	}
}

// A seed selects the same mutants each time, another seed others.
func TestSample(t *testing.T) {
	p := module(t)
	names := func(seed uint64) (list []string) {
		for _, m := range sample([]*pkg{p}, selection{count: 5, seed: seed}) {
			list = append(list, m.String())
		}
		return list
	}
	if diff := cmp.Diff(names(1), names(1)); diff != "" || len(names(1)) != 5 {
		t.Errorf("seed 1 twice: %s", diff)
	}
	if cmp.Equal(names(1), names(2)) {
		t.Error("another seed selects the same mutants")
	}
}

// Each equivalent mutant has a reason, and exists.
func TestEquivalents(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(equivalentText), "\n")
	var patterns []string
	for i, line := range lines {
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "\t") {
			continue
		}
		if i+1 == len(lines) || !strings.HasPrefix(lines[i+1], "\t") {
			t.Errorf("no reason for %s", line)
		}
		name, _, _ := strings.Cut(line, " | ")
		patterns = append(patterns, "./"+filepath.ToSlash(filepath.Dir(name)))
	}
	if len(patterns) == 0 {
		return
	}
	t.Chdir("../..")
	packages, err := load(patterns)
	if err != nil {
		t.Fatal(err)
	}
	existing := map[string]bool{}
	for _, p := range packages {
		for _, m := range find(p) {
			existing[m.String()] = true
		}
	}
	for name := range equivalents() {
		if !existing[name] {
			t.Errorf("there is no such mutant: %s", name)
		}
	}
}

// A test that fails kills a mutant, and so does one that does not end.
func TestKill(t *testing.T) {
	script := func(text string) *binary {
		file := filepath.Join(t.TempDir(), "test")
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
		return &binary{path: "p", dir: t.TempDir(), file: file, tests: []*test{
			{name: "TestA", seconds: -0.95, reached: map[int]bool{1: true}}}}
	}
	m := &mutant{id: 1, file: &source{}}
	for name, c := range map[string]struct {
		text string
		want verdict
	}{
		"passes":   {"exit 0", verdict{reached: true}},
		"fails":    {`[ "$CRDSEM_MUTANT" != 1 ]`, verdict{reached: true, killer: "p"}},
		"too long": {"while :; do :; done", verdict{reached: true, killer: "p", timeout: true}},
	} {
		if got := kill(context.Background(), m, []*binary{script(c.text)}); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	if got := kill(context.Background(), &mutant{id: 2, file: &source{}},
		[]*binary{script("exit 1")}); got != (verdict{}) {
		t.Errorf("not reached: %+v", got)
	}
}
