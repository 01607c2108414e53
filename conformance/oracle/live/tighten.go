package live

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
)

// tighten makes the CRD stricter under the stored objects, so that some of them
// become invalid, and then updates them. An update must not be refused for what
// it does not change (ratcheting).
func (s *session) tighten() error {
	for turn := range s.resource.size.tightenings {
		sign := "tightened " + strconv.Itoa(turn)
		x, body, err := s.replaceCRD("", "", func(crd map[string]any) { s.stricter(crd, sign) })
		if err != nil {
			return err
		}
		if x.Status != http.StatusOK {
			continue
		}
		if err := s.waitForWarning(sign); err != nil {
			return err
		}
		if err := s.updateAgain(body); err != nil {
			return err
		}
	}
	return nil
}

// updateAgain updates the stored objects under a new CRD.
func (s *session) updateAgain(crd []byte) error {
	s.resource.versions = newResource(manifest{object: decoded(crd)}).versions
	judged, err := s.judge.open(crd, s.hook)
	if err != nil {
		return fmt.Errorf("the judge does not open the stricter CRD: %w", err)
	}
	s.judged = judged
	for _, name := range s.names {
		if err := s.updates(name); err != nil {
			return err
		}
	}
	return nil
}

// decoded decodes a document that is known to be an object.
func decoded(document []byte) map[string]any {
	value, _ := decodeJSON(document)
	object, _ := value.(map[string]any)
	return object
}

// stricter adds constraints to some schemas of every version. It also adds a
// deprecation warning, which appears once the server uses the change.
func (s *session) stricter(crd map[string]any, sign string) {
	versions, _ := child(crd, "spec")["versions"].([]any)
	for _, item := range versions {
		v, _ := item.(map[string]any)
		v["deprecated"], v["deprecationWarning"] = true, sign
		schemas := subschemas(child(child(v, "schema"), "openAPIV3Schema"))
		for range min(len(schemas), 1+len(schemas)/10) {
			s.constrain(schemas[s.rng.IntN(len(schemas))])
		}
	}
}

// constrain adds one constraint to a schema.
func (s *session) constrain(schema map[string]any) {
	number := func(n int) json.Number { return json.Number(strconv.Itoa(n)) }
	var choices []func()
	switch text(schema, "type") {
	case "string":
		choices = []func(){
			func() { schema["maxLength"] = number(1) }, func() { schema["minLength"] = number(40) }, func() { schema["pattern"] = "^z" },
			func() { schema["enum"] = []any{"z"}; delete(schema, "default") }, func() {
				schema["format"] = "ipv4"
			},
		}
	case "integer", "number":
		choices = []func(){
			func() { schema["maximum"] = number(-1) }, func() { schema["minimum"] = number(1000000) }, func() { schema["multipleOf"] = number(7) },
		}
	case "array":
		choices = []func(){
			func() { schema["maxItems"] = number(0) },
			func() { schema["minItems"] = number(9) },
		}
	case "object":
		choices = []func(){
			func() { schema["maxProperties"] = number(0) }, func() { schema["minProperties"] = number(30) },
			func() { s.requireOne(schema) }, func() { schema["x-kubernetes-validations"] = neverTrue(schema) },
		}
	default:
		return
	}
	choices[s.rng.IntN(len(choices))]()
}

// requireOne makes one of the properties required.
func (s *session) requireOne(schema map[string]any) {
	names := sortedKeys(child(schema, "properties"))
	if len(names) == 0 {
		return
	}
	name := names[s.rng.IntN(len(names))]
	required, _ := schema["required"].([]any)
	if !slices.Contains(required, any(name)) {
		schema["required"] = append(required, name)
	}
}

// neverTrue adds a rule that every object violates.
func neverTrue(schema map[string]any) []any {
	rules, _ := schema["x-kubernetes-validations"].([]any)
	return append(rules, map[string]any{"rule": "false", "message": "never"})
}
