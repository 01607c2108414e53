// Package jsonpatch_test compares package internal/belowfacade/jsonpatch with
// the library that the API server patches with.
package jsonpatch_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	library "gopkg.in/evanphx/json-patch.v4"

	"github.com/crdsem/crdsem/internal/belowfacade/jsonpatch"
)

// number is the number of patches of each kind.
func number() int {
	if testing.Short() {
		return 30_000
	}
	return 300_000
}

// outcome is the result of a patch: the document's text, or the error.
type outcome struct {
	text, failure string // failure: "decode: " and the text, "apply" or "crash"
}

// TestPatchDifferential applies random JSON patches as the server does
// (PIPE-019). The bytes, the errors of decoding, and failures and panics of the
// library must be the same. If a library's run depends on the order of a map,
// one of its runs must agree.
func TestPatchDifferential(t *testing.T) {
	library.AccumulatedCopySizeLimit = 3 * 1024 * 1024 // the server's setting
	g := &generator{Rand: rand.New(rand.NewPCG(19, 37))}
	seen, cases := map[string]int{}, number()
	for range cases {
		doc := g.document()
		patch := g.patch(doc)
		got := run(func() ([]byte, error) { return patched(doc, patch) })
		want := theirs(doc, patch)
		for range 50 {
			if got == want {
				break
			}
			want = theirs(doc, patch)
		}
		if got != want {
			t.Fatalf("%s\npatched with %s\ngives %+v,\nthe library's is %+v", doc, patch, got, want)
		}
		seen[strings.SplitN(got.failure, ":", 2)[0]]++
	}
	t.Logf("%d patches: %v", cases, seen)
	for _, kind := range []string{"", "apply", "crash", "decode"} {
		if seen[kind] < cases/1000 {
			t.Errorf("%d of %d patches end in %q: the generator is lopsided", seen[kind], cases,
				kind)
		}
	}
}

// patched returns our outcome.
func patched(doc, text []byte) ([]byte, error) {
	patch, err := jsonpatch.Decode(text)
	if err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	return patch.Apply(context.Background(), doc)
}

// theirs returns the library's outcome.
func theirs(doc, text []byte) outcome {
	return run(func() ([]byte, error) {
		patch, err := library.DecodePatch(text)
		if err != nil {
			return nil, fmt.Errorf("decode: %w", err)
		}
		return patch.Apply(doc)
	})
}

func run(apply func() ([]byte, error)) (got outcome) {
	defer func() {
		if recover() != nil {
			got = outcome{failure: "crash"}
		}
	}()
	text, err := apply()
	switch {
	case err == nil:
		return outcome{text: string(text)}
	case errors.Is(err, jsonpatch.ErrCrash):
		return outcome{failure: "crash"}
	case strings.HasPrefix(err.Error(), "decode: "):
		return outcome{failure: err.Error()}
	}
	return outcome{failure: "apply"}
}

// TestMergeDifferential merges random documents.
func TestMergeDifferential(t *testing.T) {
	g := &generator{Rand: rand.New(rand.NewPCG(20, 37))}
	refused, cases := 0, number()
	for range cases {
		doc, patch := g.document(), []byte(g.value(g.IntN(2)))
		got, err := jsonpatch.Merge(doc, patch)
		want, wantErr := library.MergePatch(doc, patch)
		if string(got) != string(want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%s\nmerged with %s\ngives %s, %v,\nthe library's is %s, %v", doc, patch, got,
				err, want, wantErr)
		}
		if err != nil {
			refused++
		}
	}
	t.Logf("%d merges, %d refused", cases, refused)
	if refused < cases/500 || refused > cases/2 {
		t.Errorf("%d of %d merges are refused: the generator is lopsided", refused, cases)
	}
}

// TestCopies checks that the sum of copies is limited as in the server.
func TestCopies(t *testing.T) {
	library.AccumulatedCopySizeLimit = 3 * 1024 * 1024
	for _, size := range []int{1 << 20, 1<<20 - 2, 1<<20 - 1, 1 << 19} {
		for copies := range 8 {
			doc := []byte(`{"a":"` + strings.Repeat("x", size) + `"}`)
			op := `{"op":"copy","from":"/a","path":"/b"}`
			patch := []byte("[" + strings.TrimSuffix(strings.Repeat(op+",", copies), ",") + "]")
			got := run(func() ([]byte, error) { return patched(doc, patch) })
			if want := theirs(doc, patch); got != want {
				t.Errorf("%d copies of %d bytes: %q, the library's is %q", copies, size+2,
					got.failure, want.failure)
			}
		}
	}
}

// TestDepth checks that nesting is limited as in the library.
func TestDepth(t *testing.T) {
	for _, more := range []int{0, 1} {
		deep := strings.Repeat("[", 5000+more) + strings.Repeat("]", 5000+more)
		doc := []byte(`{"a":` + deep + `,"b":` + strings.Repeat("[", 5000) + `1` + strings.Repeat("]", 5000) + `}`)
		patch := []byte(`[{"op":"copy","from":"/a","path":"/b` + strings.Repeat("/0", 5000) + `"}]`)
		got := run(func() ([]byte, error) { return patched(doc, patch) })
		if want := theirs(doc, patch); got != want {
			t.Errorf("%d levels: %q, %d bytes; the library's is %q, %d bytes", 10000+more,
				got.failure, len(got.text), want.failure, len(want.text))
		}
	}
}

// generator makes documents and patches with few keys, so that paths meet.
type generator struct {
	*rand.Rand
	paths  []string          // paths of the document that is patched
	values map[string]string // values at these paths
}

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *generator) key() string {
	if g.IntN(8) == 0 {
		return g.pick(`"a/b"`, `"~"`, `"<"`, `"\u0061"`, `"ü"`, `"\ud800"`, "\"\xff\"", `""`, `"0"`, `"-"`, `" "`)
	}
	return g.pick(`"a"`, `"b"`, `"c"`)
}

func (g *generator) space() string {
	if g.IntN(12) == 0 {
		return g.pick(" ", "\n", "\t", "\r")
	}
	return ""
}

// value returns the text of a value.
func (g *generator) value(depth int) string {
	kind := g.IntN(10)
	if depth > 3 {
		kind = g.IntN(4)
	}
	var members []string
	switch {
	case kind < 1:
		return "null"
	case kind < 4:
		return g.pick("1", "1.0", "-0", "1e3", "2", `""`, `"x"`, `"<b>"`, `"\u003cb\u003e"`, `"a b"`, `"\u2028"`, "\"\xff\"", "true", "false", "12345678901234567890")
	case kind < 8:
		for range g.IntN(4) {
			members = append(members,
				g.space()+g.key()+g.space()+":"+g.space()+g.value(depth+1)+g.space())
		}
		return "{" + g.space() + strings.Join(members, ",") + "}"
	}
	for range g.IntN(4) {
		members = append(members, g.space()+g.value(depth+1)+g.space())
	}
	return "[" + g.space() + strings.Join(members, ",") + "]"
}

// document returns an object as the server encodes it.
func (g *generator) document() []byte {
	for {
		var object map[string]any
		text := g.value(0)
		if len(text) < 20 {
			continue
		}
		if err := json.Unmarshal([]byte(text), &object); err == nil && object != nil {
			text, err := json.Marshal(object)
			if err != nil {
				panic(err)
			}
			return text
		}
	}
}

// patch returns the text of a JSON patch, mostly of paths in the document,
// sometimes of others.
func (g *generator) patch(doc []byte) []byte {
	var value any
	if err := json.Unmarshal(doc, &value); err != nil {
		panic(err)
	}
	g.values = map[string]string{}
	g.collect(value, "")
	g.paths = slices.Sorted(maps.Keys(g.values))
	if g.IntN(100) == 0 {
		return []byte(g.value(0))
	}
	var operations []string
	for range 1 + g.IntN(4) {
		operations = append(operations, g.operation())
	}
	return []byte("[" + strings.Join(operations, ",") + "]")
}

func (g *generator) operation() string {
	if g.IntN(200) == 0 {
		return g.value(0)
	}
	op := g.pick("add", "add", "add", "remove", "replace", "replace", "move", "copy", "copy",
		"test", "test")
	path := g.path()
	members := []string{`"op":"` + op + `"`, `"path":` + quoted(path)}
	if op == "move" || op == "copy" {
		members = append(members, `"from":`+quoted(g.path()))
	}
	if there, ok := g.values[path]; ok && op == "test" && g.IntN(4) > 0 {
		members = append(members, `"value":`+there)
	} else if g.IntN(20) > 0 {
		members = append(members, `"value":`+g.value(1))
	}
	if g.IntN(50) == 0 {
		at := g.IntN(len(members))
		members[at] = g.pick(`"op":null`, `"op":1`, `"op":"Add"`, `"path":null`, `"path":1`, `"from":{}`, `"PATH":"/a"`, `"value":1`, `"more":1`)
	}
	g.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, ",") + "}"
}

// collect records the paths in a value and the values there.
func (g *generator) collect(value any, at string) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	g.values[at] = string(text)
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			g.collect(member, at+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
		}
	case []any:
		for i, item := range value {
			g.collect(item, at+"/"+strconv.Itoa(i))
		}
	}
}

// path returns a path, mostly one of the document.
func (g *generator) path() string {
	var path strings.Builder
	if len(g.paths) > 0 && g.IntN(8) > 0 {
		path.WriteString(g.paths[g.IntN(len(g.paths))])
		if g.IntN(4) > 0 {
			return path.String()
		}
	}
	if g.IntN(60) == 0 {
		path.WriteString(g.pick("a", "x y", "#"))
	}
	for range []int{0, 1, 1, 1, 2, 2, 2, 3, 3, 4}[g.IntN(10)] {
		path.WriteByte('/')
		if g.IntN(3) == 0 {
			path.WriteString(
				g.pick("0", "1", "2", "-1", "-2", "-", "+1", "01", "9", "~1", "a~1b", "~0", "~",
					"<", "ü", "", " ", "-9223372036854775808", "99999999999999999999"),
			)
			continue
		}
		path.WriteString(g.pick("a", "b", "c"))
	}
	return path.String()
}

func quoted(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}
