package crdsem_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
)

// Bytes are decoded as a server decodes a body of their language.
func TestDecode(t *testing.T) {
	for name, c := range map[string]struct {
		encoding crdsem.Encoding
		text     string
		want     map[string]any // nil for an error
		strict   string
		err      string
	}{
		"integers": {"", `{"a":1,"b":1.5}`, map[string]any{"a": int64(1), "b": 1.5}, "", ""},
		"a float in JSON": {
			crdsem.JSON, `{"a":1.0}`, map[string]any{"a": 1.0}, "", "",
		},
		"a float in YAML":   {"", "a: 1.0\n", map[string]any{"a": int64(1)}, "", ""},
		"YAML with a brace": {crdsem.YAML, "{a: b, 'c': 1}", map[string]any{"a": "b", "c": int64(1)}, "", ""},
		"case":              {"", `{"Kind":"a","kind":"b"}`, map[string]any{"Kind": "a", "kind": "b"}, "", ""},
		"a repeated key": {
			crdsem.JSON, `{"a":1,"a":2}`, map[string]any{"a": int64(2)}, `duplicate field "a"`, "",
		},
		"a list":           {"", `[1]`, nil, "", "expected an object, got array"},
		"nothing":          {"", ``, nil, "", "expected an object, got null"},
		"YAML as JSON":     {crdsem.JSON, `a: 1`, nil, "", "invalid character"},
		"another language": {"xml", `{}`, nil, "", `unknown encoding "xml": want json or yaml`},
	} {
		got, strict, err := c.encoding.Decode([]byte(c.text))
		if diff := cmp.Diff(c.want, got); diff != "" || (err == nil) != (c.want != nil) ||
			err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, want %q: %s", name, err, c.err, diff)
		}
		told := errors.Join(strict...)
		if told == nil && c.strict != "" || told != nil && told.Error() != c.strict {
			t.Errorf("%s: strict %v, want %q", name, told, c.strict)
		}
	}
	got, err := crdsem.Decode([]byte(`{"a":1}`))
	if diff := cmp.Diff(map[string]any{"a": int64(1)}, got); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
}

func TestEncode(t *testing.T) {
	text, err := crdsem.Encode(map[string]any{"b": 1.0, "a": []any{nil, 1.5, "x"}})
	if want := `{"a":[null,1.5,"x"],"b":1}`; string(text) != want || err != nil {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
	_, err = crdsem.Encode(map[string]any{"a": struct{}{}})
	if _, ok := errors.AsType[*crdsem.ValueError](err); !ok {
		t.Errorf("%v is no *ValueError", err)
	}
}

// A patch is applied without a verdict.
func TestPatchTypeApply(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx   context.Context
		patch string
		want  map[string]any // nil for an error
		isNo  bool           // whether the text is no patch
		err   error
	}{
		"merge":             {t.Context(), `{"a":null,"c":1}`, map[string]any{"b": int64(2), "c": int64(1)}, false, nil},
		"operations":        {t.Context(), `[{"op":"remove","path":"/a"}]`, map[string]any{"b": int64(2)}, false, nil},
		"no operations":     {t.Context(), `[]`, map[string]any{"a": int64(1), "b": int64(2)}, false, nil},
		"a test that fails": {t.Context(), `[{"op":"test","path":"/a","value":3}]`, nil, false, crdsem.ErrPatchTest},
		"no such path":      {t.Context(), `[{"op":"remove","path":"/z"}]`, nil, false, nil},
		"not a patch":       {t.Context(), `[1]`, nil, true, nil},
		"not a merge patch": {t.Context(), `{`, nil, true, nil},
		"an ended context":  {ended, `[{"op":"remove","path":"/a"}]`, nil, false, context.Canceled},
	} {
		of := typeOf(c.patch)
		object := map[string]any{"a": int64(1), "b": 2.0}
		got, err := of.Apply(c.ctx, object, []byte(c.patch))
		if diff := cmp.Diff(c.want, got); diff != "" || (err == nil) != (c.want != nil) ||
			c.err != nil && !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v: %s", name, err, c.err, diff)
		}
		if no := of.Check([]byte(c.patch)); (no != nil) != c.isNo {
			t.Errorf("%s: check says %v", name, no)
		}
		if diff := cmp.Diff(map[string]any{"a": int64(1), "b": 2.0}, object); diff != "" {
			t.Errorf("%s: the object is changed: %s", name, diff)
		}
	}
	_, err := crdsem.JSONPatch.Apply(t.Context(), map[string]any{},
		[]byte(`[{"op":"replace","path":"","value":[]}]`))
	if _, ok := errors.AsType[*crdsem.ValueError](err); !ok {
		t.Errorf("a list in place of the object: %v", err)
	}
	const other = crdsem.PatchType("text/plain")
	if _, err := other.Apply(t.Context(), nil, nil); err == nil ||
		!strings.HasPrefix(err.Error(), `unknown type of patch "text/plain"`) {
		t.Error(err)
	}
}

func TestIsStored(t *testing.T) {
	if crdsem.IsStored() || crdsem.IsStored(crdsem.DefaultsMemory(1), nil) ||
		!crdsem.IsStored(crdsem.DefaultsMemory(1), crdsem.Stored()) {
		t.Error("an option is not recognized")
	}
}
