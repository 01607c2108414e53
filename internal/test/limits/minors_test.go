package limits_test

import (
	"runtime"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/minors"
)

// ready compiles definitions, with all rules, for minors. The minors of one
// definition share a cache.
func ready(t testing.TB, files []corpus.File, in []minors.Minor) []*crdsem.Definition {
	t.Helper()
	var out []*crdsem.Definition
	for _, file := range files {
		var cache crdsem.Cache
		crd, _, err := definition.Decode(file.Text)
		if err != nil {
			t.Fatalf("%s: %v", file.Name(), err)
		}
		for _, minor := range in {
			def, err := crdsem.Compile(crd.In(minor), &cache)
			if err != nil {
				t.Fatalf("%s under %s: %v", file.Name(), minor, err)
			}
			prepare(t, def)
			out = append(out, def)
		}
	}
	return out
}

// prepare compiles the rules of the served versions.
func prepare(t testing.TB, def *crdsem.Definition) {
	t.Helper()
	for _, v := range def.Model().Versions() {
		version, err := def.Version(v.Name)
		if err != nil {
			continue // it is not served
		}
		if err := version.Prepare(t.Context()); err != nil {
			t.Fatalf("%s of %s: %v", v.Name, def.Model().Name(), err)
		}
	}
}

// newestMinor returns the newest minor alone.
func newestMinor() []minors.Minor { return []minors.Minor{minors.Newest()} }

// The definitions of the corpus, ready for all nine minors, keep at most two
// and a half times the memory that they keep for one.
func TestMinorsShareMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the corpus for ten minors")
	}
	files := corpus.Definitions(t)
	ready(t, files, minors.All()) // what stays of them is not counted
	keeps := func(in []minors.Minor) int64 {
		for range 3 { // pools and weak references let go
			runtime.GC()
		}
		return retained(func() any { return ready(t, files, in) })
	}
	nine := keeps(minors.All())
	one := keeps(newestMinor())
	t.Logf("%d definitions: %.1f MB for one minor, %.1f MB for nine, %.2f times as much",
		len(files), float64(one)/(1<<20), float64(nine)/(1<<20), float64(nine)/float64(one))
	if 2*nine > 5*one {
		t.Errorf("nine minors keep %d bytes, one keeps %d", nine, one)
	}
}

// BenchmarkMinors makes the definitions of the corpus ready for one minor and
// for nine. Nine should take at most three times as long.
func BenchmarkMinors(b *testing.B) {
	files := corpus.Definitions(b)
	for name, in := range map[string][]minors.Minor{"one": newestMinor(), "nine": minors.All()} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ready(b, files, in)
			}
		})
	}
}
