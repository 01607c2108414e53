package generate

import (
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// A value of a spec is made for each schema of testdata/rules.txt and the rules
// of its lines.
func TestSolvableRules(t *testing.T) {
	text, err := os.ReadFile("testdata/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	schema := ""
	for line := range strings.Lines(string(text)) {
		rules, isRules := strings.CutPrefix(line, "\t")
		if !isRules {
			schema = line
			continue
		}
		var spec node
		if err := yaml.Unmarshal([]byte(schema), &spec); err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		rules, _, _ = strings.Cut(strings.TrimSpace(rules), "\t")
		var list []any
		for rule := range strings.SplitSeq(rules, "; ") {
			list = append(list, node{"rule": rule})
		}
		spec["x-kubernetes-validations"] = list
		s, err := resourcesOf(specOf(spec), "Namespaced")
		if err != nil {
			t.Fatalf("%s: %v", rules, err)
		}
		for seed := range uint64(6) {
			object, err := s.Valid(NewRand(seed))
			if err != nil {
				t.Errorf("%s, seed %d: %v", rules, seed, err)
				continue
			}
			s.mustAdmit(t, object)
		}
	}
}

// A rule may restrict the name of the object.
func TestRulesOfTheName(t *testing.T) {
	for _, rule := range []string{
		"self.metadata.name == 'cluster'", "self.metadata.name.startsWith('team-') && self.metadata.name.size() <= 9",
		"self.metadata.name == self.spec.id", "self.metadata.name in ['a', 'b']",
		"self.metadata.name.split('.').size() == 3",
	} {
		schema := specOf(node{"type": "object", "required": []any{"id"},
			"properties": node{"id": node{"type": "string"}}})
		schema["x-kubernetes-validations"] = []any{node{"rule": rule}}
		s, err := resourcesOf(schema, "Cluster")
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			object, err := s.Valid(NewRand(seed))
			if err != nil {
				t.Errorf("%s, seed %d: %v", rule, seed, err)
				continue
			}
			s.mustAdmit(t, object)
		}
	}
}
