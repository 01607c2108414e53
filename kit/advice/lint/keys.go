package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Keys returns the findings about the keys of a definition that YAML 1.1 reads
// as booleans. document is the text, decoded, which is not changed. written
// returns the text of the key at a path, e.g. y for spec.names[true]; ok is
// false for a key in quotes.
func Keys(document map[string]any, written func(path string) (key string, ok bool)) []Finding {
	k := &keyWalk{written: written}
	k.value("", document)
	return k.found
}

// keyWalk collects the findings about keys.
type keyWalk struct {
	walk

	written func(path string) (string, bool)
}

func (k *keyWalk) value(at string, value any) {
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			k.value(fmt.Sprintf("%s[%d]", at, i), item)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			path := pathOf(at, key)
			k.key(path, key)
			k.value(path, value[key])
		}
	}
}

// key looks at one key.
func (k *keyWalk) key(path, key string) {
	if key != "true" && key != "false" {
		return
	}
	text, ok := k.written(path)
	if !ok || text == key {
		return
	}
	k.add("LINT-boolean", path, fmt.Sprintf("write it in quotes: `%q`", text),
		"`%s` is the boolean %s in YAML 1.1, which the server reads: the key is %q", text, key, key)
}

// pathOf returns the path of an entry. Keys that are not those of fields are in
// brackets.
func pathOf(at, key string) string {
	isBoolean := key == "true" || key == "false"
	switch {
	case isBoolean && at != "", strings.HasSuffix(at, ".properties"):
		return at + "[" + key + "]"
	case at == "":
		return key
	}
	return at + "." + key
}
