package differential

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// Corpus reads all definitions below a folder, one YAML document per file, and
// the objects that belong to them. Definitions that the real code rejects are
// left out.
func Corpus(ctx context.Context, folder string, real Respondent) ([]Definition, error) {
	documents, err := Documents(folder)
	if err != nil {
		return nil, err
	}
	s := &sources{real: real}
	var list []Definition
	byKind := map[string][]int{}
	for _, doc := range documents {
		d, ok := Describe(doc)
		if doc["kind"] != "CustomResourceDefinition" || !ok || !s.good(ctx, d) {
			continue
		}
		d.Good = true
		key := d.Group + " " + d.Kind
		byKind[key] = append(byKind[key], len(list))
		list = append(list, d)
	}
	for _, doc := range documents {
		group, _, _ := strings.Cut(text(doc["apiVersion"]), "/")
		for _, i := range byKind[group+" "+text(doc["kind"])] {
			list[i].Objects = append(list[i].Objects, doc)
		}
	}
	return list, nil
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

// Documents reads the documents of all YAML files below a folder, in the order
// of their names. Files that do not hold a single object are left out.
func Documents(folder string) ([]map[string]any, error) {
	var names []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, ".yaml") {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	var documents []map[string]any
	for _, name := range names {
		doc, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var v map[string]any
		if doc, err = yaml.YAMLToJSON(doc); err == nil && json.Unmarshal(doc, &v) == nil &&
			v != nil {
			documents = append(documents, v)
		}
	}
	return documents, nil
}
