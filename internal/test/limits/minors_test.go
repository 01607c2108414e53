package limits_test

import (
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/minors"
)

// ready compiles the definitions of the corpus, with all rules, for minors. The
// minors of one definition share a cache.
func ready(t *testing.T, files []corpus.File, in []minors.Minor) []*crdsem.Definition {
	t.Helper()
	var out []*crdsem.Definition
	for _, file := range files {
		var cache crdsem.Cache
		for _, minor := range in {
			crd, _, err := definition.Decode(file.Text, definition.Kubernetes(minor))
			if err != nil {
				t.Fatalf("%s: %v", file.Name(), err)
			}
			def, err := crdsem.Compile(crd, &cache)
			if err != nil {
				t.Fatalf("%s under %s: %v", file.Name(), minor, err)
			}
			for _, version := range def.Versions() {
				if err := version.Prepare(t.Context()); err != nil {
					t.Fatalf("%s under %s: %v", file.Name(), minor, err)
				}
			}
			out = append(out, def)
		}
	}
	return out
}

// The definitions of the corpus, ready for all nine minors, keep at most two
// and a half times the memory that they keep for one.
func TestMinorsShareMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the corpus ten times")
	}
	files := corpus.Definitions(t)
	newest := minors.All()[len(minors.All())-1:]
	ready(t, files[:1], minors.All()) // the environments stay
	one := retained(func() any { return ready(t, files, newest) })
	nine := retained(func() any { return ready(t, files, minors.All()) })
	t.Logf("%d definitions: %.1f MB for one minor, %.1f MB for nine, %.2f times as much",
		len(files), float64(one)/(1<<20), float64(nine)/(1<<20), float64(nine)/float64(one))
	if 2*nine > 5*one {
		t.Errorf("nine minors keep %d bytes, one keeps %d", nine, one)
	}
}
