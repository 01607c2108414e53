package server

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/definition"
)

func usedTime(t *testing.T) float64 {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}

// Definitions of one group take at most by a half longer than definitions of a
// group each.
func TestManyDefinitionsOfAGroup(t *testing.T) {
	const n = 600
	create := func(groupOf func(i int) string) float64 {
		c := newTestCluster(t)
		before := usedTime(t)
		for i := range n {
			text := strings.NewReplacer("as", fmt.Sprint("as", i), `"a"`, fmt.Sprintf(`"a%d"`, i),
				`"A"`, fmt.Sprintf(`"A%d"`, i), "AList", fmt.Sprintf("A%dList", i),
				"g.io", groupOf(i)).Replace(aKinds)
			code, answer := asked(t, c, http.MethodPost, definitionsPath, text)
			if code != http.StatusCreated {
				t.Fatalf("%d: %s", code, answer)
			}
		}
		return usedTime(t) - before
	}
	apart := create(func(i int) string { return fmt.Sprintf("g%d.io", i) })
	together := create(func(int) string { return "g.io" })
	t.Logf("%d definitions in a group each: %.2f s, in one group: %.2f s", n, apart, together)
	if together > 1.5*apart+0.3 { // with what a busy machine adds
		t.Errorf("in one group %.2f s, in a group each %.2f s", together, apart)
	}
}

// Definitions that ask for each other's names have what all definitions of the
// group would be given together, whichever of them is written.
func TestRelatedDefinitions(t *testing.T) {
	c := newTestCluster(t)
	random := rand.New(rand.NewPCG(5, 5))
	for range 400 {
		n := random.IntN(12)
		path := fmt.Sprintf("%s/n%d.g.io", definitionsPath, n)
		text := fmt.Sprintf(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
			"metadata":{"name":"n%d.g.io"},"spec":{"group":"g.io","scope":"Cluster","names":{
			"plural":"n%[1]d","singular":"s%d","kind":"K%d","shortNames":["t%d","n%d"]},"versions":[{"name":"v1",
			"served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`,
			n, random.IntN(30), random.IntN(30), random.IntN(30), random.IntN(30))
		switch random.IntN(3) {
		case 0:
			asked(t, c, http.MethodDelete, path, "")
		case 1:
			asked(t, c, http.MethodPatch, path, text)
		case 2:
			asked(t, c, http.MethodPost, definitionsPath, text)
		}
		all, _ := c.objectsOf(definitions).List(definitionPrefix)
		stored := slices.SortedFunc(all.All(), older)
		var crds []*definition.CRD
		for _, object := range stored {
			crds = append(crds, c.parsed(object))
		}
		together := definition.Install(crds...)
		for _, object := range stored {
			status := object.Content()["status"].(map[string]any)
			name := metaText(object.Content(), "name")
			want := asJSON(together.AcceptedNames(name))
			if diff := cmp.Diff(want, status["acceptedNames"]); diff != "" {
				t.Fatalf("%s: %s", name, diff)
			}
			_, served := c.kinds.Kind(c.installed[name].names.GroupKind)
			if served != isEstablished(together.Conditions(name)) {
				t.Fatalf("%s is served: %t", name, served)
			}
		}
	}
}
