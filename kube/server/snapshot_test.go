package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/kube/server/internal/storage"
	"github.com/crdsem/crdsem/minors"
)

// A file has all objects of a server, definitions first, and another server
// reads them as they were.
func TestSnapshot(t *testing.T) {
	c := newTestCluster(t, aKinds)
	c.must(t, "POST", "/apis/g.io/v1/as",
		`{"apiVersion":"g.io/v1","kind":"A","metadata":{"name":"a"},"n":-0.0,"i":1}`)
	c.must(t, "POST", "/apis/g.io/v1/as",
		`{"apiVersion":"g.io/v1","kind":"A","metadata":{"name":"b"},"n":0}`)
	path := filepath.Join(t.TempDir(), "data")
	if err := c.save(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	head := fmt.Sprintf(`{"kind":"crdsem-server/v1","revision":%d}`+"\n", c.store.Revision())
	if lines[0] != head {
		t.Errorf("begins with %s, want %s", lines[0], head)
	}
	var keys []string
	for _, line := range lines[1 : len(lines)-2] {
		var object snapshotLine
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, fmt.Sprint(object.Group, " ", object.Resource, " ", object.Key, " ",
			object.NegativeZero))
	}
	want := []string{
		"apiextensions.k8s.io customresourcedefinitions " + definitionPrefix + "as.g.io false",
		"g.io as /g.io/as/a true", "g.io as /g.io/as/b false",
	}
	for _, name := range []string{"default", "kube-node-lease", "kube-public", "kube-system"} {
		want = append(want, " namespaces //namespaces/"+name+" false")
	}
	want = append(want, " services //services/default/kubernetes false")
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Error(diff)
	}
	type kept struct {
		revision     uint64
		size         int64
		negativeZero bool
		content      map[string]any
	}
	all := func(c *cluster) map[string]kept {
		out := map[string]kept{}
		for _, k := range c.sorted() {
			objects, _ := k.objects.List(k.prefix(""))
			for object := range objects.All() {
				out[object.Key] = kept{
					object.Revision, object.Size, object.NegativeZero, object.Content(),
				}
			}
		}
		return out
	}
	next, err := newCluster(minors.Newest(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := next.restore(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if next.starting || next.store.Revision() != c.store.Revision() {
		t.Errorf("revision %d, want %d", next.store.Revision(), c.store.Revision())
	}
	if diff := cmp.Diff(all(c), all(next), cmp.AllowUnexported(kept{})); diff != "" {
		t.Error(diff)
	}
	if got, made := next.uid(), c.uid(); got == made {
		t.Errorf("a uid twice: %s", got)
	}
}

// A file that cannot be read or written is an error that names the line, and
// nothing is left of one that is not written.
func TestSnapshotFails(t *testing.T) {
	c := newTestCluster(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "data")
	if err := c.save(path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	const expected = ": line 1: expected the kind crdsem-server/v1 of a file that a server wrote"
	text := string(whole)
	head, rest, _ := strings.Cut(text, "\n")
	for name, test := range map[string]struct {
		ctx        context.Context
		text, want string
	}{
		"whole":      {t.Context(), string(whole), ""},
		"only ahead": {t.Context(), head, ": the end is missing: the file was cut"},
		"empty":      {t.Context(), "", expected},
		"no kind":    {t.Context(), "{}\n" + rest, expected},
		"no JSON":    {t.Context(), "{\n" + rest, expected},
		"other kind": {t.Context(), strings.Replace(string(whole), "v1", "v2", 1), expected},
		"line 2":     {t.Context(), head + "\n{\n", ": line 2: unexpected end of JSON input"},
		"line 3":     {t.Context(), head + "\n" + strings.SplitAfter(rest, "\n")[0] + "[]", ": line 3: json: cannot"},
		"resource": {t.Context(), head + "\n" + `{"group":"g.io","resource":"as"}`,
			": line 2: no definition of as.g.io"},
		"cut": {t.Context(), text[:strings.LastIndex(strings.TrimSpace(text), "\n")+1],
			": the end is missing: the file was cut"},
		"changed": {t.Context(), strings.Replace(text, "kube-public", "kube-other", 1),
			": the sum at the end is that of other lines"},
		"context": {ended, string(whole), "context canceled"},
	} {
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := newTestCluster(t).restore(test.ctx, path); err != nil {
			got = strings.TrimPrefix(err.Error(), path)
		}
		if !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
	for of, isError := range map[string]bool{"": false, path + "-none": false, dir: true} {
		if err := c.restore(t.Context(), of); (err != nil) != isError {
			t.Errorf("%s: %v", of, err)
		}
	}
	for _, of := range []string{dir, filepath.Join(dir, "none", "data")} {
		if err := c.save(of); err == nil {
			t.Errorf("%s is written", of)
		}
	}
	c.must(t, "POST", "/api/v1/namespaces", `{"metadata":{"name":"a"}}`)
	live := c.objectsOf(namespaces).Get("//namespaces/a")
	odd := storage.NewObject(live.Key, map[string]any{"a": func() {}}, nil)
	c.objectsOf(namespaces).Swap(live.Key, live, odd)
	var unsupported *json.UnsupportedTypeError
	if err := c.save(path); !errors.As(err, &unsupported) {
		t.Errorf("what has no JSON is written: %v", err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 || left[0].Name() != "data" {
		t.Errorf("left are %v (%v)", left, err)
	}
	if left, err := filepath.Glob(dir + "*.new-*"); err != nil || len(left) != 0 {
		t.Errorf("left are %v (%v)", left, err)
	}
}
