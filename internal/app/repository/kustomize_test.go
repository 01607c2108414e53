package repository

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/manifest"
)

// What is delivered is what kustomize builds, object by object. A repository in
// CRDSEM_REPOSITORY is compared, too.
func TestLikeKustomize(t *testing.T) {
	program, err := exec.LookPath("kustomize")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("kustomize is not installed") // users do not need it; CI has it
	}
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS("testdata/kustomize")); err != nil {
		t.Fatal(err)
	}
	c := compared{t: t, program: program, references: map[string]int{}}
	if c.tree(root); c.objects < 20 || c.failed > 0 || c.unknown > 0 {
		t.Errorf("compared %d objects; %d folders failed, %d unknown",
			c.objects, c.failed, c.unknown)
	}
	for _, key := range references {
		if c.references[key] == 0 {
			t.Errorf("kustomize changes no reference %s: it need not be exempt", key)
		}
	}
	for _, difference := range c.differences {
		t.Error(difference)
	}
	if root = os.Getenv("CRDSEM_REPOSITORY"); root != "" {
		c := compared{t: t, program: program, references: map[string]int{}}
		c.tree(root)
		t.Logf("%d folders, %d failed; %d objects, %d not known; references: %v",
			c.folders, c.failed, c.objects, c.unknown, c.references)
		for _, difference := range c.differences {
			t.Log(difference)
		}
	}
}

// compared counts what was compared with kustomize.
type compared struct {
	t                                 *testing.T
	program                           string
	folders, failed, objects, unknown int
	references                        map[string]int // by their keys
	differences                       []string
}

// references are the keys of names of other objects. kustomize renames them
// with those objects; which of them it does needs all objects of a build at
// once, and whether a name is valid depends on the prefix, which is judged on
// the object that it names. So these names are compared without it.
var references = []string{"name", "namespace", "serviceAccountName", "secretName"}

// tree compares the kustomizations in a folder and below that no other one
// includes.
func (c *compared) tree(root string) {
	o := &Owners{ReadFile: func(folder, name string) (string, bool) {
		text, err := os.ReadFile(filepath.Join(folder, name))
		return string(text), err == nil
	}}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains(Kustomizations, filepath.Base(path)) {
			return err
		}
		for _, object := range c.read(path) {
			o.ReadResources(filepath.Dir(path), object)
		}
		return nil
	})
	if err != nil {
		c.t.Fatal(err)
	}
	o.reach("")
	for _, k := range o.roots() {
		c.folder(o, k)
	}
}

// read returns the objects of a file.
func (c *compared) read(path string) (all []map[string]any) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return objectsIn(string(text))
}

func objectsIn(text string) (all []map[string]any) {
	for object, err := range manifest.Parse("", strings.NewReader(text)) {
		if err != nil {
			break
		}
		if other, _ := AsKustomized(object.Data); other != nil {
			object.Content = other
		}
		all = append(all, object.Content)
	}
	return all
}

// folder compares what one kustomization delivers.
func (c *compared) folder(o *Owners, k *kustomization) {
	c.folders++
	command := exec.CommandContext(c.t.Context(), c.program, "build", k.folder)
	command.Env = append(os.Environ(),
		"GIT_ALLOW_PROTOCOL=none", "HTTPS_PROXY=http://127.0.0.1:1",
		"HTTP_PROXY=http://127.0.0.1:1")
	out, err := command.Output()
	if err != nil {
		c.failed++
		return
	}
	want := map[string][]map[string]any{}
	for _, object := range objectsIn(string(out)) {
		want[keyOf(object)] = append(want[keyOf(object)], object)
	}
	for _, file := range slices.Sorted(maps.Keys(o.plain)) {
		isOwn := func(by *kustomization) bool { return by.folder == k.folder }
		i := slices.IndexFunc(o.plain[file], isOwn)
		if i < 0 {
			continue
		}
		for _, object := range c.read(file) {
			for _, got := range o.after(o.plain[file][i], file, object) {
				c.object(k.folder+": "+filepath.Base(file), got, want)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		for range want[key] {
			kind := strings.Fields(key)[0] // of the core
			if kind != "ConfigMap" && kind != "Secret" {
				c.report("%s: only kustomize has %s", k.folder, key)
			}
		}
	}
}

func (c *compared) report(format string, args ...any) {
	c.differences = append(c.differences, fmt.Sprintf(format, args...))
}

// object compares an object with that of kustomize, which is taken out.
func (c *compared) object(at string, got patched, want map[string][]map[string]any) {
	c.objects++
	key := keyOf(got.object)
	others := want[key]
	switch {
	case got.isUnknown:
		c.unknown++
		want[key] = others[min(1, len(others)):]
		return
	case got.isDeleted:
		if len(others) > 0 {
			c.report("%s %s: deleted here only", at, key)
		}
		return
	case len(others) == 0:
		c.report("%s %s: kustomize does not have it", at, key)
		return
	}
	want[key] = others[1:]
	c.value(at+" "+key+": ", got.object, others[0])
}

// value compares two values. References to other objects follow the names that
// kustomize gives them, which is not done here.
func (c *compared) value(path string, a, b any) {
	switch own := a.(type) {
	case map[string]any:
		other, _ := b.(map[string]any)
		keys := maps.Clone(own)
		maps.Copy(keys, other)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			c.value(path+"."+key, own[key], other[key])
		}
		return
	case []any:
		if other, ok := b.([]any); ok && len(own) == len(other) {
			for i := range own {
				c.value(fmt.Sprintf("%s[%d]", path, i), own[i], other[i])
			}
			return
		}
	}
	if jsonvalue.Equal(a, b) {
		return
	}
	own, _ := a.(string)
	other, isText := b.(string)
	last := path[strings.LastIndexByte(path, '.')+1:]
	isRenamed := strings.Contains(other, own) || last == "namespace"
	if isText && isRenamed && slices.Contains(references, last) {
		c.references[last]++
		return
	}
	c.report("%s: %.200v, kustomize has %.200v", path, a, b)
}

// keyOf returns the kind and the name of an object.
func keyOf(object map[string]any) string {
	t := typemeta.Of(object)
	namespace, name := typemeta.Name(object)
	return t.Group + " " + t.Kind + " " + namespace + "/" + name
}
