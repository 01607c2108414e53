package definition

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// installPlainly is Install as the controllers do it: after each creation, all
// definitions are looked at again until nothing changes.
func installPlainly(crds []*CRD) *Installation {
	in := &Installation{}
	for _, crd := range crds {
		in.crds = append(in.crds, &installed{crd: crd})
		for changed := true; changed; {
			changed = false
			for _, c := range in.crds {
				used := usedNames{map[string]bool{}, map[string]bool{}}
				for _, other := range in.crds {
					if other.group() == c.group() {
						used.add(other)
					}
				}
				changed = c.settle(used) || changed
			}
		}
	}
	return in
}

// Definitions that ask for each other's names end as they do plainly.
func TestInstallTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	conflicts := 0
	for range 2000 {
		var crds []*CRD
		for i := range 2 + random.IntN(6) {
			name := func(of string) string { return fmt.Sprint(of, random.IntN(6)) }
			var short []string
			for range random.IntN(4) {
				short = append(short, name([]string{"s", "p"}[random.IntN(2)]))
			}
			crd, _, err := Parse(fmt.Appendf(nil, `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: n%d}
spec: {group: g%d, scope: Namespaced, names: {plural: %s, singular: %s, kind: %s, listKind: %s, shortNames: [%s]},
  versions: []}`, i, random.IntN(2), name("p"), name("p"), name("K"), name("K"), strings.Join(short, ",")))
			if err != nil {
				t.Fatal(err)
			}
			crds = append(crds, crd)
		}
		got, want := Install(crds...), installPlainly(crds)
		for i := range crds {
			g, w := got.crds[i], want.crds[i]
			if !equalNames(g.accepted, w.accepted) || g.names != w.names ||
				g.established != w.established {
				t.Fatalf("%d: %+v, want %+v", i, g, w)
			}
			if w.names.Status != "True" {
				conflicts++
			}
		}
	}
	if conflicts < 1000 {
		t.Errorf("only %d conflicts", conflicts)
	}
}
