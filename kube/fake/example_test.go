package fake_test

import (
	"context"
	"fmt"
	"log"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crdsem/crdsem/kube"
	"github.com/crdsem/crdsem/kube/fake"
)

// A test has a client that answers as an API server with the definitions.
// Objects of Go types are sent as with any other client of controller-runtime.
func ExampleNewServer() {
	definitions, err := kube.ReadFiles([]string{"../testdata/pools.yaml"})
	if err != nil {
		log.Fatal(err)
	}
	server, err := fake.NewServer(definitions...)
	if err != nil {
		log.Fatal(err)
	}
	c, err := server.Client(clientfake.NewClientBuilder().Build(), nil)
	if err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	web := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1",
		"kind":       "Pool",
		"metadata":   map[string]any{"namespace": "default", "name": "web"},
		"spec":       map[string]any{"replicas": int64(3)},
	}}
	if err := c.Create(ctx, web); err != nil {
		log.Fatal(err)
	}
	fmt.Println("created:", web.Object["spec"])

	changed := web.DeepCopy()
	changed.Object["spec"] = map[string]any{"replicas": int64(30)}
	fmt.Println("refused:", c.Update(ctx, changed))

	patch := client.MergeFrom(web.DeepCopy())
	web.Object["status"] = map[string]any{"replicas": int64(3)}
	if err := c.Status().Patch(ctx, web, patch); err != nil {
		log.Fatal(err)
	}
	fmt.Println("status:", web.Object["status"], "generation:", web.GetGeneration())
	// Output:
	// created: map[class:standard maxReplicas:10 minReplicas:1 replicas:3]
	// refused: Pool.example.com "web" is invalid: spec.replicas: Invalid value: replicas must be between 1 and 10
	// status: map[replicas:3] generation: 1
}
