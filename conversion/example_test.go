package conversion_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/conversion"
)

const (
	pizzaGroup   = "restaurant.programming-kubernetes.info"
	pizzaAlpha   = pizzaGroup + "/v1alpha1"
	pizzaBeta    = pizzaGroup + "/v1beta1"
	pizzaExample = `{"apiVersion":"restaurant.programming-kubernetes.info/v1alpha1","kind":"Pizza",
		"metadata":{"name":"margherita"},"spec":{"toppings":["mozzarella","tomato","mozzarella"]}}`
)

// toBeta counts the toppings: v1alpha1 repeats a topping, v1beta1 has a
// quantity.
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

// A conversion webhook converts a pizza. The webhook is a Go function here and
// gets the reviews that the API server sends.
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
	none := parse(`{"apiVersion":"restaurant.programming-kubernetes.info/v1alpha1","kind":"Pizza",
		"metadata":{"name":"none"}}`)
	_, err = converter.Convert(context.Background(), none, pizzaBeta)
	fmt.Println(strings.ReplaceAll(err.Error(), ", ", ",\n  "))
	// Output:
	// {"toppings":[{"name":"mozzarella","quantity":2},{"name":"tomato","quantity":1}]}
	// conversion webhook for restaurant.programming-kubernetes.info/v1alpha1,
	//   Kind=Pizza failed: a pizza needs a spec
}

// The strategy None changes only apiVersion.
func ExampleNone() {
	object := parse(`{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","port":1234}`)
	show(conversion.None(object, "stable.example.com/v1"))
	// Output:
	// {"apiVersion":"stable.example.com/v1","kind":"CronTab","port":1234}
}

// A webhook that ignores fields of a version loses data. RoundTrip finds it.
func ExampleRoundTrip() {
	functions, err := pizzaFunctions()
	if err != nil {
		panic(err)
	}
	pizza := parse(pizzaExample)
	trip, err := conversion.RoundTrip(context.Background(), functions, pizza, pizzaBeta, nil)
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

// The procedure of the Kubernetes documentation for a new storage version.
func ExampleNext() {
	old := &conversion.Revision{Stored: []string{"v1beta1"}}
	v1 := conversion.Version{Name: "v1", Served: true, Storage: true}
	v1beta1 := conversion.Version{Name: "v1beta1", Served: true}
	life := conversion.Next(old, []conversion.Version{v1beta1, v1})
	fmt.Println(life.Stored)
	lines := strings.NewReplacer("; ", ";\n  ", ", or", ",\n  or",
		". The", ".\n  The", " through", "\n  through")
	for _, step := range life.Steps {
		fmt.Println("-", lines.Replace(step))
	}
	life = conversion.Next(old, []conversion.Version{v1})
	for _, err := range life.Refused {
		detail, _, _ := strings.Cut(err.Detail, ";")
		fmt.Println(err.Field, err.BadValue, detail)
	}
	// Output:
	// [v1beta1 v1]
	// - Apply the CRD with v1 as the storage version;
	//   status.storedVersions is then v1beta1, v1.
	// - Rewrite every existing object: run the storage version migrator,
	//   or list all objects and write each back unchanged.
	//   The server then stores them as v1.
	// - Remove v1beta1 from status.storedVersions
	//   through the status subresource.
	// - When no client uses v1beta1 any more, set served: false for it.
	// - Remove v1beta1 from spec.versions, and from the conversion webhook.
	// status.storedVersions[0] v1beta1 missing from spec.versions
}
