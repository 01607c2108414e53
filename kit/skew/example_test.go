package skew_test

import (
	"context"
	"fmt"
	"log"

	"github.com/crdsem/crdsem/kit/skew"
	"github.com/crdsem/crdsem/minors"
)

// An object with a large port is accepted until Kubernetes checks the formats
// of integers.
func ExampleCompare() {
	crd := []byte(`{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": {"name": "hosts.example.com"},
		"spec": {
			"group": "example.com", "scope": "Cluster",
			"names": {"plural": "hosts", "singular": "host", "kind": "Host", "listKind": "HostList"},
			"versions": [{"name": "v1", "served": true, "storage": true, "schema": {
				"openAPIV3Schema": {"type": "object", "properties": {
					"port": {"type": "integer", "format": "int32"}}}}}]
		}
	}`)
	host := map[string]any{
		"apiVersion": "example.com/v1", "kind": "Host",
		"metadata": map[string]any{"name": "a"}, "port": int64(3_000_000_000),
	}
	found, err := skew.Compare(context.Background(), crd, minors.All(), host)
	if err != nil {
		log.Fatal(err)
	}
	for _, turn := range found.Objects[0].Turns() {
		fmt.Println("refused since", turn.After.Kubernetes, turn.Changes[0].ID)
		fmt.Println(turn.Reason)
	}
	// Output:
	// refused since 1.36 36-numeric-formats
	// <nil>: Invalid value: "": Checked value must be of type integer with format int32 in port
}
