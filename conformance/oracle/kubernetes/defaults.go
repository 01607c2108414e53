package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/structural"
)

// defaultsLine is an object and what the defaulting of its version makes of it.
type defaultsLine struct {
	Object    map[string]any `json:"object"`
	Defaulted map[string]any `json:"defaulted"`
}

// defaults returns the record: lines of JSON, compressed. For each kind and
// version there is an empty object, and one for each field, item and key of its
// schema that has nothing else: a value, and each value of its enum. Then
// follow the objects in testdata. Only nodes keep their status.
func defaults() ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	lines := json.NewEncoder(w)
	given, err := objectsIn("testdata")
	if err != nil {
		return nil, err
	}
	for _, kind := range builtin.Kinds(newest) {
		gvk := schema.GroupVersionKind{Group: kind.Group, Version: kind.Version, Kind: kind.Kind}
		if !legacyscheme.Scheme.Recognizes(gvk) {
			continue
		}
		all := samples(kind.Published())
		for _, object := range given {
			if manifest.TypeOf(object) == kind.Type {
				all = append(all, object)
			}
		}
		for _, object := range all {
			object["apiVersion"], object["kind"] = kind.APIVersion(), kind.Kind
			typed, _, err := defaulted(object, gvk)
			if err != nil {
				return nil, err
			}
			result, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
			if err != nil {
				return nil, err
			}
			result["apiVersion"], result["kind"] = kind.APIVersion(), kind.Kind
			if kind.Kind != "Node" { // whose status is created with it
				delete(result, "status")
			}
			withoutNow(result)
			if err := lines.Encode(defaultsLine{object, result}); err != nil {
				return nil, err
			}
		}
	}
	err = w.Close()
	return out.Bytes(), err
}

// withoutNow removes the times of taints, which are those of the request.
func withoutNow(value any) {
	switch v := value.(type) {
	case map[string]any:
		delete(v, "timeAdded")
		for _, below := range v {
			withoutNow(below)
		}
	case []any:
		for _, item := range v {
			withoutNow(item)
		}
	}
}

// objectsIn returns the objects of built-in kinds in the manifests of a folder
// and below it. Files that are no manifests are left out.
func objectsIn(folder string) (all []map[string]any, err error) {
	err = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), len(data))
		for {
			var object map[string]any
			if decoder.Decode(&object) != nil {
				return nil
			}
			if _, err := builtin.Find(manifest.TypeOf(object), newest); err == nil {
				all = append(all, integers(object).(map[string]any))
			}
		}
	})
	return all, err
}

// integers makes whole numbers int64.
func integers(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, below := range v {
			v[key] = integers(below)
		}
	case []any:
		for i, item := range v {
			v[i] = integers(item)
		}
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	}
	return value
}

// samples returns the objects of a schema.
func samples(root *structural.Schema) (all []map[string]any) {
	all = append(all, map[string]any{})
	for _, name := range slices.Sorted(maps.Keys(maps.Collect(root.Properties()))) {
		switch name {
		case "apiVersion", "kind", "metadata", "status":
			continue
		}
		each(root.Property(name), place{{field: name}}, func(s *structural.Schema, at place) {
			for _, value := range samplesOf(s) {
				all = append(all, at.holding(value))
			}
		})
	}
	return all
}

// samplesOf returns the values of a field.
func samplesOf(s *structural.Schema) []any {
	if values := s.Values(); values != nil && len(values.Enum) > 0 {
		return values.Enum
	}
	switch s.Type() {
	case "object":
		return []any{map[string]any{}}
	case "array":
		return []any{[]any{}, []any{empty(s.Items())}}
	case "":
		if values := s.Values(); values != nil && values.Format == "kubernetes-bytes" {
			return []any{"YQ=="}
		}
		return []any{sample(s, 0)}
	}
	if value := sample(s, 0); value != nil {
		return []any{value}
	}
	return nil
}

// empty returns the smallest value of a schema.
func empty(s *structural.Schema) any {
	if s.Type() == "object" {
		return map[string]any{}
	}
	return sample(s, 0)
}
