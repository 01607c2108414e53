// Command schemas writes the schemas of the definitions in a folder as files of
// JSON schema, for validators that read no definitions:
//
//	go run ./tools/schemas FOLDER OUT
//
// The file of a version is OUT/KIND_VERSION.json in lower case, e.g.
// crontab_v1.json.
package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/crdsem/crdsem/kit/manifest"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: schemas FOLDER OUT")
		os.Exit(2)
	}
	if err := convert(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "schemas:", err)
		os.Exit(1)
	}
}

// convert writes the schemas of all definitions below a folder.
func convert(folder, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		for doc, err := range manifest.Read(path, file) {
			if err != nil {
				return err
			}
			if err := write(doc, out); err != nil {
				return err
			}
		}
		return nil
	})
}

// write writes the schemas of a document, if it is a definition.
func write(doc *manifest.Document, out string) error {
	object, _, err := doc.Object()
	if err != nil || object["kind"] != "CustomResourceDefinition" {
		return nil // other documents need not be readable
	}
	spec, _ := object["spec"].(map[string]any)
	names, _ := spec["names"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	for _, v := range versions {
		version, _ := v.(map[string]any)
		schema, _ := version["schema"].(map[string]any)
		text, err := json.Marshal(schema["openAPIV3Schema"])
		if err != nil {
			return fmt.Errorf("%v: %w", doc, err)
		}
		name := strings.ToLower(fmt.Sprintf("%v_%v.json", names["kind"], version["name"]))
		if err := os.WriteFile(filepath.Join(out, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
