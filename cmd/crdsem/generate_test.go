package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/test/corpus"
)

// unbreakable are the definitions whose stored versions have no keyword to
// break.
var unbreakable = []string{
	"examples.lack.of.rights.yaml", "inferencepoolimports.inference.networking.x-k8s.io.yaml",
	"myresources.example.io.yaml", "useds.example.org.yaml", "usings.example.org.yaml",
}

// For real definitions: admit accepts the output of generate, and refuses that
// of generate -break.
func TestAdmitOfGenerated(t *testing.T) {
	crds := corpus.Definitions(t)
	for _, file := range crds {
		crd, name := file.Path, file.Name()
		code, objects, errs := execute(t, "", "generate", "--crd", crd, "-n", "3", "--seed", "5")
		if code != exitOK {
			t.Errorf("%s: generate fails: %s", name, errs)
			continue
		}
		code, out, errs := execute(
			t, objects, "admit", "--crd", crd, "--field-validation", "Strict", "-")
		if code != exitOK || errs != "" {
			t.Errorf("%s: what generate printed is not admitted: %s%s\n%s", name, out, errs,
				objects)
		}
		code, objects, errs = execute(t, "", "generate", "--crd", crd, "-n", "3", "--seed", "5",
			"--break")
		if nothing := slices.Contains(unbreakable, name); nothing || code != exitOK {
			if !nothing || code != exitFailed ||
				!strings.Contains(errs, "found no object that can be broken") {
				t.Errorf("%s: generate -break: exit code %d, %s", name, code, errs)
			}
			continue
		}
		if refused := refusals(t, crd, objects); refused != 3 {
			t.Errorf("%s: of 3 broken objects %d are refused:\n%s", name, refused, objects)
		}
	}
	t.Logf("%d definitions", len(crds))
}

// refusals returns how many objects admit refuses.
func refusals(t *testing.T, crd, objects string) (refused int) {
	t.Helper()
	_, out, errs := execute(t, objects, "admit", "-o", "json", "--crd", crd, "-")
	var report struct{ Results []verdict.Result }
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v: %s%s", err, out, errs)
	}
	for _, r := range report.Results {
		if r.Verdict == verdict.Refused {
			refused++
		}
	}
	return refused
}

func execute(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), args, streams{strings.NewReader(stdin), &stdout, &stderr})
	return code, stdout.String(), stderr.String()
}

// A run whose budget is spent prints the objects that it has made.
func TestGenerateWithinABudget(t *testing.T) {
	g := &generator{n: 5, seed: 1, tries: 3}
	if err := g.compile([]byte(ruleOfRoot("true"))); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code, err := g.make(t.Context(), streams{out: &out, err: &errs})
	made := strings.Count(out.String(), "---\n")
	const want = "left open, because the work of one run is bounded: 2 of 5 objects"
	if err != nil || code != exitRefused || made != 3 || !strings.HasPrefix(errs.String(), want) {
		t.Errorf("code %d, %v, %d objects: %s", code, err, made, &errs)
	}
}
