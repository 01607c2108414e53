package skew_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/base/fieldpath"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// The page about Kubernetes 1.38 says what is estimated for its rules, and how
// they are written otherwise.
func TestPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/kubernetes-1.38.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```yaml\n")
	frame, _, _ := strings.Cut(rest, "```")
	rows := regexp.MustCompile("(?m)^\\| `(.+)` \\| (\\d+) \\| (\\S+) \\| `(.+)` \\|$").
		FindAllStringSubmatch(string(text), -1)
	const fewest = 7
	if len(rows) < fewest {
		t.Fatalf("%d rules", len(rows))
	}
	for _, row := range rows {
		document := decoded(t, frame)
		item, _ := fieldpath.Value(document, "spec.versions[0].schema.openAPIV3Schema."+
			"properties[l].items.x-kubernetes-validations[0]")
		rule, _ := item.(map[string]any)
		if rule == nil {
			t.Fatal("the definition has no rule")
		}
		rule["rule"] = row[1]
		got := []string{
			row[1], estimated(t, document, "1.37"), estimated(t, document, "1.38"), "none",
		}
		if cure := cureOf(t, document); cure != nil {
			got[3] = strings.NewReplacer(`"`, `'`, `|`, `\|`).Replace(fmt.Sprint(cure.Edits[0].Value))
			acceptedByAll(t, cure.Apply(document))
		}
		if strings.Join(got, " | ") != strings.Join(row[1:], " | ") {
			t.Errorf("the page has %q, want %q", row[1:], got)
		}
	}
}

// estimated returns what a minor estimates for the only rule of a definition.
func estimated(t *testing.T, document map[string]any, minor minors.Minor) string {
	t.Helper()
	crd, _, err := definition.FromMap(document)
	if err != nil {
		t.Fatal(err)
	}
	model, err := definition.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	schema := model.Version("v1").Schema()
	costs, err := check.Costs(t.Context(), schema, structural.Kubernetes(minor))
	if err != nil || len(costs) != 1 {
		t.Fatalf("costs %+v, %v", costs, err)
	}
	if costs[0].MaxCost == math.MaxUint64 {
		return "unbounded"
	}
	return fmt.Sprint(costs[0].MaxCost)
}
