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

// failed is the result for a merge patch that cannot be applied.
const failed = "failed"

// JSON patches have the result of the server's library, or fail with it
// (PIPE-019).
func TestApply(t *testing.T) {
	for _, tc := range []struct{ name, doc, patch, want string }{
		{"nothing", `{"b":1,"a":[1.0,{"y":1,"x":2}]}`, `[]`, `{"a":[1.0,{"y":1,"x":2}],"b":1}`},
		{"null", `{"a":1}`, `null`, `{"a":1}`},
		{"add", `{}`, `[{"op":"add","path":"/a","value":{"c":1, "b":"<"}}]`, `{"a":{"c":1,"b":"\u003c"}}`},
		{"add without a value", `{}`, `[{"op":"add","path":"/a"}]`, `{"a":null}`},
		{"add without a slash", `{}`, `[{"op":"add","path":"x/a","value":1}]`, `{"a":1}`},
		{"add to the whole", `{}`, `[{"op":"add","path":"","value":{}}]`, `operation 0 (add ""): there is no such path`},
		{"add below nothing", `{}`, `[{"op":"add","path":"/a/b","value":1}]`, `operation 0 (add "/a/b"): there is no such path`},
		{"add below null", `{"a":null}`, `[{"op":"add","path":"/a/b","value":1}]`, `operation 0 (add "/a/b"): there is no such path`},
		{"add below a string", `{"a":"x"}`, `[{"op":"add","path":"/a/b","value":1}]`, `operation 0 (add "/a/b"): there is no such path`},
		{"add with escapes", `{"a/b":{"~":{}}}`, `[{"op":"add","path":"/a~1b/~0/~01","value":1}]`, `{"a/b":{"~":{"~1":1}}}`},
		{"add to a list", `{"a":[1,2]}`, `[{"op":"add","path":"/a/1","value":3}]`, `{"a":[1,3,2]}`},
		{"add at the end", `{"a":[1,2]}`, `[{"op":"add","path":"/a/-","value":3},{"op":"add","path":"/a/3","value":4}]`, `{"a":[1,2,3,4]}`},
		{"add from the end", `{"a":[1,2]}`, `[{"op":"add","path":"/a/-1","value":3},{"op":"add","path":"/a/-4","value":4}]`, `{"a":[4,1,2,3]}`},
		{"add after the end", `{"a":[1,2]}`, `[{"op":"add","path":"/a/3","value":3}]`, `operation 0 (add "/a/3"): there is no such index`},
		{"add before the start", `{"a":[1,2]}`, `[{"op":"add","path":"/a/-4","value":3}]`, `operation 0 (add "/a/-4"): there is no such index`},
		{"add at no index", `{"a":[1,2]}`, `[{"op":"add","path":"/a/x","value":3}]`, `operation 0 (add "/a/x"): there is no such index`},
		{"a path opens what it goes through", `{}`, `[{"op":"add","path":"/a","value":{"b":{"d":1,"d":2},"a":[{"d":1,"d":2}]}},{"op":"add","path":"/a/b/e","value":3}]`, `{"a":{"a":[{"d":1,"d":2}],"b":{"d":2,"e":3}}}`},
		{"remove", `{"a":1,"b":[1,2]}`, `[{"op":"remove","path":"/a"},{"op":"remove","path":"/b/-1"}]`, `{"b":[1]}`},
		{"remove what is null", `{"a":null}`, `[{"op":"remove","path":"/a"}]`, `{}`},
		{"remove nothing", `{}`, `[{"op":"remove","path":"/a"}]`, `operation 0 (remove "/a"): there is no such path`},
		{"remove after the end", `{"a":[1]}`, `[{"op":"remove","path":"/a/1"}]`, `operation 0 (remove "/a/1"): there is no such index`},
		{"replace", `{"a":1,"b":[1]}`, `[{"op":"replace","path":"/a","value":2},{"op":"replace","path":"/b/0","value":2}]`, `{"a":2,"b":[2]}`},
		{"replace nothing", `{}`, `[{"op":"replace","path":"/a","value":2}]`, `{"a":2}`},
		{"replace after the end", `{"a":[1]}`, `[{"op":"replace","path":"/a/1","value":2}]`, `operation 0 (replace "/a/1"): there is no such index`},
		{"replace below nothing", `{}`, `[{"op":"replace","path":"/a/b","value":2}]`, `operation 0 (replace "/a/b"): there is no such path`},
		{"replace the whole", `{"a":1}`, `[{"op":"replace","path":"","value":[1,{"b":1,"b":2}]}]`, `[1,{"b":1,"b":2}]`},
		{"replace the whole by a string", `{"a":1}`, `[{"op":"replace","path":"","value":"a"}]`, `operation 0 (replace ""): the whole can be replaced by an object or a list only`},
		{"replace the whole by null", `{"a":1}`, `[{"op":"replace","path":"","value":null}]`, `operation 0 (replace ""): the whole can be replaced by an object or a list only`},
		{"replace the whole by nothing", `{"a":1}`, `[{"op":"replace","path":""}]`, `operation 0 (replace ""): the server panics at this`},
		{"move", `{"a":1,"b":{}}`, `[{"op":"move","from":"/a","path":"/b/c"}]`, `{"b":{"c":1}}`},
		{"move within a list", `{"a":[1,2,3]}`, `[{"op":"move","from":"/a/0","path":"/a/-"}]`, `{"a":[2,3,1]}`},
		{"move into itself", `{"a":{"b":1}}`, `[{"op":"move","from":"/a","path":"/a/b"}]`, `operation 0 (move "/a/b"): there is no such path`},
		{"move nothing", `{}`, `[{"op":"move","from":"/a","path":"/b"}]`, `operation 0 (move "/b"): there is no such path`},
		{"copy", `{"a":{"b":1}}`, `[{"op":"copy","from":"/a","path":"/a/c"},{"op":"add","path":"/a/c/b","value":2}]`, `{"a":{"b":1,"c":{"b":2}}}`},
		{"copy nothing", `{}`, `[{"op":"copy","from":"/a","path":"/b"}]`, `{"b":null}`},
		{"copied nothing is null", `{}`, `[{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":null}]`, `{"b":null}`},
		{"copy an item that is not there", `{"a":[]}`, `[{"op":"copy","from":"/a/0","path":"/b"}]`, `operation 0 (copy "/b"): there is no such index`},
		{"a copied null is an empty object", `{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":{}}]`, `{"a":null,"b":null}`},
		{"a copied null is not null", `{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":null}]`, `operation 2 (test "/b"): the value is another`},
		{"a copied null takes no field", `{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/c","value":1}]`, `operation 2 (add "/b/c"): the server panics at this`},
		{"test", `{"a":{"c":[1,"x"],"b":null}}`, `[{"op":"test","path":"/a","value":{"b":null, "c":[ 1,"x"]}},{"op":"test","path":""},{"op":"x"}]`, `operation 1 (test ""): the server panics at this`},
		{"test the whole", `{"a":1}`, `[{"op":"test","path":"","value":{"a":1}}]`, `{"a":1}`},
		{"test a number spelled otherwise", `{"a":1}`, `[{"op":"test","path":"/a","value":1.0}]`, `operation 0 (test "/a"): the value is another`},
		{"test a string spelled otherwise", `{"a":"a"}`, `[{"op":"test","path":"/a","value":"\u0061"}]`, `operation 0 (test "/a"): the value is another`},
		{"test for null", `{"a":null}`, `[{"op":"test","path":"/a","value":null},{"op":"test","path":"/a"},{"op":"test","path":"/b","value":null}]`, `{"a":null}`},
		{"test for nothing", `{"a":1}`, `[{"op":"test","path":"/a"}]`, `operation 0 (test "/a"): the value is another`},
		{"test an item that is not there", `{"a":[1]}`, `[{"op":"test","path":"/a/1","value":1}]`, `operation 0 (test "/a/1"): there is no such index`},
		{"test nulls in lists", `{"a":[null]}`, `[{"op":"test","path":"/a","value":[null]}]`, `operation 0 (test "/a"): the server panics at this`},
		{"test a difference before nulls in lists", `{"a":{"b":1,"c":[null]}}`, `[{"op":"test","path":"/a","value":{"b":2,"c":[null]}}]`, `operation 0 (test "/a"): the value is another`},
		{"white space", "\t{ \"a\" :\r[ 1 ,\n{ \"b\" : null } , 2 ],\"c\":{ \"d\" : 1 } }", `[{"op":"test","path":"/a/2","value":2},{"op":"replace","path":"/a/1/b","value":3},{"op":"remove","path":"/c/d"}]`, `{"a":[1,{"b":3},2],"c":{}}`},
		{"strings with brackets and quotes", `{"a":{"}\\":"{\"]\\","b":["\\\"",true,null]}}`, `[{"op":"add","path":"/a/c","value":-1.5e3}]`, `{"a":{"b":["\\\"",true,null],"c":-1.5e3,"}\\":"{\"]\\"}}`},
		{"escaped keys", `{"a":{"\u0062":1,"b":2,"\u003c":3,"\t":4}}`, `[{"op":"add","path":"/a/<","value":5},{"op":"copy","from":"/a/b","path":"/a/c"}]`, `{"a":{"\t":4,"\u003c":5,"b":2,"c":2}}`},
		{"keys that are not UTF-8", "{\"a\":{\"\xff\":1}}", "[{\"op\":\"test\",\"path\":\"/a/\xff\",\"value\":1},{\"op\":\"add\",\"path\":\"/a/b\",\"value\":2}]", "{\"a\":{\"b\":2,\"\ufffd\":1}}"},
		{"the last of duplicate members stays", `{"a":{"c":1,"b":2,"c":3}}`, `[{"op":"replace","path":"/a/b","value":4}]`, `{"a":{"b":4,"c":3}}`},
		{"an empty key", `{"":{"":1}}`, `[{"op":"replace","path":"//","value":2}]`, `{"":{"":2}}`},
		{"add instead of another", `{"a":1}`, `[{"op":"add","path":"/a","value":[]},{"op":"add","path":"/a/0","value":{}},{"op":"add","path":"/a/0/b","value":2}]`, `{"a":[{"b":2}]}`},
		{"add at the first index", `{"a":[1]}`, `[{"op":"add","path":"/a/0","value":0},{"op":"add","path":"/a/1","value":null}]`, `{"a":[0,null,1]}`},
		{"add below an item that is null", `{"a":[null]}`, `[{"op":"add","path":"/a/0/b","value":1}]`, `operation 0 (add "/a/0/b"): there is no such path`},
		{"add below an item that is not there", `{"a":[{}]}`, `[{"op":"add","path":"/a/1/b","value":1}]`, `operation 0 (add "/a/1/b"): there is no such path`},
		{"add below the end", `{"a":[{}]}`, `[{"op":"add","path":"/a/-/b","value":1}]`, `operation 0 (add "/a/-/b"): there is no such path`},
		{"add below a null of the patch", `{}`, `[{"op":"add","path":"/a","value":null},{"op":"add","path":"/a/b","value":1}]`, `operation 1 (add "/a/b"): there is no such path`},
		{"add without a path", `{}`, `[{"op":"add","value":1}]`, `operation 0 (add ""): a path must be a string`},
		{"remove the first and the last", `{"a":[1,2,3]}`, `[{"op":"remove","path":"/a/0"},{"op":"remove","path":"/a/1"}]`, `{"a":[2]}`},
		{"remove from the end", `{"a":[1,2,3]}`, `[{"op":"remove","path":"/a/-3"}]`, `{"a":[2,3]}`},
		{"remove before the start", `{"a":[1]}`, `[{"op":"remove","path":"/a/-2"}]`, `operation 0 (remove "/a/-2"): there is no such index`},
		{"remove the end", `{"a":[1]}`, `[{"op":"remove","path":"/a/-"}]`, `operation 0 (remove "/a/-"): there is no such index`},
		{"replace from the end", `{"a":[1,2]}`, `[{"op":"replace","path":"/a/-1"},{"op":"replace","path":"/a/-2","value":3}]`, `{"a":[3,null]}`},
		{"replace no string", `{}`, `[{"op":"replace","path":1}]`, `operation 0 (replace ""): a path must be a string`},
		{"replace the whole, and patch it", `{"a":1}`, `[{"op":"replace","path":"","value":[1]},{"op":"add","path":"/0","value":2}]`, `[2,1]`},
		{"move from the end", `{"a":[1,2],"b":3}`, `[{"op":"move","from":"/a/-1","path":"/b"}]`, `{"a":[1],"b":2}`},
		{"move to the same place", `{"a":[1,2]}`, `[{"op":"move","from":"/a/1","path":"/a/1"}]`, `{"a":[1,2]}`},
		{"move an item that is not there", `{"a":[]}`, `[{"op":"move","from":"/a/0","path":"/b"}]`, `operation 0 (move "/b"): there is no such index`},
		{"move without a source", `{}`, `[{"op":"move","path":"/b"}]`, `operation 0 (move "/b"): a path must be a string`},
		{"move below nothing", `{"a":1}`, `[{"op":"move","from":"/a","path":"/b/c"}]`, `operation 0 (move "/b/c"): there is no such path`},
		{"copy below nothing", `{"a":1}`, `[{"op":"copy","from":"/a","path":"/b/c"}]`, `operation 0 (copy "/b/c"): there is no such path`},
		{"copy without a slash", `{"a":1}`, `[{"op":"copy","from":"a","path":"/b"}]`, `operation 0 (copy "/b"): there is no such path`},
		{"copy what the document holds as null", `{"a":null}`, `[{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":null},{"op":"add","path":"/b/c","value":1}]`, `operation 2 (add "/b/c"): there is no such path`},
		{"copy escapes", `{"a":["<", "\u00e9"]}`, `[{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":["\u003c","\u00e9"]}]`, `{"a":["\u003c","\u00e9"],"b":["\u003c","\u00e9"]}`},
		{"test below nothing", `{}`, `[{"op":"test","path":"/a/b","value":1}]`, `operation 0 (test "/a/b"): there is no such path`},
		{"test without a path", `{}`, `[{"op":"test","value":1}]`, `operation 0 (test ""): a path must be a string`},
		{"test a null of the patch", `{}`, `[{"op":"add","path":"/a","value":null},{"op":"test","path":"/a","value":null},{"op":"test","path":"/a"}]`, `operation 2 (test "/a"): the value is another`},
		{"test a member that is not there", `{}`, `[{"op":"test","path":"/a","value":1}]`, `operation 0 (test "/a"): the value is another`},
		{"test true", `{"a":[true,"b",[],{}]}`, `[{"op":"test","path":"/a","value":[true,"b",[],{}]},{"op":"test","path":"/a/0","value":false}]`, `operation 1 (test "/a/0"): the value is another`},
		{"test another", `{"a":{}}`, `[{"op":"test","path":"/a","value":1}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":1}`, `[{"op":"test","path":"/a","value":{}}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":[]}`, `[{"op":"test","path":"/a","value":{}}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":{}}`, `[{"op":"test","path":"/a","value":[]}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":[]}`, `[{"op":"test","path":"/a","value":1}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":1}`, `[{"op":"test","path":"/a","value":[]}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":[1]}`, `[{"op":"test","path":"/a","value":[1,2]}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":[1,2]}`, `[{"op":"test","path":"/a","value":[1]}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":[1,2]}`, `[{"op":"test","path":"/a","value":[1,3]}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":[{"b":1}]}`, `[{"op":"test","path":"/a","value":[{"b":2}]}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":{"b":1}}`, `[{"op":"test","path":"/a","value":{"c":1}}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":{"b":1}}`, `[{"op":"test","path":"/a","value":{"b":1,"c":1}}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":{"b":1,"c":1}}`, `[{"op":"test","path":"/a","value":{"b":1}}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":{"b":null}}`, `[{"op":"test","path":"/a","value":{"b":1}}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":{"b":1}}`, `[{"op":"test","path":"/a","value":{"b":null}}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":{"b":null}}`, `[{"op":"test","path":"/a","value":{"c":null}}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":{"b":null,"c":1}}`, `[{"op":"test","path":"/a","value":{"b":null,"c":2}}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":[null]}`, `[{"op":"test","path":"/a","value":[1]}]`, `operation 0 (test "/a"): the server panics at this`},
		{"test another", `{"a":[1]}`, `[{"op":"test","path":"/a","value":[null]}]`, `operation 0 (test "/a"): the server panics at this`},
		{"test another", `{"a":[2,null]}`, `[{"op":"test","path":"/a","value":[1,1]}]`, `operation 0 (test "/a"): the value is another`},
		{"test another", `{"a":{"b":[null],"c":1}}`, `[{"op":"test","path":"/a","value":{"a":1,"b":[null]}}]`, `operation 0 (test "/a"): the server panics at this`},
		{"test another", `{"a":{"a":1,"b":[null]}}`, `[{"op":"test","path":"/a","value":{"b":[null],"c":1}}]`, `operation 0 (test "/a"): the value is another`},
		{"no operation", `{}`, `[null]`, `operation 0 ( ""): there is no such operation`},
		{"another operation", `{}`, `[{"op":"Add","path":"/a"}]`, `operation 0 (Add "/a"): there is no such operation`},
		{"another type of path", `{"a":1}`, `[{"op":"remove","path":["a"]}]`, `operation 0 (remove ""): a path must be a string`},
		{"another type of source", `{"a":1}`, `[{"op":"copy","from":null,"path":"/a"}]`, `operation 0 (copy "/a"): a path must be a string`},
	} {
		patch, err := Decode([]byte(tc.patch))
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		got, err := patch.Apply(t.Context(), []byte(tc.doc))
		if err != nil {
			got = []byte(err.Error())
		}
		if string(got) != tc.want {
			t.Errorf("%s of %s: %s, want %s", tc.name, tc.doc, got, tc.want)
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

// Neither what is next to each other nor brackets in strings are depth.
func TestWidth(t *testing.T) {
	for _, value := range []string{"[],", "{},", `"[",`, `"{\"",`, `{"[":1},`} {
		value = "[" + strings.Repeat(value, maxDepth+1) + "1]"
		if got, err := Merge([]byte(`{}`), []byte(value)); string(got) != value || err != nil {
			t.Errorf("%.20s…: %.20s…, %v", value, got, err)
		}
	}
}

// An ended context ends a patch before its next operation.
func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("cause"))
	if got, err := (Patch{nil}).Apply(ctx, []byte(`{}`)); got != nil || err != context.Canceled {
		t.Errorf("%s, %v", got, err)
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
		{"an object in the place of an object", `{"a":{"b":1,"c":{"d":1}}}`, `{"a":{"b":null,"c":{"d":2,"e":null}}}`, `{"a":{"c":{"d":2}}}`},
		{"an object in the place of null", `{"a":null}`, `{"a":{"b":null,"c":1}}`, `{"a":{"c":1}}`},
		{"an object in the place of a list", `{"a":[1]}`, `{"a":{"b":{"c":null}}}`, `{"a":{"b":{}}}`},
		{"a list in the place of nothing", `{}`, `{"a":[{"b":null,"c":[null,{"d":null}],"c":1,"b":2}]}`, `{"a":[{"b":2,"c":1}]}`},
		{"an empty list", `{}`, `[]`, `[]`},
		{"lists in a list", `{}`, `[[null,{"b":null}]]`, `[[null,{}]]`},
		{"duplicate members", `{"a":{"b":1,"b":2}}`, `{"a":{"c":3,"c":4}}`, `{"a":{"b":2,"c":4}}`},
		{"no JSON", `{"a":1}`, `{"a":`, failed},
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

// A patch ends with its context.
func TestPatchEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	patch, err := Decode([]byte(`[{"op":"add","path":"/a","value":1}]`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := patch.Apply(ctx, []byte(`{}`)); err != nil {
		t.Error(err)
	}
	cancel()
	if _, err := patch.Apply(ctx, []byte(`{}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: %v", err)
	}
}
