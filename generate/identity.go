package generate

import (
	"errors"
	"fmt"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Identity says what resource objects are of.
type Identity struct {
	// Group, Version and Kind make apiVersion and kind.
	Group, Version, Kind string
	// Namespaced tells that objects have a namespace.
	Namespaced bool
}

// schemaOf finds the schema of a version in a definition's spec, and sets the
// version in the identity.
func schemaOf(spec node, version string, of *Identity) (node, error) {
	for _, v := range list(spec["versions"]) {
		entry, _ := v.(node)
		name, _ := entry["name"].(string)
		if name != version && (version != "" || entry["storage"] != true) {
			continue
		}
		of.Version = name
		holder, ok := entry["schema"].(node)
		if !ok {
			holder, _ = spec["validation"].(node)
		}
		schema, ok := holder["openAPIV3Schema"].(node)
		if !ok {
			return nil, fmt.Errorf("version %q has no schema", name)
		}
		return schema, nil
	}
	if version == "" {
		return nil, errors.New("no version is stored")
	}
	return nil, fmt.Errorf("there is no version %q", version)
}

// identify gives an object its apiVersion and kind and, where it has none that will
// do, a name and its namespace.
func (s *Resources) identify(o *objects, object map[string]any) {
	object["apiVersion"] = s.identity.Group + "/" + s.identity.Version
	object["kind"] = s.identity.Kind
	metadata := map[string]any{}
	if had, ok := object["metadata"].(map[string]any); ok {
		metadata["name"] = had["name"]
	}
	if name, _ := metadata["name"].(string); !isName(name) {
		metadata["name"] = o.objectName(s.main)
	}
	if s.identity.Namespaced {
		metadata["namespace"] = "default"
	}
	object["metadata"] = metadata
}

// objectName makes the name of an object: one that the schema allows, where it says
// anything of names and the server allows what was found.
func (o *objects) objectName(schema node) string {
	properties, _ := schema["properties"].(node)
	metadata, _ := properties["metadata"].(node)
	of, _ := metadata["properties"].(node)
	if asked, ok := of["name"].(node); ok {
		for range maxAttempts {
			if name, _ := o.value(asked, 0).(string); isName(name) {
				return name
			}
		}
	}
	return pick(o.r, "a", "example", "my-object", "x.y") + "-" + strconv.Itoa(o.r.Intn(1e6))
}

// isName reports whether a text is a name that every resource may have: a DNS
// subdomain, not a long one.
func isName(s string) bool {
	return len(s) <= 63 && len(validation.IsDNS1123Subdomain(s)) == 0
}
