package webhook_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/conversion/webhook"
)

// A test serves the functions of a conversion webhook, and asks them over HTTP
// as an API server does.
func Example() {
	rename := func(from, to string) conversion.Function {
		return func(_ context.Context, object map[string]any) (map[string]any, error) {
			object[to] = object[from]
			delete(object, from)
			return object, nil
		}
	}
	functions, err := conversion.Pairwise(
		conversion.Route{
			From: "example.com/v1", To: "example.com/v2", Convert: rename("size", "replicas"),
		},
		conversion.Route{
			From: "example.com/v2", To: "example.com/v1", Convert: rename("replicas", "size"),
		},
	)
	if err != nil {
		log.Fatal(err)
	}
	served := httptest.NewServer(webhook.Handler(functions))
	defer served.Close()

	spec := conversion.Spec{
		CRD: "widgets.example.com", Group: "example.com", Versions: []string{"v1", "v2"},
		Strategy: conversion.StrategyWebhook, ReviewVersions: []string{"v1"},
		Client: conversion.ClientConfig{URL: served.URL},
	}
	client, err := webhook.New(spec, webhook.AllowHTTP())
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	converter, err := conversion.New(spec, client)
	if err != nil {
		log.Fatal(err)
	}
	converted, err := converter.Convert(context.Background(), map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget",
		"metadata": map[string]any{"name": "w", "namespace": "default"}, "size": int64(3),
	}, "example.com/v2")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(converted["apiVersion"], converted["replicas"])
	// Output:
	// example.com/v2 3
}
