package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdsem/crdsem/minors"
)

// newTestCluster returns a cluster that serves a definition, at a fixed time.
func newTestCluster(t *testing.T, definitions ...string) *cluster {
	t.Helper()
	c, err := newCluster(minors.Newest(), nil)
	if err != nil {
		t.Fatal(err)
	}
	c.starting = false
	c.Now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	for _, text := range definitions {
		c.must(t, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", text)
	}
	return c
}

// must sends a request that is done, and returns the object of its answer.
func (c *cluster) must(t *testing.T, method, path, body string) map[string]any {
	t.Helper()
	code, text := asked(t, c, method, path, body)
	if code >= http.StatusMultipleChoices {
		t.Fatalf("%s %s: %d %s", method, path, code, text)
	}
	var out map[string]any
	if err := utiljson.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// A sweep deletes what owns nothing any more, step by step. What is to stay
// stays, and what is held by a finalizer is only marked.
func TestSweep(t *testing.T) {
	const (
		maps = "/api/v1/namespaces/default/configmaps"
		as   = "/apis/g.io/v1/as"
	)
	c := newTestCluster(t, aKinds)
	uids := map[string]string{}
	// Lines like "child owner another+ other? !g.io/x" are an object with
	// owners, of which one blocks and one has another name, and a finalizer. A
	// name that begins with a- is that of an A, others are those of ConfigMaps.
	of := func(name string) (path, head string) {
		if strings.HasPrefix(name, "a-") {
			return as, `"apiVersion":"g.io/v1","kind":"A"`
		}
		return maps, `"apiVersion":"v1","kind":"ConfigMap"`
	}
	create := func(lines ...string) {
		t.Helper()
		for _, line := range lines {
			words := strings.Fields(line)
			var owners, finalizers []string
			for _, word := range words[1:] {
				if f, ok := strings.CutPrefix(word, "!"); ok {
					finalizers = append(finalizers, `"`+f+`"`)
					continue
				}
				owner, blocks := strings.CutSuffix(word, "+")
				owner, other := strings.CutSuffix(owner, "?")
				_, head := of(owner)
				name, uid := owner, cmp.Or(uids[owner], "none")
				if other { // of the uid, but another name
					name = "other"
				}
				owners = append(owners, fmt.Sprintf(`{%s,"name":%q,"uid":%q,"blockOwnerDeletion":%t}`,
					head, name, uid, blocks))
			}
			path, head := of(words[0])
			out := c.must(t, "POST", path, fmt.Sprintf(
				`{%s,"metadata":{"name":%q,"ownerReferences":[%s],"finalizers":[%s]}}`, head, words[0],
				strings.Join(owners, ","), strings.Join(finalizers, ",")))
			uids[words[0]] = metaText(out, "uid")
		}
	}
	// state returns the objects: their owners, finalizers, and a - if marked.
	state := func() string {
		var all []string
		for _, path := range []string{maps, as} {
			items, _ := c.must(t, "GET", path, "")["items"].([]any)
			for _, item := range items {
				object, _ := item.(map[string]any)
				line := metaText(object, "name")
				if metaText(object, "deletionTimestamp") != "" {
					line += "-"
				}
				var owners []string
				for _, owner := range ownersOf(object) {
					owners = append(owners, ownerText(owner, "name"))
				}
				all = append(all, strings.TrimSpace(line+" "+strings.Join(slices.Concat(owners,
					finalizersOf(object)), " ")))
			}
		}
		return strings.Join(all, ", ")
	}
	sweep := func(changed bool, want string) {
		t.Helper()
		if got := c.sweep(t.Context()); got != changed {
			t.Errorf("changed is %t", got)
		}
		if got := state(); got != want {
			t.Errorf("the state is\n%s, want\n%s", got, want)
		}
	}
	remove := func(name, policy string) {
		t.Helper()
		path, _ := of(name)
		c.must(t, "DELETE", path+"/"+name+"?propagationPolicy="+policy, "")
	}
	create("a-top", "b a-top", "c a-top b", "d none", "e b?", "f b none", "g none !g.io/x", "h")
	sweep(true, "b a-top, c a-top b, f b, g- none g.io/x, h, a-top")
	sweep(false, "b a-top, c a-top b, f b, g- none g.io/x, h, a-top")
	remove("a-top", "Background")
	sweep(true, "c b, f b, g- none g.io/x, h")
	sweep(true, "g- none g.io/x, h")
	sweep(false, "g- none g.io/x, h")
	c.must(t, "PATCH", maps+"/g", `{"metadata":{"finalizers":null}}`)
	create("o", "p o", "q o h", "r p")
	remove("o", "Orphan")
	sweep(true, "h, p, q h, r p")
	sweep(false, "h, p, q h, r p")
	create("s !g.io/x", "u s+", "v s !g.io/y", "w h s+ !g.io/z")
	remove("s", "Foreground")
	sweep(true, "h, p, q h, r p, s- g.io/x foregroundDeletion, u- s foregroundDeletion, "+
		"v- s g.io/y foregroundDeletion, w- h s g.io/z foregroundDeletion")
	// Nothing is below u, v and w, but w blocks its owner.
	sweep(true, "h, p, q h, r p, s- g.io/x foregroundDeletion, v- s g.io/y, w- h s g.io/z")
	sweep(false, "h, p, q h, r p, s- g.io/x foregroundDeletion, v- s g.io/y, w- h s g.io/z")
	c.must(t, "PATCH", maps+"/w", `{"metadata":{"finalizers":null}}`)
	sweep(true, "h, p, q h, r p, s- g.io/x, v- s g.io/y")
	sweep(false, "h, p, q h, r p, s- g.io/x, v- s g.io/y")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	create("x none")
	if c.sweep(ended) {
		t.Error("a sweep after its context")
	}
	sweep(true, "h, p, q h, r p, s- g.io/x, v- s g.io/y")
}

// A namespace ends when nothing is in it, and what has no finalizers of its own
// ends with it.
func TestSweepNamespaces(t *testing.T) {
	const spaces = "/api/v1/namespaces"
	c := newTestCluster(t)
	for _, name := range []string{"one", "two"} {
		c.must(t, "POST", spaces, `{"metadata":{"name":"`+name+`","finalizers":["g.io/x"]}}`)
		c.must(t, "POST", spaces+"/"+name+"/configmaps",
			`{"metadata":{"name":"a","finalizers":["g.io/y"]}}`)
		c.must(t, "POST", spaces+"/"+name+"/secrets", `{"metadata":{"name":"b"}}`)
	}
	c.must(t, "POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", `{"metadata":{"name":"one"}}`)
	state := func() string {
		var all []string
		for _, path := range []string{
			"/api/v1/namespaces", "/api/v1/configmaps", "/api/v1/secrets",
			"/apis/rbac.authorization.k8s.io/v1/clusterroles",
		} {
			items, _ := c.must(t, "GET", path, "")["items"].([]any)
			for _, item := range items {
				object, _ := item.(map[string]any)
				line := metaText(object, "namespace") + "/" + metaText(object, "name")
				line = strings.TrimPrefix(line, "/")
				if strings.HasPrefix(line, "kube-") || line == "default" {
					continue
				}
				if metaText(object, "deletionTimestamp") != "" {
					line += "-"
				}
				if of := fmt.Sprint(specFinalizers(object)); path == spaces {
					line += of
				}
				all = append(all, line)
			}
		}
		return strings.Join(all, " ")
	}
	c.must(t, "DELETE", spaces+"/one", "")
	for _, step := range []struct {
		patch   string
		changed bool
		want    string
	}{
		{"", true, "one-[kubernetes] two[kubernetes] one/a- two/a two/b one"},
		{"", false, "one-[kubernetes] two[kubernetes] one/a- two/a two/b one"},
		{"/one/configmaps/a", true, "one-[] two[kubernetes] two/a two/b one"},
		{"", false, "one-[] two[kubernetes] two/a two/b one"},
		{"/one", false, "two[kubernetes] two/a two/b one"},
	} {
		if step.patch != "" {
			c.must(t, "PATCH", spaces+step.patch, `{"metadata":{"finalizers":null}}`)
		}
		if got := c.sweep(t.Context()); got != step.changed || state() != step.want {
			t.Errorf("%s: changed is %t, the state is %s, want %s", step.patch, got, state(),
				step.want)
		}
	}
}
