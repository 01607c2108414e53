package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/kit/manifest"
)

// ofPatches are findings on what patches of kustomize say: each one is placed
// in the patch.
func ofPatches() []place {
	return []place{
		sourced("findings on a list of a patch", `- target: {kind: K}
  patch: '{"apiVersion": "a.io/v1", "kind": "K", "l": [#]}'
`, `{"name": "i#", "of": "x"}`),
		sourced("findings on operations", `- target: {kind: K}
  patch: '[{"op": "add", "path": "/l", "value": [{}]}, #]'
`, `{"op": "add", "path": "/l/0/i#", "value": "x"}`),
		{"findings in the text of a patch", func(n int) (func(context.Context), error) {
			text := "patch: |\n" + strings.Repeat("  - {op: add, path: /a, value: b}\n", n)
			docs, err := documents(text)
			if err != nil {
				return nil, err
			}
			return func(context.Context) {
				place := docs[0].Document.Find("patch")
				for i := range n {
					place.Within(i+1, 20)
				}
			}, nil
		}},
	}
}

// sourced asks from which part of a patch each item of a list came, and each
// field of its first item. patches has # for the parts.
func sourced(name, patches, part string) place {
	return place{name, func(n int) (func(context.Context), error) {
		docs, err := documents("resources: [a.yaml]\npatches:\n" +
			strings.Replace(patches, "#", many(n, part), 1))
		if err != nil {
			return nil, err
		}
		var o repository.Owners
		o.ReadResources("/r", docs[0].Content)
		object := map[string]any{"apiVersion": "a.io/v1", "kind": "K",
			"l": []any{map[string]any{"name": "other"}}}
		return func(context.Context) {
			for _, after := range o.Patched("/r/a.yaml", object, nil) {
				list, _ := after.Object["l"].([]any)
				for i := range list {
					after.Source(fmt.Sprintf("l[%d].of", i))
				}
				for i := range n {
					after.Source(fmt.Sprintf("l[0].i%d", i))
				}
			}
		}, nil
	}}
}

// documents returns the objects of a text.
func documents(text string) (all []manifest.Object, err error) {
	for object, err := range manifest.Parse("a.yaml", strings.NewReader(text)) {
		if err != nil {
			return nil, err
		}
		all = append(all, object)
	}
	return all, nil
}
