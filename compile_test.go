package crdsem_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/crdsem/crdsem"
)

// Of many definitions with two versions each, only what is asked for is
// compiled.
func TestVersionsAreCompiledWhenAskedFor(t *testing.T) {
	const version = `{"name":"%s","served":true,"storage":%t,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-validations":[{"rule":"true"}]}}}`
	text := fmt.Appendf(nil, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},"versions":[%s,%s]}}`,
		fmt.Sprintf(version, "v1", true), fmt.Sprintf(version, "v2", false))
	definitions := make([]*crdsem.Definition, 1000)
	for i := range definitions {
		d, err := crdsem.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		definitions[i] = d
	}
	for _, i := range []int{3, 500, 999} {
		if _, err := definitions[i].Version("v2"); err != nil {
			t.Fatal(err)
		}
	}
	var compiled []string
	for i, d := range definitions {
		for _, name := range crdsem.CompiledVersions(d) {
			compiled = append(compiled, fmt.Sprintf("%d/%s", i, name))
		}
	}
	if got := fmt.Sprint(compiled); got != "[3/v2 500/v2 999/v2]" {
		t.Errorf("compiled are %s", got)
	}
	v, err := definitions[3].Version("v2")
	if err != nil {
		t.Fatal(err)
	}
	_ = v.Prepare(context.Background()) // what Version left for later, again and again
	_ = v.Prepare(context.Background())
	if r := v.CreateBytes(t.Context(), []byte(`{"apiVersion":"g.io/v2","kind":"K","metadata":{"name":"n"}}`)); !r.Admitted() {
		t.Errorf("got %v", r.Errors)
	}
}
