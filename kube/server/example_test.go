package server_test

import (
	"context"
	"fmt"
	"log"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crdsem/crdsem/kube/server"
)

// A test starts an API server that has a definition, and asks it by any client.
func ExampleStart() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	api, err := server.Start(ctx, server.Options{
		Definitions: []string{"testdata/crontab.yaml"},
	})
	if err != nil {
		log.Fatal(err)
	}
	c, err := client.New(api.Config(), client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, replicas := range []int64{3, 30} {
		object := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "stable.example.com/v1", "kind": "CronTab",
			"metadata": map[string]any{"name": fmt.Sprint("cron-", replicas), "namespace": "default"},
			"spec":     map[string]any{"replicas": replicas},
		}}
		err := c.Create(ctx, object)
		fmt.Println(object.GetName(), err)
	}
	fmt.Println(api.Stop())
	// Output:
	// cron-3 <nil>
	// cron-30 CronTab.stable.example.com "cron-30" is invalid: spec.replicas: Invalid value: 30: spec.replicas in body should be less than or equal to 10
	// <nil>
}
