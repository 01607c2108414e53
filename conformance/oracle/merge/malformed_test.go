package merge_test

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// compareMalformed applies to objects whose managed fields hold random sets,
// many of them malformed, and compares the errors with those of the real field
// manager of a minor.
func compareMalformed(t *testing.T, minor minors.Minor, ask asking, n int) {
	t.Helper()
	w := newWorld(t, pairs(), structural.Kubernetes(minor))
	w.ask = ask
	refused, trailing := 0, 0
	for seed := range n {
		g := &generator{rand.New(rand.NewPCG(uint64(seed), 8))}
		s, live := malformedStep(g)
		s.version = w.crd.Spec.Versions[0]
		_, realErr := w.runReal(t, live, s)
		_, oursErr := w.runOurs(live, s)
		want, got := "", ""
		if realErr != nil {
			want = realErr.Error()
			refused++
		}
		if oursErr != nil {
			got = oursErr.Error()
		}
		if ask != nil { // the program's answer is JSON, which has no half characters
			got = strings.ToValidUTF8(got, "\ufffd")
			want = replacements.ReplaceAllString(want, "\ufffd")
		}
		if strings.Contains(want, "trailing data") || strings.Contains(want, "top-level value") {
			trailing++
		}
		if got != oneVerb.Replace(want) {
			t.Fatalf("seed %d: %s\ngot  %s\nwant %s", seed, asJSON(live), got, want)
		}
	}
	t.Logf("%d sets, %d refused, %d for data behind an element", n, refused, trailing)
	if refused == 0 || refused == n {
		t.Error("the sets are all alike")
	}
}

// malformedStep returns an apply to pairs, and an object before it whose
// managed fields are random.
func malformedStep(g *generator) (s step, live map[string]any) {
	s = step{apply: true, force: true, manager: "m"}
	s.object = map[string]any{
		"apiVersion": "g.io/v1", "kind": "Pair", "metadata": map[string]any{"name": "n"},
	}
	live = cloneMap(s.object)
	live["metadata"] = map[string]any{"name": "n", "managedFields": []any{map[string]any{
		"apiVersion": "g.io/v1", "fieldsType": "FieldsV1", "fieldsV1": g.set(3),
		"manager": "other", "operation": "Apply", "time": "2020-01-01T00:00:00Z",
	}}}
	return s, live
}

// replacements are the characters for the bytes of one half character.
var replacements = regexp.MustCompile("\ufffd+")

// oneVerb undoes a choice that the second version of Go's JSON makes once for
// each process.
var oneVerb = strings.NewReplacer("json: unable to ", "json: cannot ")

// set returns a random fieldsV1. About half of them hold an element or a value
// that a set cannot have.
func (g *generator) set(depth int) map[string]any {
	out := map[string]any{}
	for range g.IntN(3) {
		key := pick(g, "f:", "f:a", "f:spec", `v:"x"`, "v:1", "v:1.5", "v:true", "v:null", "i:0",
			"i:12", `k:{"a":"b"}`, `k:{"a":1,"b":null}`, ".", "x:y")
		if g.oneIn(12) {
			key = pick(g, "", "f", "v", "fa", ":", "v:", "v:x", `v:"x`, "v:[1", "v:{}", "v:1 2",
				"k:", "k:{", "k:[]", "k:1", `k:{"a"}`, `k:{"a":1`, `k:{a:1}`, "k:{} {}", "i:", "i:x",
				"i:1.5", "i:99999999999999999999", "ü", "é:", "v:\"\x01\"", "v:01", "v:-", "v:1 x",
				`v:"a""b"`, "v:1,", "v: 1 ", "v:1e400", "v:truefalse", "v:nul", "k:null", "k:null 1",
				`k:{"a":1} x`, `k:{"a":1}}`, `k:{"a":1,}`, `k:{"a":{"b":1}}`, `k:{"a":1,"a":2}`, "v:1\n",
				`v:{"a":1} {`)
		}
		switch {
		case depth == 0 || g.oneIn(3):
			out[key] = map[string]any{}
		default:
			out[key] = g.set(depth - 1)
		}
		if g.oneIn(20) {
			out[key] = pick[any](g, nil, "", "x", int64(1), 1.5, true, []any{}, []any{nil})
		}
	}
	if g.oneIn(40) {
		out["f:"+strconv.Itoa(g.IntN(9))] = g.set(max(depth-1, 0))
	}
	return out
}
