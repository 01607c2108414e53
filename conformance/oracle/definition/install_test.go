package definition_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crdsem/crdsem/definition"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/fake"
	"k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions"
	"k8s.io/apiextensions-apiserver/pkg/controller/establish"
	"k8s.io/apiextensions-apiserver/pkg/controller/status"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
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
			decoded, _, err := definition.Decode(text)
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
		if got := settledStatus(t, crds, want); !maps.Equal(got, want) {
			t.Fatalf("ours        %v\ncontrollers %v", want, got)
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

// settledStatus creates definitions one by one and returns what the controllers
// write. It waits for what is wanted, for a few seconds at most.
func settledStatus(
	t *testing.T, crds []*v1.CustomResourceDefinition, want map[string]string,
) map[string]string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	client := fake.NewClientset()
	client.PrependReactor("*", "customresourcedefinitions", numberVersions())
	informers := externalversions.NewSharedInformerFactory(client, 0)
	informer := informers.Apiextensions().V1().CustomResourceDefinitions()
	naming := status.NewNamingConditionController(
		klog.Background(),
		informer,
		client.ApiextensionsV1(),
	)
	establishing := establish.NewEstablishingController(informer, client.ApiextensionsV1())
	informers.Start(ctx.Done())
	informers.WaitForCacheSync(ctx.Done())
	go naming.RunWithContext(ctx)
	go establishing.RunWithContext(ctx)
	all := client.ApiextensionsV1().CustomResourceDefinitions()
	got := map[string]string{}
	for _, crd := range crds {
		if _, err := all.Create(ctx, crd, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		// The next definition comes when this one has its condition.
		for range 300 {
			time.Sleep(10 * time.Millisecond)
			now, err := all.Get(ctx, crd.Name, metav1.GetOptions{})
			if err == nil && len(now.Status.Conditions) > 0 {
				break
			}
		}
	}
	for range 300 {
		for _, crd := range crds {
			establishing.QueueCRD(crd.Name, 0)
			now, err := all.Get(ctx, crd.Name, metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got[crd.Name] = shownStatus(now.Status)
		}
		if maps.Equal(want, got) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return got
}

// numberVersions gives every object that is written a resourceVersion, by which
// the naming controller knows its own writes.
func numberVersions() clienttesting.ReactionFunc {
	var versions atomic.Int64
	return func(action clienttesting.Action) (bool, runtime.Object, error) {
		if write, ok := action.(interface{ GetObject() runtime.Object }); ok {
			if crd, ok := write.GetObject().(*v1.CustomResourceDefinition); ok {
				crd.ResourceVersion = strconv.FormatInt(versions.Add(1), 10)
			}
		}
		return false, nil, nil
	}
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
