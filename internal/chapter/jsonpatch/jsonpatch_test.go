package jsonpatch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// crashed is the result for a patch at which the server's library panics,
// failed that for one that cannot be applied.
const (
	crashed = "crashed"
	failed  = "failed"
)

// JSON patches have the result of the server's library, or fail with it
// (PIPE-019).
func TestApply(t *testing.T) {
	for _, tc := range []struct{ name, doc, patch, want string }{
		{"nothing", `{"b":1,"a":[1.0,{"y":1,"x":2}]}`, `[]`, `{"a":[1.0,{"y":1,"x":2}],"b":1}`},
		{"null", `{"a":1}`, `null`, `{"a":1}`},
		{"add", `{}`, `[{"op":"add","path":"/a","value":{"c":1, "b":"<"}}]`, `{"a":{"c":1,"b":"\u003c"}}`},
		{"add without a value", `{}`, `[{"op":"add","path":"/a"}]`, `{"a":null}`},
		{"add without a slash", `{}`, `[{"op":"add","path":"x/a","value":1}]`, `{"a":1}`},
		{"add to the whole", `{}`, `[{"op":"add","path":"","value":{}}]`, failed},
		{"add below nothing", `{}`, `[{"op":"add","path":"/a/b","value":1}]`, failed},
		{"add below null", `{"a":null}`, `[{"op":"add","path":"/a/b","value":1}]`, failed},
		{"add below a string", `{"a":"x"}`, `[{"op":"add","path":"/a/b","value":1}]`, failed},
		{"add with escapes", `{"a/b":{"~":{}}}`, `[{"op":"add","path":"/a~1b/~0/~01","value":1}]`, `{"a/b":{"~":{"~1":1}}}`},
		{"add to a list", `{"a":[1,2]}`, `[{"op":"add","path":"/a/1","value":3}]`, `{"a":[1,3,2]}`},
		{"add at the end", `{"a":[1,2]}`, `[{"op":"add","path":"/a/-","value":3},{"op":"add","path":"/a/3","value":4}]`, `{"a":[1,2,3,4]}`},
		{"add from the end", `{"a":[1,2]}`, `[{"op":"add","path":"/a/-1","value":3},{"op":"add","path":"/a/-4","value":4}]`, `{"a":[4,1,2,3]}`},
		{"add after the end", `{"a":[1,2]}`, `[{"op":"add","path":"/a/3","value":3}]`, failed},
		{"add before the start", `{"a":[1,2]}`, `[{"op":"add","path":"/a/-4","value":3}]`, failed},
		{"add at no index", `{"a":[1,2]}`, `[{"op":"add","path":"/a/x","value":3}]`, failed},
		{"a path opens what it goes through", `{}`, `[{"op":"add","path":"/a","value":{"b":{"d":1,"d":2},"a":[{"d":1,"d":2}]}},{"op":"add","path":"/a/b/e","value":3}]`, `{"a":{"a":[{"d":1,"d":2}],"b":{"d":2,"e":3}}}`},
		{"remove", `{"a":1,"b":[1,2]}`, `[{"op":"remove","path":"/a"},{"op":"remove","path":"/b/-1"}]`, `{"b":[1]}`},
		{"remove what is null", `{"a":null}`, `[{"op":"remove","path":"/a"}]`, `{}`},
		{"remove nothing", `{}`, `[{"op":"remove","path":"/a"}]`, failed},
		{"remove after the end", `{"a":[1]}`, `[{"op":"remove","path":"/a/1"}]`, failed},
		{"replace", `{"a":1,"b":[1]}`, `[{"op":"replace","path":"/a","value":2},{"op":"replace","path":"/b/0","value":2}]`, `{"a":2,"b":[2]}`},
		{"replace nothing", `{}`, `[{"op":"replace","path":"/a","value":2}]`, `{"a":2}`},
		{"replace after the end", `{"a":[1]}`, `[{"op":"replace","path":"/a/1","value":2}]`, failed},
		{"replace below nothing", `{}`, `[{"op":"replace","path":"/a/b","value":2}]`, failed},
		{"replace the whole", `{"a":1}`, `[{"op":"replace","path":"","value":[1,{"b":1,"b":2}]}]`, `[1,{"b":1,"b":2}]`},
		{"replace the whole by a string", `{"a":1}`, `[{"op":"replace","path":"","value":"a"}]`, failed},
		{"replace the whole by null", `{"a":1}`, `[{"op":"replace","path":"","value":null}]`, failed},
		{"replace the whole by nothing", `{"a":1}`, `[{"op":"replace","path":""}]`, crashed},
		{"move", `{"a":1,"b":{}}`, `[{"op":"move","from":"/a","path":"/b/c"}]`, `{"b":{"c":1}}`},
		{"move within a list", `{"a":[1,2,3]}`, `[{"op":"move","from":"/a/0","path":"/a/-"}]`, `{"a":[2,3,1]}`},
		{"move into itself", `{"a":{"b":1}}`, `[{"op":"move","from":"/a","path":"/a/b"}]`, failed},
		{"move nothing", `{}`, `[{"op":"move","from":"/a","path":"/b"}]`, failed},
		{"copy", `{"a":{"b":1}}`, `[{"op":"copy","from":"/a","path":"/a/c"},{"op":"add","path":"/a/c/b","value":2}]`, `{"a":{"b":1,"c":{"b":2}}}`},
		{"copy nothing", `{}`, `[{"op":"copy","from":"/a","path":"/b"}]`, `{"b":null}`},
		{"copied nothing is null", `{}`, `[{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":null}]`, `{"b":null}`},
		{"copy an item that is not there", `{"a":[]}`, `[{"op":"copy","from":"/a/0","path":"/b"}]`, failed},
		{"a copied null is an empty object", `{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":{}}]`, `{"a":null,"b":null}`},
		{"a copied null is not null", `{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":null}]`, failed},
		{"a copied null takes no field", `{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/c","value":1}]`, crashed},
		{"test", `{"a":{"c":[1,"x"],"b":null}}`, `[{"op":"test","path":"/a","value":{"b":null, "c":[ 1,"x"]}},{"op":"test","path":""},{"op":"x"}]`, crashed},
		{"test the whole", `{"a":1}`, `[{"op":"test","path":"","value":{"a":1}}]`, `{"a":1}`},
		{"test a number spelled otherwise", `{"a":1}`, `[{"op":"test","path":"/a","value":1.0}]`, failed},
		{"test a string spelled otherwise", `{"a":"a"}`, `[{"op":"test","path":"/a","value":"\u0061"}]`, failed},
		{"test for null", `{"a":null}`, `[{"op":"test","path":"/a","value":null},{"op":"test","path":"/a"},{"op":"test","path":"/b","value":null}]`, `{"a":null}`},
		{"test for nothing", `{"a":1}`, `[{"op":"test","path":"/a"}]`, failed},
		{"test an item that is not there", `{"a":[1]}`, `[{"op":"test","path":"/a/1","value":1}]`, failed},
		{"test nulls in lists", `{"a":[null]}`, `[{"op":"test","path":"/a","value":[null]}]`, crashed},
		{"test a difference before nulls in lists", `{"a":{"b":1,"c":[null]}}`, `[{"op":"test","path":"/a","value":{"b":2,"c":[null]}}]`, failed},
		{"no operation", `{}`, `[null]`, failed},
		{"another operation", `{}`, `[{"op":"Add","path":"/a"}]`, failed},
		{"another type of path", `{"a":1}`, `[{"op":"remove","path":["a"]}]`, failed},
		{"another type of source", `{"a":1}`, `[{"op":"copy","from":null,"path":"/a"}]`, failed},
	} {
		patch, err := Decode([]byte(tc.patch))
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		got, err := patch.Apply(context.Background(), []byte(tc.doc))
		switch {
		case errors.Is(err, ErrCrash):
			got = []byte(crashed)
		case err != nil:
			got = []byte(failed)
		}
		if string(got) != tc.want {
			t.Errorf("%s: %s (%v), want %s", tc.name, got, err, tc.want)
		}
	}
}

// A copy may nest a document as deep as maxDepth, and not deeper.
func TestDepth(t *testing.T) {
	const copied = 6000
	document := `{"a":` + strings.Repeat("[", copied) + strings.Repeat("]", copied) + `}`
	const deepest = maxDepth - copied - 1
	for inside, want := range map[int]error{deepest: nil, deepest + 1: errDepth} {
		path := "/a" + strings.Repeat("/0", inside-1) + "/-"
		patch, err := Decode([]byte(`[{"op":"copy","from":"/a","path":"` + path + `"}]`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := patch.Apply(t.Context(), []byte(document)); !errors.Is(err, want) {
			t.Errorf("a copy %d levels inside: %.80v, want %v", inside, err, want)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:  "json: cannot unmarshal object into Go value of type jsonpatch.Patch",
		`[1]`: "json: cannot unmarshal number into Go value of type jsonpatch.Operation",
	} {
		if _, err := Decode([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Merge patches have the result of the server's library (PIPE-019).
func TestMerge(t *testing.T) {
	for _, tc := range []struct{ name, doc, patch, want string }{
		{"nothing", `{"b":1,"a":{"d":1,"c":1}}`, `{}`, `{"a":{"d":1,"c":1},"b":1}`},
		{"set and delete", `{"a":1,"b":{"c":1,"d":1}}`, `{"a":null,"b":{"c":null,"e":1.0},"x":null}`, `{"b":{"d":1,"e":1.0}}`},
		{"an object in the place of a string loses its nulls", `{"a":"x"}`, `{"a":{"b":null,"c":[null,{"d":null}]}}`, `{"a":{"c":[null,{}]}}`},
		{"a list in the place of a list", `{"a":[1]}`, `{"a":[null,{"d":null}]}`, `{"a":[null,{}]}`},
		{"a list in the place of an object stays as it is", `{"a":{}}`, `{"a":[null,{"d":null,"d":1,"d":null}]}`, `{"a":[null,{"d":null,"d":1,"d":null}]}`},
		{"a string in the place of an object", `{"a":{"b":1}}`, `{"a":"x"}`, `{"a":"x"}`},
		{"a list is the document", `{"a":1}`, `[null,{"b":null,"c":"<"}]`, `[null,{"c":"\u003c"}]`},
		{"null", `{"a":1}`, `null`, failed},
		{"a number", `{"a":1}`, `1`, failed},
		{"a string", `{"a":1}`, `"a"`, failed},
	} {
		got, err := Merge([]byte(tc.doc), []byte(tc.patch))
		if err != nil {
			got = []byte(failed)
		}
		if string(got) != tc.want || err != nil && err != ErrMergePatch {
			t.Errorf("%s: %s (%v), want %s", tc.name, got, err, tc.want)
		}
	}
}

// Copies cannot double a document without end, and depth costs no more than
// length.
func TestGrowth(t *testing.T) {
	double := `[{"op":"add","path":"/a","value":{"x":"` + strings.Repeat("x", 1000) + `"}}` + strings.Repeat(`,{"op":"copy","from":"/a","path":"/a/y"}`, 9000) + `]`
	deep := strings.Repeat(`{"a":`, 9000)
	patch, err := Decode([]byte(double))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := patch.Apply(context.Background(), []byte(`{}`)); !errors.Is(err, errCopied) {
		t.Errorf("copies of copies: %v", err)
	}
	large := []byte(deep + `"` + strings.Repeat("x", 1<<20) + `"` + strings.Repeat("}", 9000))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if got, err := Merge(large, large); err != nil || !bytes.Equal(got, large) {
		t.Errorf("merged with itself: %d bytes, %v", len(got), err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 20*uint64(len(large)) {
		t.Errorf("it took %d bytes", took)
	}
}

// FuzzApply applies any patch to any object. The result is JSON and the same
// each time. Where the patch follows the RFC to the letter, it is the RFC's.
func FuzzApply(f *testing.F) {
	for _, patch := range []string{
		`[{"op":"add","path":"/a/b","value":[1,null]},{"op":"test","path":"/a","value":{"b":[1,null]}}]`, `[{"op":"move","path":"/b","from":"/a"}]`,
		`[{"op":"replace","path":"/a/0","value":{}},{"op":"copy","from":"/a","path":"/a/-"}]`, `[{"op":"remove","path":"/a/-1"}]`, `null`,
	} {
		f.Add(`{"a":{"c":1}}`, patch)
		f.Add(`{"a":[1,"x"],"b":null}`, patch)
	}
	f.Fuzz(func(t *testing.T, doc, text string) {
		var object map[string]any
		if json.Unmarshal([]byte(doc), &object) != nil || object == nil {
			return // the server patches objects
		}
		patch, err := Decode([]byte(text))
		if err != nil {
			return // there is nothing to apply
		}
		got, err := patch.Apply(context.Background(), []byte(doc))
		again, errAgain := patch.Apply(context.Background(), []byte(doc))
		if !bytes.Equal(got, again) || (err == nil) != (errAgain == nil) {
			t.Fatalf("%s, %v; and again %s, %v", got, err, again, errAgain)
		}
		if err == nil && !json.Valid(got) {
			t.Fatalf("%s is no JSON", got)
		}
		want, ok := plainly(object, text)
		if !ok || errors.Is(err, ErrCrash) {
			return // the library may depart from the RFC
		}
		var value any
		if err != nil || json.Unmarshal(got, &value) != nil || !reflect.DeepEqual(value, want) {
			t.Errorf("%s patched with %s: %s, %v; want %v", doc, text, got, err, want)
		}
	})
}

// plainly applies a patch as the RFC defines it, if its operations are add,
// replace and remove in objects. It reports false for any other patch, and for
// one that fails.
func plainly(object map[string]any, text string) (any, bool) {
	var operations []map[string]any
	if json.Unmarshal([]byte(text), &operations) != nil {
		return nil, false
	}
	for _, operation := range operations {
		op, _ := operation["op"].(string)
		path, _ := operation["path"].(string)
		tokens := strings.Split(path, "/")
		if len(tokens) < 2 || tokens[0] != "" || strings.Contains(path, "~") {
			return nil, false
		}
		at := object
		for _, token := range tokens[1 : len(tokens)-1] {
			next, ok := at[token].(map[string]any)
			if !ok {
				return nil, false
			}
			at = next
		}
		key := tokens[len(tokens)-1]
		_, present := at[key]
		switch {
		case op == "add", op == "replace" && present:
			at[key] = operation["value"]
		case op == "remove" && present:
			delete(at, key)
		default:
			return nil, false
		}
	}
	return object, true
}
