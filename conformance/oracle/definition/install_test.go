package definition_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/definition"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// Definitions that ask for names of each other get the names and conditions
// that the naming and establishing controllers give them.
func TestInstall(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(number(t, "CRDSEM_SEED", 1)), 5))
	conflicts := 0
	for range number(t, "CRDSEM_INSTALLATIONS", 20) {
		crds := rivals(r)
		ours := []*definition.CRD{}
		for _, crd := range crds {
			text, err := yaml.Marshal(crd)
			if err != nil {
				t.Fatal(err)
			}
			decoded, _, err := definition.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			ours = append(ours, decoded)
		}
		want := map[string]string{}
		installation := definition.Install(ours...)
		for _, crd := range ours {
			want[crd.Name()] = fmt.Sprint(installation.AcceptedNames(crd.Name()),
				installation.Conditions(crd.Name()))
			if installation.Conditions(crd.Name())[0].Status != "True" {
				conflicts++
			}
		}
		got := map[string]string{}
		_, err := kube.Installed(t.Context(), crds, func(all []v1.CustomResourceDefinition) bool {
			for _, crd := range all {
				got[crd.Name] = shownStatus(crd.Status)
			}
			return maps.Equal(got, want)
		})
		if err != nil || !maps.Equal(got, want) {
			t.Fatalf("ours        %v\ncontrollers %v, %v", want, got, err)
		}
	}
	t.Logf("%d definitions with conflicts", conflicts)
}

// rivals makes definitions of a group with names of few choices.
func rivals(r *rand.Rand) []*v1.CustomResourceDefinition {
	var crds []*v1.CustomResourceDefinition
	for i := range 2 + r.IntN(3) {
		name := func() string { return string(rune('a' + r.IntN(6))) }
		plural := fmt.Sprintf("p%d", i)
		names := v1.CustomResourceDefinitionNames{
			Plural: plural, Singular: name(), Kind: "K" + name(), ListKind: "L" + name(),
		}
		for range r.IntN(4) {
			if short := name(); !slices.Contains(names.ShortNames, short) {
				names.ShortNames = append(names.ShortNames, short)
			}
		}
		if r.IntN(3) == 0 {
			names.Categories = []string{"all"}
		}
		group := []string{"example.com", "example.com", "example.org"}[r.IntN(3)]
		crds = append(crds, &v1.CustomResourceDefinition{
			TypeMeta: metav1.TypeMeta{
				APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition",
			},
			ObjectMeta: metav1.ObjectMeta{Name: plural + "." + group},
			Spec: v1.CustomResourceDefinitionSpec{
				Group: group, Names: names, Scope: v1.ClusterScoped,
				Versions: []v1.CustomResourceDefinitionVersion{{
					Name: "v1", Served: true, Storage: true,
					Schema: &v1.CustomResourceValidation{
						OpenAPIV3Schema: &v1.JSONSchemaProps{Type: "object"},
					},
				}},
			},
		})
	}
	return crds
}

// shownStatus is a status as the test prints it, with the conditions in a fixed
// order.
func shownStatus(s v1.CustomResourceDefinitionStatus) string {
	conditions := []definition.Condition{}
	for _, kind := range []v1.CustomResourceDefinitionConditionType{
		v1.NamesAccepted, v1.Established,
	} {
		for _, c := range s.Conditions {
			if c.Type == kind {
				conditions = append(conditions, definition.Condition{
					Type: string(
						c.Type,
					), Status: string(c.Status), Reason: c.Reason, Message: c.Message,
				})
			}
		}
	}
	n := s.AcceptedNames
	return fmt.Sprint(definition.Names{
		Plural: n.Plural, Singular: n.Singular, Kind: n.Kind, ListKind: n.ListKind,
		ShortNames: n.ShortNames, Categories: n.Categories,
	}, conditions)
}
