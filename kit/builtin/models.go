package builtin

import (
	"encoding/json"
	"fmt"
	"regexp"
)

// Models returns the schemas of a kind as OpenAPI v3 documents of a server have
// them, without descriptions: the one that the name is of, e.g.
// io.k8s.api.apps.v1.Deployment, and those that it refers to, each under
// #/components/schemas.
func (k *Kind) Models() (name string, schemas map[string]json.RawMessage) {
	schemas = map[string]json.RawMessage{}
	k.addModel(k.model, schemas)
	if own := schemas[k.model]; len(own) > 2 {
		schemas[k.model] = fmt.Appendf(nil, `%s,%q:[{"group":%q,"kind":%q,"version":%q}]}`,
			own[:len(own)-1], gvk, k.Group, k.Kind, k.Version)
	}
	return k.model, schemas
}

var referenceIn = regexp.MustCompile(`"\$ref":"([^"#]+)"`)

// addModel adds a model with those that it refers to.
func (k *Kind) addModel(name string, schemas map[string]json.RawMessage) {
	if schemas[name] != nil {
		return
	}
	text := []byte(k.record.model(name, k.bit))
	schemas[name] = referenceIn.ReplaceAll(text, []byte(`"$$ref":"#/components/schemas/$1"`))
	for _, found := range referenceIn.FindAllSubmatch(text, -1) {
		k.addModel(string(found[1]), schemas)
	}
}
