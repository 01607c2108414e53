package minors_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/test/allocs"
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
		crd, _, err := definition.Parse(file.Text)
		if err != nil {
			t.Fatalf("%s: %v", file.Name(), err)
		}
		for _, minor := range in {
			def, err := crdsem.Compile(crd.In(minor), crdsem.InCache(&cache))
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

// keptBy names the variable that makes the test print what the definitions of
// the corpus keep, for "one" minor or for "nine".
const keptBy = "CRDSEM_KEPT_BY"

// The definitions of the corpus, ready for all nine minors, keep at most two
// and a half times the memory that they keep for one. Each is measured in a
// process of its own, because what one run keeps another one would share.
func TestMinorsShareMemory(t *testing.T) {
	files := corpus.Definitions(t)
	switch os.Getenv(keptBy) {
	case "one":
		printKept(t, files, newestMinor())
		return
	case "nine":
		printKept(t, files, minors.All())
		return
	}
	one, nine := kept(t, "one"), kept(t, "nine")
	t.Logf("%d definitions: %.1f MB for one minor, %.1f MB for nine, %.2f times as much",
		len(files), float64(one)/(1<<20), float64(nine)/(1<<20), float64(nine)/float64(one))
	if 2*nine > 5*one {
		t.Errorf("nine minors keep %d bytes, one keeps %d", nine, one)
	}
}

// printKept prints how many bytes ready definitions keep. What all programs
// share, e.g. the environments of CEL, is not counted.
func printKept(t *testing.T, files []corpus.File, in []minors.Minor) {
	t.Helper()
	ready(t, files[:1], minors.All())
	fmt.Println("kept:", allocs.Kept(func() any { return ready(t, files, in) }))
	runtime.KeepAlive(files) // their texts are not what is kept
}

// kept returns what another process prints.
func kept(t *testing.T, by string) int64 {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestMinorsShareMemory$")
	cmd.Env = append(os.Environ(), keptBy+"="+by)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_, number, _ := strings.Cut(string(out), "kept: ")
	number, _, _ = strings.Cut(number, "\n")
	bytes, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return bytes
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
