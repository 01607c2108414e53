package structural_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

// Every finding of Validate on the vectors has words, and the words' rule is one that the vectors know.
func TestEveryFindingHasWords(t *testing.T) {
	files, _ := filepath.Glob("../conformance/vectors/stages/structural*.jsonl")
	if len(files) == 0 {
		t.Fatal("no vectors")
	}
	said := map[string]bool{}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var vector struct {
				ID     string          `json:"id"`
				Schema json.RawMessage `json:"schema"`
			}
			if err := json.Unmarshal(lines.Bytes(), &vector); err != nil || vector.Schema == nil {
				continue
			}
			schema, err := structural.Parse(vector.Schema)
			if err != nil {
				continue
			}
			for _, found := range structural.Validate(schema, field.NewPath("openAPIV3Schema")) {
				rule, words, ok := structural.Words(found)
				if !ok || words == "" || !strings.HasPrefix(rule, "STR-") {
					t.Errorf("%s: no words for %v", vector.ID, found)
				}
				said[rule] = true
			}
		}
	}
	if len(said) < 25 {
		t.Errorf("only %d rules were broken by the vectors", len(said))
	}
}
