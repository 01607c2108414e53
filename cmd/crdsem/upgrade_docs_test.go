package main

import (
	"os"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/kit/upgrade"
)

// docs/upgrade.md has every class with its meaning.
func TestUpgradePageHasClasses(t *testing.T) {
	page := readFiles(t, "../../docs/upgrade.md")
	for _, class := range upgrade.Classes() {
		row := "| " + string(class) + " | " + class.Meaning() + " |\n"
		if !strings.Contains(page, row) {
			t.Errorf("no row %s", row)
		}
	}
}

// The recipes of docs/upgrade.md run, and its policy means what it says.
func TestUpgradePage(t *testing.T) {
	recipes := strings.Join(blocks(t, "docs/upgrade.md", "sh"), "")
	policies := blocks(t, "docs/upgrade.md", "yaml")
	old := readFiles(t, "../../examples/upgrade/old.yaml")
	objects := readFiles(t, "../../examples/upgrade/objects.yaml")
	t.Chdir(t.TempDir())
	write(t, "policy.yaml", policies[0])
	parsed, err := upgrade.ParsePolicy([]byte(policies[0]))
	if err != nil || len(parsed.Rules) != 3 || parsed.Objects[upgrade.Pruned] != upgrade.Breaking {
		t.Errorf("%+v, %v", parsed, err)
	}
	write(t, "old.yaml", old)
	write(t, "new.yaml", strings.Replace(old, "minimum: 0", "minimum: 1", 1))
	if err := os.MkdirAll("config/crd", 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, "config/crd/new.yaml", old)
	ran := 0
	for line := range strings.Lines(recipes) {
		line, _, _ = strings.Cut(line, " # ")
		before, words, _ := strings.Cut(strings.TrimSpace(line), "crdsem ")
		stdin := objects
		if strings.HasPrefix(before, "kubectl get crd") {
			stdin = old
		}
		ran++
		args := append(strings.Fields(words), "--policy", "policy.yaml")
		code, out, errs := execute(t, stdin, args...)
		if code == exitFailed || errs != "" || out == "" {
			t.Errorf("%s: exit code %d\n%s%s", line, code, out, errs)
		}
	}
	if ran < 6 {
		t.Errorf("%d recipes ran", ran)
	}
}
