package webhook_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/conversion/webhook"
)

const (
	pizzaGroup = "restaurant.programming-kubernetes.info"
	alpha      = pizzaGroup + "/v1alpha1"
	beta       = pizzaGroup + "/v1beta1"
)

// countToppings converts to v1beta1, where a topping has a quantity.
func countToppings(_ context.Context, pizza map[string]any) (map[string]any, error) {
	spec := pizza["spec"].(map[string]any)
	var toppings []any
	place := map[any]int{}
	for _, name := range spec["toppings"].([]any) {
		if name == "pineapple" {
			return nil, errors.New("pineapple is no topping")
		}
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

// repeatToppings converts to v1alpha1, where a topping is repeated.
func repeatToppings(_ context.Context, pizza map[string]any) (map[string]any, error) {
	spec := pizza["spec"].(map[string]any)
	var names []any
	for _, item := range spec["toppings"].([]any) {
		topping := item.(map[string]any)
		for range topping["quantity"].(int64) {
			names = append(names, topping["name"])
		}
	}
	spec["toppings"] = names
	return pizza, nil
}

func alphaPizza(name string, toppings ...any) map[string]any {
	return map[string]any{
		"apiVersion": alpha,
		"kind":       "Pizza",
		"spec":       map[string]any{"toppings": toppings},
		"metadata": map[string]any{
			"name":            name,
			"namespace":       "pizza-crd",
			"uid":             "uid-" + name,
			"resourceVersion": "7",
			"labels": map[string]any{
				"menu": "daily",
			},
			"finalizers": []any{"pizza.example.com/oven"},
		},
	}
}

func betaPizza(name string, quantities ...any) map[string]any {
	pizza := alphaPizza(name)
	pizza["apiVersion"] = beta
	toppings := []any{}
	for i := 0; i < len(quantities); i += 2 {
		toppings = append(toppings,
			map[string]any{"name": quantities[i], "quantity": quantities[i+1]})
	}
	pizza["spec"] = map[string]any{"toppings": toppings}
	return pizza
}

// pizzeria serves a webhook over HTTPS and returns a converter that calls it.
func pizzeria(t *testing.T, review string, hook conversion.Webhook) *conversion.Converter {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/convert/v1beta1/pizza", webhook.Handler(hook))
	server := httptest.NewTLSServer(mux)
	t.Cleanup(server.Close)
	spec := conversion.Spec{
		CRD:            "pizzas." + pizzaGroup,
		Group:          pizzaGroup,
		Versions:       []string{"v1alpha1", "v1beta1"},
		Strategy:       conversion.StrategyWebhook,
		ReviewVersions: []string{review},
		Client: conversion.ClientConfig{
			URL:      server.URL + "/convert/v1beta1/pizza",
			CABundle: caBundle(server),
		},
	}
	client, err := webhook.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	converter, err := conversion.New(spec, client)
	if err != nil {
		t.Fatal(err)
	}
	return converter
}

func pizzaFunctions(t *testing.T) *conversion.Functions {
	t.Helper()
	f, err := conversion.Pairwise(conversion.Route{From: alpha, To: beta, Convert: countToppings},
		conversion.Route{From: beta, To: alpha, Convert: repeatToppings})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPizzaBothWays(t *testing.T) {
	for _, review := range []string{"v1", "v1beta1"} {
		c := pizzeria(t, review, pizzaFunctions(t))
		one, other := alphaPizza("margherita", "mozzarella", "mozzarella",
			"tomato"), betaPizza("margherita", "mozzarella", int64(2), "tomato", int64(1))
		got, err := c.Convert(t.Context(), one, beta)
		if diff := cmp.Diff(other, got); diff != "" || err != nil {
			t.Errorf("review %s, to v1beta1: %v (-want +got):\n%s", review, err, diff)
		}
		got, err = c.Convert(t.Context(), other, alpha)
		if diff := cmp.Diff(one, got); diff != "" || err != nil {
			t.Errorf("review %s, to v1alpha1: %v (-want +got):\n%s", review, err, diff)
		}
		trip, err := conversion.RoundTrip(t.Context(), c, other, alpha, nil)
		if err != nil || len(trip.Losses) != 0 {
			t.Errorf("review %s, round trip: %v, %v", review, trip.Losses, err)
		}
	}
}

func TestPizzaListOfMixedVersions(t *testing.T) {
	c := pizzeria(t, "v1", pizzaFunctions(t))
	list := map[string]any{
		"apiVersion": alpha,
		"kind":       "PizzaList",
		"metadata":   map[string]any{"resourceVersion": "9"},
		"items": []any{
			alphaPizza("a", "tomato"),
			betaPizza("b", "salami", int64(3)),
			alphaPizza("c", "basil"),
		},
	}
	want := map[string]any{
		"apiVersion": beta,
		"kind":       "PizzaList",
		"metadata":   map[string]any{"resourceVersion": "9"},
		"items": []any{
			betaPizza("a", "tomato", int64(1)),
			betaPizza("b", "salami", int64(3)),
			betaPizza("c", "basil", int64(1)),
		},
	}
	got, err := c.ConvertList(t.Context(), list, beta)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	list["items"] = []any{alphaPizza("a", "tomato"), alphaPizza("hawaii", "pineapple")}
	wantErr := "conversion webhook for " + alpha +
		", Kind=PizzaList failed: object 1: pineapple is no topping"
	if _, err := c.ConvertList(t.Context(), list, beta); errorText(err) != wantErr {
		t.Errorf("a pizza that fails: %v, want %s", err, wantErr)
	}
}

// spoiled returns a webhook that calls another webhook and then changes the
// first converted object.
func spoiled(hook conversion.Webhook, spoil func(object map[string]any)) conversion.WebhookFunc {
	return func(ctx context.Context, review []byte) ([]byte, error) {
		answer, err := hook.Call(ctx, review)
		if err != nil {
			return nil, err
		}
		var document map[string]any
		if err := json.Unmarshal(answer, &document); err != nil {
			return nil, err
		}
		spoil(document["response"].(map[string]any)["convertedObjects"].([]any)[0].(map[string]any))
		return json.Marshal(document)
	}
}

func TestPizzaIllegalChanges(t *testing.T) {
	const prefix = "conversion webhook for " + alpha + ", Kind=Pizza returned invalid "
	set := func(name string, value any) func(map[string]any) {
		return func(object map[string]any) { object["metadata"].(map[string]any)[name] = value }
	}
	cases := []struct {
		name  string
		spoil func(map[string]any)
		want  string
	}{
		{"name", set("name", "calzone"), prefix + "object: must have the same name: a != calzone"},
		{"namespace", set("namespace", "elsewhere"), prefix + "object: must have the same namespace: pizza-crd != elsewhere"},
		{"uid", set("uid", "new"), prefix + "object: must have the same UID: uid-a != new"},
		{"kind", func(o map[string]any) { o["kind"] = "Calzone" }, prefix + "object at index 0: invalid kind (expected Pizza, received Calzone)"},
		{"version", func(o map[string]any) { o["apiVersion"] = alpha }, prefix + "object at index 0: invalid groupVersion (expected " + beta + ", received " + alpha + ")"},
		{"labels of a wrong type", set("labels", "x"), prefix + "metadata: invalid metadata.labels of type string in converted object"},
		{"annotation that is no string", set("annotations", map[string]any{"a": 1}), prefix + "metadata: metadata.annotations[a] must be a string, but is int64 in converted object"},
		{"label of bad syntax", set("labels", map[string]any{"a": "b c"}), prefix + `metadata: metadata.labels: Invalid value: "b c": a valid label must be`},
		{"metadata removed", func(o map[string]any) { delete(o, "metadata") }, prefix + "object: must have the same name: a != "},
	}
	for _, c := range cases {
		converter := pizzeria(t, "v1", spoiled(pizzaFunctions(t), c.spoil))
		_, err := converter.Convert(t.Context(), alphaPizza("a", "tomato"), beta)
		if got := errorText(err); got != c.want &&
			!(strings.HasSuffix(c.want, "must be") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: error %q\nwant %q", c.name, got, c.want)
		}
	}
	silent := map[string]func(map[string]any){
		"finalizers":      set("finalizers", []any{}),
		"resourceVersion": set("resourceVersion", "1"),
		"generation":      set("generation", 5),
	}
	for name, spoil := range silent {
		got, err := pizzeria(t, "v1",
			spoiled(pizzaFunctions(t), spoil)).Convert(t.Context(), alphaPizza("a", "tomato"), beta)
		if diff := cmp.Diff(betaPizza("a", "tomato", int64(1)), got); diff != "" || err != nil {
			t.Errorf("%s is not put back: %v (-want +got):\n%s", name, err, diff)
		}
	}
}
