package conversion_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/crdsem/crdsem/conversion"
)

const (
	pizzaGroup   = "restaurant.programming-kubernetes.info"
	pizzaAlpha   = pizzaGroup + "/v1alpha1"
	pizzaBeta    = pizzaGroup + "/v1beta1"
	pizzaExample = `{"apiVersion":"restaurant.programming-kubernetes.info/v1alpha1","kind":"Pizza",
		"metadata":{"name":"margherita"},"spec":{"toppings":["mozzarella","tomato","mozzarella"]}}`
)

// toBeta counts the toppings: v1alpha1 repeats a topping, v1beta1 has a quantity.
func toBeta(_ context.Context, pizza map[string]any) (map[string]any, error) {
	spec, ok := pizza["spec"].(map[string]any)
	if !ok {
		return nil, errors.New("a pizza needs a spec")
	}
	names, _ := spec["toppings"].([]any)
	toppings := []any{}
	place := map[any]int{}
	for _, name := range names {
		if i, again := place[name]; again {
			topping := toppings[i].(map[string]any)
			topping["quantity"] = topping["quantity"].(int64) + 1
			continue
		}
		place[name] = len(toppings)
		toppings = append(toppings, map[string]any{"name": name, "quantity": int64(1)})
	}
	spec["toppings"] = toppings
	return pizza, nil
}

// toAlpha repeats each topping.
func toAlpha(_ context.Context, pizza map[string]any) (map[string]any, error) {
	spec, ok := pizza["spec"].(map[string]any)
	if !ok {
		return nil, errors.New("a pizza needs a spec")
	}
	toppings, _ := spec["toppings"].([]any)
	names := []any{}
	for _, item := range toppings {
		topping, _ := item.(map[string]any)
		quantity, _ := topping["quantity"].(int64)
		for range quantity {
			names = append(names, topping["name"])
		}
	}
	spec["toppings"] = names
	return pizza, nil
}

func pizzaFunctions() (*conversion.Functions, error) {
	return conversion.Pairwise(
		conversion.Route{From: pizzaAlpha, To: pizzaBeta, Convert: toBeta},
		conversion.Route{From: pizzaBeta, To: pizzaAlpha, Convert: toAlpha})
}

func parse(text string) map[string]any {
	var object map[string]any
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		panic(err)
	}
	return object
}

func show(value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

// A pizza goes through a conversion webhook, a Go function here, exactly as the API server would send it.
func Example() {
	functions, err := pizzaFunctions()
	if err != nil {
		panic(err)
	}
	converter, err := conversion.New(conversion.Spec{
		CRD: "pizzas." + pizzaGroup, Group: pizzaGroup, Versions: []string{"v1alpha1", "v1beta1"},
		Strategy: conversion.StrategyWebhook, ReviewVersions: []string{"v1"},
	}, functions)
	if err != nil {
		panic(err)
	}
	pizza, err := converter.Convert(context.Background(), parse(pizzaExample), pizzaBeta)
	if err != nil {
		panic(err)
	}
	show(pizza["spec"])
	_, err = converter.Convert(context.Background(), parse(`{"apiVersion":"restaurant.programming-kubernetes.info/v1alpha1","kind":"Pizza",
		"metadata":{"name":"none"}}`), pizzaBeta)
	fmt.Println(err)
	// Output:
	// {"toppings":[{"name":"mozzarella","quantity":2},{"name":"tomato","quantity":1}]}
	// conversion webhook for restaurant.programming-kubernetes.info/v1alpha1, Kind=Pizza failed: a pizza needs a spec
}

// The strategy None changes nothing but apiVersion.
func ExampleNone() {
	show(conversion.None(parse(`{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","host":"localhost","port":"1234"}`), "stable.example.com/v1"))
	// Output: {"apiVersion":"stable.example.com/v1","host":"localhost","kind":"CronTab","port":"1234"}
}

// A webhook that ignores a version's fields loses data; the round trip tells what.
func ExampleRoundTrip() {
	functions, err := pizzaFunctions()
	if err != nil {
		panic(err)
	}
	trip, err := conversion.RoundTrip(context.Background(), functions, parse(pizzaExample), pizzaBeta, nil)
	if err != nil {
		panic(err)
	}
	for _, loss := range trip.Losses {
		fmt.Println(loss)
	}
	// Output:
	// spec.toppings[1]: changed from tomato to mozzarella
	// spec.toppings[2]: changed from mozzarella to tomato
}

// The life of a storage version, as the Kubernetes documentation tells it.
func ExampleNext() {
	old := &conversion.Revision{Stored: []string{"v1beta1"}}
	life := conversion.Next(old, []conversion.Version{{Name: "v1beta1", Served: true}, {Name: "v1", Served: true, Storage: true}})
	fmt.Println(life.Stored)
	for _, step := range life.Steps {
		fmt.Println("-", step)
	}
	life = conversion.Next(old, []conversion.Version{{Name: "v1", Served: true, Storage: true}})
	fmt.Println(life.Refused)
	// Output:
	// [v1beta1 v1]
	// - Apply the CRD with v1 as the storage version; status.storedVersions is then v1beta1, v1.
	// - Rewrite every existing object: run the storage version migrator, or list all objects and write each back unchanged. The server then stores them as v1.
	// - Remove v1beta1 from status.storedVersions through the status subresource.
	// - When no client uses v1beta1 any more, set served: false for it.
	// - Remove v1beta1 from spec.versions, and from the conversion webhook.
	// [status.storedVersions[0]: Invalid value: "v1beta1": missing from spec.versions; v1beta1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1beta1 and removes v1beta1 from status.storedVersions]
}
