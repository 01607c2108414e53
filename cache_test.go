package crdsem

import (
	"fmt"
	"strings"
	"testing"
)

const cachedText = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"%[1]s.g.io"},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"%[1]s","singular":"k","kind":"K","listKind":"KList"},"versions":[
{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string","pattern":"^a"}},
"x-kubernetes-validations":[{"rule":"self.a != ''"}]}}}}},
{"name":"v2","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object"}}}}}]}}`

func cachedVersion(t *testing.T, plural string, options ...DefinitionOption) *Version {
	t.Helper()
	d, err := Parse(fmt.Appendf(nil, cachedText, plural), options...)
	if err != nil {
		t.Fatal(err)
	}
	v, err := d.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Definitions share in a cache until it is dropped, and are as they were afterwards.
func TestCacheDrop(t *testing.T) {
	var cache Cache
	a, b := cachedVersion(t, "as", &cache), cachedVersion(t, "bs", &cache)
	if a.Schema() != b.Schema() {
		t.Error("definitions share no schema")
	}
	cache.Drop()
	c, alone := cachedVersion(t, "cs", &cache), cachedVersion(t, "ds")
	if c.Schema() == a.Schema() || alone.Schema() == a.Schema() {
		t.Error("a dropped cache still shares")
	}
	body := `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{"a":""}}`
	var told []string
	for _, v := range []*Version{a, b, c, alone} {
		told = append(told, fmt.Sprint(v.CreateBytes(t.Context(), []byte(body)).Errors))
	}
	for _, text := range told {
		if text != told[0] || !strings.Contains(text, "should match") || !strings.Contains(text, "failed rule") {
			t.Errorf("told is %q", told)
			break
		}
	}
}

// It is known when the last served version is compiled, after which what they share only to be compiled can go; a cache that was given is not
// the definition's to drop.
func TestLastVersionIsNoticed(t *testing.T) {
	var given Cache
	for _, own := range []bool{true, false} {
		var options []DefinitionOption
		if !own {
			options = append(options, &given)
		}
		v := cachedVersion(t, "ks", options...)
		if v.def.uncompiled.Load() != 1 {
			t.Errorf("%d versions are to be compiled", v.def.uncompiled.Load())
		}
		if _, err := v.def.Version("v2"); err != nil || v.def.uncompiled.Load() != 0 || v.def.ownCache != own {
			t.Errorf("%v; %d versions are to be compiled", err, v.def.uncompiled.Load())
		}
	}
}
