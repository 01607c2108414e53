package edit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/minors"
)

// found returns what is found in a file, in lines.
func found(t *testing.T, w *Workspace, name string) (all []string) {
	t.Helper()
	list, err := w.Diagnose(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		at := d.Range
		text := fmt.Sprintf("%d:%d-%d %s %s %s", at.Start.Line, at.Start.Column, at.End.Column,
			d.Severity, d.Rule, d.Message)
		if len(d.Kubernetes) > 0 {
			text += " in " + strings.Join(d.Kubernetes, ", ")
		}
		all = append(all, text)
	}
	return all
}

var shortImage = strings.Replace(tab, "image: {", "image: {maxLength: 2, ", 1)

// Settings say what is judged, and how.
func TestSettings(t *testing.T) {
	const object = tabHead + "spec:\n  image: x\n  q: 1\n"
	const unknown = ` PIPE-006 unknown field "spec.q"`
	var asked []Finding
	var skipped []string
	odd := strings.Replace(tab, "  scope:", "  odd: 1\n  scope:", 1)
	const isOdd = ` PIPE-006 unknown field "spec.odd"`
	const listType = "24:14-18 warning LINT-listtype"
	for _, c := range []struct {
		name     string
		settings Settings
		text     string
		want     []string
	}{
		{"none", Settings{}, object, []string{"6:2-3 error" + unknown}},
		{"in the order of columns", Settings{}, tabHead + "spec: {min: a, image: x, q: 1}\n",
			[]string{"4:12-30 error VAL-020", "4:25-26 error" + unknown}},
		{"objects", Settings{Objects: crdsem.Warn}, object, []string{"6:2-3 warning" + unknown}},
		{"ignored fields", Settings{Objects: crdsem.Ignore}, object, nil},
		{"definitions", Settings{Definitions: crdsem.Strict, Lint: map[string]string{"LINT-listtype": "off"}}, odd,
			[]string{"5:2-5 error" + isOdd}},
		{"definitions by default", Settings{}, odd, []string{"5:2-5 warning" + isOdd, listType}},
		{"lint", Settings{Lint: map[string]string{"LINT-listtype": "error", "LINT-none": "error"}}, tab,
			[]string{"23:14-18 error LINT-listtype"}},
		{"ignores", Settings{Ignores: func(f Finding) bool {
			asked = append(asked, f)
			return f.Rule == "PIPE-006"
		}}, object, nil},
		{"others", Settings{Ignores: func(f Finding) bool { return false }}, object, []string{"6:2-3 error" + unknown}},
		{"skips", Settings{Skips: func(group, kind, namespace, name string) bool {
			skipped = append(skipped, group, kind, namespace, name)
			return true
		}}, object, nil},
		{"fields", Settings{Fields: []string{"spec.max"}}, tabHead + "spec: {image: x, max: a}\n", nil},
		{"unknown kinds", Settings{}, "apiVersion: example.com/v1\nkind: Other\nmetadata: {name: a}\n", nil},
		{"required definitions", Settings{RequireDefinitions: true},
			"apiVersion: example.com/v1\nkind: Other\nmetadata: {name: a}\n", []string{"1:6-11 error  no definition of example.com/v1 Other was given"}},
		{"no manifest", Settings{}, "a: 1\n", nil},
		{"no object", Settings{}, "- a\n", nil},
		{"strict files", Settings{StrictFiles: true}, "- a\n", []string{"0:0-3 error"}},
		{"substituted", Settings{Substitute: map[string]string{"v": "aaa"}}, tabHead + "spec:\n  image: x${v}\n",
			[]string{"5:9-14 error VAL-04"}},
		{"not substituted", Settings{}, tabHead + "spec:\n  image: x${v}\n", nil},
		{"minors", Settings{Kubernetes: []minors.Minor{"1.30", "1.37"}}, object, []string{"6:2-3 error" + unknown}},
	} {
		w := NewWorkspace(UTF32)
		w.Set("crd.yaml", shortImage)
		if strings.HasPrefix(c.text, "apiVersion: apiext") {
			w.Remove("crd.yaml")
		}
		w.Set("x.yaml", c.text)
		found(t, w, "x.yaml") // the settings change afterwards
		w.Configure(c.settings)
		got := found(t, w, "x.yaml")
		for i := range got {
			if i < len(c.want) && strings.HasPrefix(got[i], c.want[i]) {
				got[i] = c.want[i]
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	want := []Finding{{
		Rule: "PIPE-006", File: "x.yaml", Field: "spec.q",
		Group: "example.com", Kind: "Tab", Name: "a",
	}}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"example.com", "Tab", "", "a"}, skipped); diff != "" {
		t.Error(diff)
	}
}

// Files say what is judged of others: of two definitions the later one counts,
// kustomizations name patches, and Flux substitutes in folders.
func TestFilesOfOthers(t *testing.T) {
	files := map[string]string{
		"a.yaml": shortImage, "b.yaml": shortImage,
		"k/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n" +
			"patches: [{path: part.yaml}, {path: crd.yaml}]\n",
		"k/part.yaml": tabHead + "spec: {min: 1}\n",
		"k/crd.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n" +
			"metadata: {name: tabs.example.com}\nspec: {scope: Cluster}\n",
		"list.yaml": "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: example.com/v1, kind: Tab, metadata: {name: a}, " +
			"spec: {image: x, q: 1}}\n- apiVersion: example.com/v1\n  kind: Tab\n  metadata: {name: b}\n  spec: {image: x, r: 1}\n",
		"broken.yaml": "apiVersion: v1\nkind: List\nitems: [5]\n",
		"flux.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: f}\n" +
			"spec: {path: ./apps, postBuild: {substitute: {v: aaa}}}\n",
		"/apps/x.yaml":   tabHead + "spec:\n  image: x${v}\n",
		"/r/apps/x.yaml": tabHead + "spec:\n  image: x${v}\n",
	}
	for root, want := range map[string]map[string]int{
		"":   {"/apps/x.yaml": 1, "/r/apps/x.yaml": 0},
		"/r": {"/apps/x.yaml": 0, "/r/apps/x.yaml": 1},
	} {
		w := NewWorkspace(UTF32)
		s := Settings{Lint: map[string]string{"LINT-listtype": "off"}}
		if root != "" {
			s.Root = func(folder string) string {
				if folder != "." {
					t.Errorf("the root of %s is asked for", folder)
				}
				return root
			}
		}
		w.Configure(s)
		for name, text := range files {
			w.Set(name, text)
		}
		for name, n := range want {
			if got := found(t, w, name); len(got) != n {
				t.Errorf("%q: %s: %q", root, name, got)
			}
		}
		for name, want := range map[string][]string{
			"a.yaml":               nil,
			"b.yaml":               {"0:0-10 warning  Tab.example.com is defined at a.yaml:1:1 too; objects are judged by this definition"},
			"broken.yaml":          {"2:8-10 error  items[0]: expected an object, got integer"},
			"k/kustomization.yaml": nil, "k/part.yaml": nil, "k/crd.yaml": nil,
			"list.yaml": {`3:80-81 error PIPE-006 unknown field "spec.q"`, `7:19-20 error PIPE-006 unknown field "spec.r"`},
		} {
			if diff := cmp.Diff(want, found(t, w, name)); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
		for name, has := range map[string]bool{
			"a.yaml": true, "k/kustomization.yaml": true, "flux.yaml": true, "list.yaml": false, "none.yaml": false,
		} {
			if w.Has(name) != has {
				t.Errorf("%s changes others: %t", name, !has)
			}
		}
		w.Remove("k/kustomization.yaml")
		if got := found(t, w, "k/part.yaml"); len(got) != 1 {
			t.Errorf("the patch alone: %q", got)
		}
		w.Remove("flux.yaml")
		if got := found(t, w, root+"/apps/x.yaml"); len(got) != 0 {
			t.Errorf("without the substitution: %q", got)
		}
	}
}

// Results are kept while nothing changes that they depend on.
func TestKeptResults(t *testing.T) {
	w, ctx := NewWorkspace(UTF32), context.Background()
	w.Set("crd.yaml", tab)
	w.Set("x.yaml", tabHead+"spec: {image: x}\n")
	judged := func() []judgedDocument { return w.judged(ctx, w.definitions(ctx), w.file("x.yaml")) }
	first := judged()
	for _, c := range []struct {
		name, text string
		same       bool
	}{
		{"other.yaml", tabHead, true}, {"config.yaml", "kind: ConfigMap", false}, {"crd2.yaml", ruledTab, false},
		{"kustomization.yaml", "", false}, {"crd.yaml", "a: [", false}, {"crd.yaml", "", false},
	} {
		w.Set(c.name, c.text)
		next := judged()
		if (&first[0] == &next[0]) != c.same {
			t.Errorf("%s: the same results: %t", c.name, !c.same)
		}
		first = next
	}
	for name, same := range map[string]bool{
		"other.yaml": true, "none.yaml": true, "crd2.yaml": false,
	} {
		w.Remove(name)
		next := judged()
		if (&first[0] == &next[0]) != same {
			t.Errorf("without %s: the same results: %t", name, !same)
		}
		first = next
	}
}

// The cache is emptied after a thousand definitions that changed.
func TestOutdated(t *testing.T) {
	w := NewWorkspace(UTF32)
	w.Set("crd.yaml", tab)
	w.Set("two.yaml", tab+"---\n"+ruledTab)
	w.definitions(t.Context())
	for _, c := range []struct {
		do   func()
		want int
	}{
		{func() { w.Set("crd.yaml", tab) }, 1},
		{func() { w.Set("crd.yaml", tab) }, 2},
		{func() { w.Set("x.yaml", "a: 1") }, 2},
		{func() { w.Set("two.yaml", "a: [") }, 4},
		{func() { w.Remove("two.yaml") }, 6},
		{func() { w.Remove("x.yaml") }, 6},
		{func() { w.outdated = 998; w.Set("crd.yaml", tab) }, 999},
		{func() { w.Set("crd.yaml", tab) }, 0},
		{func() { w.outdated = 5; w.Configure(Settings{}) }, 0},
	} {
		if c.do(); w.outdated != c.want {
			t.Errorf("%d are outdated, want %d", w.outdated, c.want)
		}
	}
}

// Files that were not read are read for a kind as long as there is room.
func TestMentioning(t *testing.T) {
	w := NewWorkspace(UTF32)
	for name, text := range map[string]string{
		"a": "kind: Tab\n", "b": "kind: Tab # longer\n", "c": "kind: Tab\n", "d": "kind: Other\n", "e": "Tab: 1\n",
		"f": "kind: Tab # was read\n", "g": tab,
	} {
		w.Set(name, text)
	}
	w.file("f").parsed()
	w.Prepare(t.Context(), "g", nil)
	for most, want := range map[int]string{
		0: "f", 9: "e f", 10: "a f", 19: "a e f", 20: "a c f", 27: "a c e f", 28: "a c e f", 29: "a b f", 999: "a b c e f",
	} {
		var got []string
		for f := range w.mentioning("Tab", most) {
			got = append(got, f.name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%d: %v, want %s", most, got, want)
		}
	}
	for f := range w.mentioning("Tab", 999) {
		if f.name != "a" {
			t.Errorf("%s follows", f.name)
		}
		break
	}
}

// A text that can be had again is not kept.
func TestPrepare(t *testing.T) {
	w, asked := NewWorkspace(UTF32), 0
	again := func() string {
		asked++
		return tab
	}
	w.Set("crd.yaml", tab)
	w.Set("x.yaml", "a: 1")
	for _, name := range []string{"crd.yaml", "x.yaml", "none.yaml"} {
		w.Prepare(t.Context(), name, again)
	}
	if f := w.file("crd.yaml"); f.kept != "" || f.documents != nil || asked != 0 {
		t.Errorf("%q is kept, asked %d times", f.kept, asked)
	}
	if w.Text("crd.yaml") != tab || asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	if f := w.file("x.yaml"); f.again != nil {
		t.Error("a file of objects is asked for")
	}
	w.Set("x.yaml", tabHead+"spec: {imagee: x}\n")
	got := found(t, w, "x.yaml")
	if len(got) != 2 || !slices.ContainsFunc(got, func(s string) bool {
		return strings.Contains(s, "spec.imagee")
	}) {
		t.Errorf("%q", got)
	}
	if asked != 1 {
		t.Errorf("asked %d times for a finding", asked)
	}
	to, ok := w.Definition(t.Context(), "x.yaml", Position{4, 1})
	if !ok || marked(w, to) != "«spec»:" {
		t.Errorf("%+v", to)
	}
}

// Objects are found by their kind and name, whatever the case, 500 at most.
func TestFindObjects(t *testing.T) {
	w := NewWorkspace(UTF32)
	w.Set("crd.yaml", "# a\n---\n"+tab)
	w.Set("x.yaml", tabHead+"---\na: 1\n---\n"+strings.Replace(tabHead, "name: a", "name: b", 1)+
		"---\na: [\n")
	place := func(file string, line int) Location {
		return Location{file, Range{Position{line, 0}, Position{line, 0}}}
	}
	definition := Object{"CustomResourceDefinition", "tabs.example.com", place("crd.yaml", 2)}
	for text, want := range map[string][]Object{
		"TAB":   {definition, {"Tab", "a", place("x.yaml", 0)}, {"Tab", "b", place("x.yaml", 7)}},
		"tab b": {{"Tab", "b", place("x.yaml", 7)}},
		"tabc":  nil,
	} {
		for range 2 {
			if diff := cmp.Diff(want, w.Find(text)); diff != "" {
				t.Errorf("%s: %s", text, diff)
			}
			w.Prepare(t.Context(), "crd.yaml", nil)
		}
	}
	w.Set("many.yaml", strings.Repeat(tabHead+"---\n", 501))
	if n := len(w.Find("tab a")); n != 500 {
		t.Errorf("%d objects", n)
	}
}
