package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// All members of the output for machines are in lowerCamelCase, except those
// inside of custom resources, and paths.
func TestJSONMembers(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	for _, line := range []string{
		"check -o json cmd/crdsem/testdata/nonstructural.yaml examples/rules/crd.yaml",
		"admit -o json --explain --crd examples/rules/crd.yaml examples/rules/pools.yaml",
		"admit -o json --crd examples/rules/crd.yaml --old examples/rules/stored.yaml " +
			"examples/rules/update.yaml",
		"cost -o json - examples/rules/crd.yaml",
		"diff -o json --crd examples/rules/crd.yaml examples/rules/stored.yaml " +
			"examples/rules/update.yaml",
		"generate -o json --break -n 3 --crd examples/rules/crd.yaml",
		"test -o json --cover --mutate examples/crdtest cmd/crdsem/testdata/wrong.crdtest.yaml",
	} {
		var out bytes.Buffer
		if run(context.Background(), strings.Fields(line),
			streams{strings.NewReader(overpriced), &out, io.Discard}) == exitFailed {
			t.Errorf("%s fails", line)
		}
		var value any
		if err := json.Unmarshal(out.Bytes(), &value); err != nil {
			t.Errorf("%s prints no JSON: %v", line, err)
		}
		names := members(value, nil)
		if len(names) == 0 {
			t.Errorf("%s prints no members", line)
		}
		for _, name := range names {
			if !lowerCamelCase.MatchString(name) {
				t.Errorf("%s: member %q", line, name)
			}
		}
	}
}

var lowerCamelCase = regexp.MustCompile("^[a-z]+([A-Z][a-z]+)*$")

// members lists the names of members, without those inside of a custom
// resource.
func members(value any, names []string) []string {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			names = members(item, names)
		}
	case map[string]any:
		for name, member := range value {
			names = append(names, name)
			if !slices.Contains([]string{"object", "before", "after", "places"}, name) {
				names = members(member, names)
			}
		}
	}
	return names
}
