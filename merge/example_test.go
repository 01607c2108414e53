package merge_test

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem/merge"
	"github.com/crdsem/crdsem/structural"
)

// Two managers apply one resource. The second changes a field of the first.
func Example() {
	schema, err := structural.Parse(
		[]byte(`{"type":"object","properties":{"spec":{"type":"object","properties":{
		"replicas":{"type":"integer"},
		"hosts":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}}}}}`),
	)
	if err != nil {
		panic(err)
	}
	resource, err := merge.NewFieldManager("Site",
		[]merge.Version{{APIVersion: "example.com/v1", Type: merge.Compile(schema)}}, merge.Hooks{})
	if err != nil {
		panic(err)
	}
	site := func(replicas int64, hosts ...any) map[string]any {
		return map[string]any{
			"apiVersion": "example.com/v1",
			"kind":       "Site",
			"metadata":   map[string]any{"name": "shop"},
			"spec":       map[string]any{"replicas": replicas, "hosts": hosts},
		}
	}
	live, err := resource.Apply(context.Background(), nil, site(3, "a.example.com"),
		merge.Request{APIVersion: "example.com/v1", Manager: "gitops"})
	if err != nil {
		panic(err)
	}
	_, err = resource.Apply(context.Background(), live, site(5, "b.example.com"),
		merge.Request{APIVersion: "example.com/v1", Manager: "autoscaler"})
	fmt.Println(err)
	live, err = resource.Apply(context.Background(), live, site(5, "b.example.com"),
		merge.Request{APIVersion: "example.com/v1", Manager: "autoscaler", Force: true})
	if err != nil {
		panic(err)
	}
	fmt.Println(live["spec"])
	owners, err := merge.ManagedFields(live)
	if err != nil {
		panic(err)
	}
	for _, owner := range owners {
		fmt.Println(owner.Manager, owner.Fields.Paths())
	}
	// Output:
	// Apply failed with 1 conflict: conflict with "gitops": .spec.replicas
	// map[hosts:[a.example.com b.example.com] replicas:5]
	// autoscaler [.spec.hosts[="b.example.com"] .spec.replicas]
	// gitops [.spec.hosts[="a.example.com"]]
}
