package live

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/test/corpus"
)

// repository is the root of the repository, relative to this package's folder.
const repository = "../../.."

// manifest is one document of a file.
type manifest struct {
	source string // the file, and the document's index in it
	text   []byte // YAML or JSON, as written
	object map[string]any
}

// ownFolders returns the folders of this repository whose manifests the run
// applies: the examples and this package's own.
func ownFolders() []string { return []string{filepath.Join(repository, "examples"), "testdata"} }

// corpusFolders returns the folders of the corpus of real projects. Without a
// corpus there are no folders.
func corpusFolders() []string {
	var list []string
	for _, part := range []string{"crds", "objects"} {
		found, _ := filepath.Glob(filepath.Join(corpus.Path(), "*", part))
		list = append(list, found...)
	}
	return list
}

// readManifests reads every document of every YAML file below a folder. A
// missing folder has no documents.
func readManifests(folder string) ([]manifest, error) {
	var all []manifest
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		documents, err := splitManifests(path, text)
		all = append(all, documents...)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return all, err
}

// splitManifests reads the documents of a file. Documents that are not objects
// are left out.
func splitManifests(path string, text []byte) ([]manifest, error) {
	var all []manifest
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for i := 1; ; i++ {
		document, err := reader.Read()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		plain, err := yaml.YAMLToJSON(document)
		if err != nil {
			return nil, fmt.Errorf("%s#%d: %w", path, i, err)
		}
		value, err := decodeJSON(plain)
		if err != nil {
			return nil, fmt.Errorf("%s#%d: %w", path, i, err)
		}
		if object, ok := value.(map[string]any); ok {
			all = append(all,
				manifest{source: fmt.Sprintf("%s#%d", path, i), text: document, object: object})
		}
	}
}

// resource is a CRD of the run with its objects.
type resource struct {
	manifest
	name, group, plural, kind string
	namespaced                bool
	versions                  []version
	objects                   []manifest
	size                      size
}

// version is one version of a resource.
type version struct {
	name            string
	served, storage bool
	status, scale   bool // has the subresource
	schema          map[string]any
}

// loadResources reads all CRDs of several folders in a fixed order, each with
// the objects of its group and kind.
func loadResources(folders []string) ([]*resource, error) {
	var resources []*resource
	objects := map[string][]manifest{}
	for _, folder := range folders {
		manifests, err := readManifests(folder)
		if err != nil {
			return nil, err
		}
		for _, m := range manifests {
			if text(m.object, "kind") == "CustomResourceDefinition" {
				resources = append(resources, newResource(m))
				continue
			}
			id := groupOf(text(m.object, "apiVersion")) + "/" + text(m.object, "kind")
			objects[id] = append(objects[id], m)
		}
	}
	for _, r := range resources {
		r.objects = objects[r.group+"/"+r.kind]
	}
	return resources, nil
}

// newResource extracts what the run needs from a CRD.
func newResource(m manifest) *resource {
	spec := child(m.object, "spec")
	r := &resource{
		manifest: m, name: text(child(m.object, "metadata"), "name"), group: text(spec, "group"),
		plural: text(child(spec, "names"), "plural"), kind: text(child(spec, "names"), "kind"),
		namespaced: text(spec, "scope") == "Namespaced",
	}
	versions, _ := spec["versions"].([]any)
	for _, item := range versions {
		v, _ := item.(map[string]any)
		subresources := child(v, "subresources")
		_, status := subresources["status"]
		_, scale := subresources["scale"]
		r.versions = append(r.versions, version{
			name: text(v, "name"), served: v["served"] == true, storage: v["storage"] == true,
			status: status, scale: scale, schema: child(child(v, "schema"), "openAPIV3Schema"),
		})
	}
	return r
}

// served returns the versions that have endpoints.
func (r *resource) served() []version {
	var list []version
	for _, v := range r.versions {
		if v.served {
			list = append(list, v)
		}
	}
	return list
}

// path returns the URL path of an object, or of the collection if the name is
// empty.
func (r *resource) path(version, name string) string {
	path := "/apis/" + r.group + "/" + version
	if r.namespaced {
		path += "/namespaces/" + namespace
	}
	path += "/" + r.plural
	if name != "" {
		path += "/" + name
	}
	return path
}

// key returns the key of an object in etcd, below the server's prefix.
func (r *resource) key(name string) string {
	key := r.group + "/" + r.plural + "/"
	if r.namespaced {
		key += namespace + "/"
	}
	return key + name
}

// text returns a string member, or "".
func text(object map[string]any, name string) string {
	s, _ := object[name].(string)
	return s
}

// child returns an object member, or nil.
func child(object map[string]any, name string) map[string]any {
	c, _ := object[name].(map[string]any)
	return c
}

// groupOf returns the group of an apiVersion.
func groupOf(apiVersion string) string {
	for i := range apiVersion {
		if apiVersion[i] == '/' {
			return apiVersion[:i]
		}
	}
	return ""
}
