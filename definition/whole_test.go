package definition

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/structural"
)

// What a model has of its definition as a whole.
func TestModel(t *testing.T) {
	const text = `{"metadata":{"name":"ks.g.io"},"spec":{"group":"g.io","scope":"Namespaced","preserveUnknownFields":true,
"names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList","shortNames":["s"],"categories":["c"]},CONVERSION"versions":[{"name":"v1","served":true},{"name":"v2","storage":true}]},
"status":{"storedVersions":["v1","v2"],"conditions":[{"type":"Established","status":"STATUS"}]}}`
	service := conversion.Service{Namespace: "n", Name: "s", Path: "/p", Port: 8}
	for in, want := range map[string]Conversion{
		"": {Strategy: "None"}, `"conversion":{"strategy":"None"},`: {Strategy: "None"},
		`"conversion":{"strategy":"Webhook"},`: {Strategy: "Webhook", Webhook: &Webhook{}},
		`"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":{"url":"u","caBundle":"YQ=="}}},`: {
			Strategy: "Webhook",
			Webhook:  &Webhook{conversion.ClientConfig{URL: "u", CABundle: []byte("a")}, []string{"v1"}}},
		`"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"service":{"namespace":"n","name":"s","path":"/p","port":8}}}},`: {
			Strategy: "Webhook", Webhook: &Webhook{ClientConfig: conversion.ClientConfig{Service: &service}}},
	} {
		m := compiled(t, strings.Replace(text, "CONVERSION", in, 1))
		if diff := cmp.Diff(want, m.Conversion()); diff != "" {
			t.Errorf("%s: %s", in, diff)
		}
		names := Names{Plural: "ks", Singular: "k", Kind: "K", ListKind: "KList",
			ShortNames: []string{"s"}, Categories: []string{"c"}}
		got := []any{m.Name(), m.Group(), m.Scope(), m.Names(), m.StoredVersions(),
			m.PreservesUnknownFields(),
			m.Version("v1").Name, m.Version("v3") == nil, m.StorageVersion().Name}
		whole := []any{"ks.g.io", "g.io", Namespaced, names, []string{"v1", "v2"}, true, "v1",
			true, "v2"}
		if diff := cmp.Diff(whole, got); diff != "" {
			t.Errorf("%s: %s", in, diff)
		}
	}
	if compiled(t, `{}`).StorageVersion() != nil {
		t.Error("an empty definition has a storage version")
	}
	for status, want := range map[string]bool{"True": true, "False": false} {
		def, _, err := Parse([]byte(strings.NewReplacer("CONVERSION", "", "STATUS",
			status).Replace(text)))
		if err != nil || def.IsEstablished() != want {
			t.Errorf("established with %s: %t, %v", status, def.IsEstablished(), err)
		}
	}
}

// Definitions that are none, options, and documents that are no definitions.
func TestParseAndFromMap(t *testing.T) {
	for _, none := range []*CRD{nil, {}} {
		if none.Name() != "" || none.Kubernetes() != "1.37" || none.IsEstablished() ||
			none.In("1.30").Kubernetes() != "1.30" {
			t.Errorf("an empty definition: %+v", none)
		}
	}
	decoders := map[string]func(...structural.Option) (*CRD, []error, error){
		"Parse": func(o ...structural.Option) (*CRD, []error, error) {
			return Parse([]byte(`{"metadata":{"name":"n"}}`), o...)
		},
		"FromMap": func(o ...structural.Option) (*CRD, []error, error) {
			return FromMap(map[string]any{"metadata": map[string]any{"name": "n"}}, o...)
		},
	}
	for name, decode := range decoders {
		def, strict, err := decode(nil, structural.Kubernetes("1.30"), nil)
		if err != nil || strict != nil || def.Name() != "n" || def.Kubernetes() != "1.30" {
			t.Errorf("%s: %v, %v, %v", name, def, strict, err)
		}
		const text = `unknown Kubernetes minor "1.1": expected 1.30 to 1.38`
		def, _, err = decode(structural.Kubernetes("1.1"))
		if def != nil || err == nil || err.Error() != text {
			t.Errorf("%s: %v, %v", name, def, err)
		}
	}
	_, _, err := FromMap(map[string]any{"spec": 1})
	bad, ok := errors.AsType[*DecodeError](err)
	if !ok || !strings.HasPrefix(err.Error(), "spec: a value of type int "+
		"") || bad.Unwrap() != bad.Err {
		t.Errorf("a value that is not JSON: %v", err)
	}
}
