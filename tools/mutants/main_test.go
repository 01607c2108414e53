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

import "bytes"

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

type pair struct{ a, b int }

func (p *pair) swap() (int, error) {
	defer p.swap()
	for i := range p.a {
		if i == p.b {
			break
		}
	}
	if found := p.less(p.a, p.b); !found || !p.less(p.b, p.b) {
		return p.swap()
	} else {
		p.a = 1
	}
	return 0, nil
}

func (p pair) less(a, b int) bool { return a < b }

func (p pair) of(list []pair, at int) pair {
	if at < 0 {
		p.a = list[at].a
		return pair{b: p.b}
	}
	list = list[:at]
	at = map[bool]int{true: 7}[at > p.a]
	return list[at]
}

func (p pair) room(list []pair) []pair {
	_ = make(map[int]int, len(list))
	var b bytes.Buffer
	b.Grow(p.a + p.b)
	return make([]pair, len(list), p.a+p.b)
}

func (p pair) last() int {
	for {
		if p.a == p.b {
			continue
		}
		return p.a
	}
}
`

// expected are the mutants of the example, in order of the source.
const expected = `
within | condition negated | n < 3 && n != most
within | condition always true | n < 3 && n != most
within | condition always false | n < 3 && n != most
within | operand of && dropped | n < 3
within | operand of && dropped | n != most
within | && becomes || | n < 3 && n != most
within | < becomes <= | n < 3
within | constant plus one | 3
within | constant minus one | 3
within | != becomes == | n != most
within | statement dropped | n++
within | loop never entered | list
within | loop runs once | list
within | condition negated | s == ""
within | condition always true | s == ""
within | condition always false | s == ""
within | == becomes != | s == ""
within | statement dropped | continue
within | continue becomes break | continue
within | statement dropped | n += len(s) + 1
within | result off by one | len(s) + 1
within | length plus one | len(s)
within | length minus one | len(s)
within | constant plus one | 1
within | constant minus one | 1
within | condition negated | n > most
within | condition always true | n > most
within | condition always false | n > most
within | case does nothing | most = n
within | > becomes >= | n > most
within | statement dropped | most = n
within | case does nothing | list = nil
within | statement dropped | list = nil
within | result 1 becomes !(n <= most) | return n <= most, nil
within | <= becomes < | n <= most
(*pair).swap | statement dropped | defer p.swap()
(*pair).swap | loop never entered | p.a
(*pair).swap | loop runs once | p.a
(*pair).swap | condition negated | i == p.b
(*pair).swap | condition always true | i == p.b
(*pair).swap | condition always false | i == p.b
(*pair).swap | == becomes != | i == p.b
(*pair).swap | statement dropped | break
(*pair).swap | break becomes continue | break
(*pair).swap | condition negated | !found || !p.less(p.b, p.b)
(*pair).swap | condition always true | !found || !p.less(p.b, p.b)
(*pair).swap | condition always false | !found || !p.less(p.b, p.b)
(*pair).swap | else does nothing | p.a = 1
(*pair).swap | value negated | p.less(p.a, p.b)
(*pair).swap | arguments swapped | p.less(p.a, p.b)
(*pair).swap | operand of || dropped | !found
(*pair).swap | operand of || dropped | !p.less(p.b, p.b)
(*pair).swap | || becomes && | !found || !p.less(p.b, p.b)
(*pair).swap | ! dropped | !found
(*pair).swap | ! dropped | !p.less(p.b, p.b)
(*pair).swap | result 1 becomes zero | return p.swap()
(*pair).swap | result 2 becomes zero | return p.swap()
(*pair).swap | statement dropped | p.a = 1
(*pair).swap | constant plus one | 1
(*pair).swap | constant minus one | 1
(*pair).swap | constant plus one | 0
pair.less | result 1 becomes !(a < b) | return a < b
pair.less | < becomes <= | a < b
pair.of | condition negated | at < 0
pair.of | condition always true | at < 0
pair.of | condition always false | at < 0
pair.of | < becomes <= | at < 0
pair.of | constant plus one | 0
pair.of | statement dropped | p.a = list[at].a
pair.of | index plus one | at
pair.of | index minus one | at
pair.of | result 1 becomes zero | return pair{b: p.b}
pair.of | return dropped | return pair{b: p.b}
pair.of | statement dropped | list = list[:at]
pair.of | bound plus one | at
pair.of | bound minus one | at
pair.of | statement dropped | at = map[bool]int{true: 7}[at > p.a]
pair.of | constant plus one | 7
pair.of | constant minus one | 7
pair.of | > becomes >= | at > p.a
pair.of | result 1 becomes zero | return list[at]
pair.of | index plus one | at #2
pair.of | index minus one | at #2
pair.room | result 1 becomes nil | return make([]pair, len(list), p.a+p.b)
pair.room | length plus one | len(list)
pair.room | length minus one | len(list)
pair.last | condition negated | p.a == p.b
pair.last | condition always true | p.a == p.b
pair.last | condition always false | p.a == p.b
pair.last | == becomes != | p.a == p.b
pair.last | statement dropped | continue
pair.last | result 1 becomes 0 | return p.a`

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
		name, _ := strings.CutPrefix(m.String(), "m.go | ")
		got = append(got, name)
	}
	want := strings.Split(strings.TrimSpace(expected), "\n")
	if diff := cmp.Diff(want, got); diff != "" {
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

// A package has its tests, and those of the package that it is internal to.
func TestHomes(t *testing.T) {
	for name, want := range map[string][]string{
		"prune/a.go": {"prune"}, "a/internal/b/c.go": {"a/internal/b", "a"},
		"internal/chapter/crd/a.go": {"internal/chapter/crd"}, "a.go": {"."},
	} {
		m := &mutant{file: &source{name: name, path: filepath.FromSlash("/r/" + name)}}
		if diff := cmp.Diff(want, m.homes()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for dir, is := range map[string]bool{"/r/" + want[len(want)-1]: true, "/r/other": false} {
			if dir = filepath.Clean(filepath.FromSlash(dir)); m.isHome(dir) != is {
				t.Errorf("%s is home of %s: %v", dir, name, !is)
			}
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
		return &binary{path: "p", dir: t.TempDir(), file: file, judges: true, tests: []*test{
			{name: "TestA", seconds: -0.95, reached: map[int]bool{1: true}}}}
	}
	for name, c := range map[string]struct {
		text string
		want verdict
	}{
		"passes":   {"exit 0", verdict{reached: true}},
		"fails":    {`[ "$CRDSEM_MUTANT" != 1 ]`, verdict{reached: true, killer: "p"}},
		"too long": {"while :; do :; done", verdict{reached: true, killer: "p", timeout: true}},
	} {
		m := &mutant{id: 1, file: &source{}}
		m.kill(context.Background(), []*binary{script(c.text)})
		if m.verdict != c.want {
			t.Errorf("%s: %+v, want %+v", name, m.verdict, c.want)
		}
	}
	other := script("exit 1")
	for id, judges := range map[int]bool{1: false, 2: true} {
		other.judges = judges
		m := &mutant{id: id, file: &source{path: "elsewhere/m.go"}}
		if m.kill(context.Background(), []*binary{other}); m.verdict != (verdict{}) {
			t.Errorf("mutant %d, judges: %v: %+v", id, judges, m.verdict)
		}
	}
}
