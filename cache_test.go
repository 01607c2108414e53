package crdsem_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
)

// internal is what only tests may look at.
const cachedText = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"%[1]s.g.io"},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"%[1]s","singular":"k","kind":"K","listKind":"KList"},"versions":[
{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string","pattern":"^a"}},
"x-kubernetes-validations":[{"rule":"self.a != ''"}]}}}}},
{"name":"v2","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object"}}}}},
{"name":"v3","served":false,"storage":false,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`

func cachedVersion(
	t *testing.T, plural string, options ...crdsem.DefinitionOption,
) (*crdsem.Definition, *crdsem.Version) {
	t.Helper()
	d, err := crdsem.Parse(fmt.Appendf(nil, cachedText, plural), options...)
	if err != nil {
		t.Fatal(err)
	}
	v, err := d.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	return d, v
}

// Definitions share in a cache until it is dropped, and are as they were
// afterwards.
func TestCacheDrop(t *testing.T) {
	var cache crdsem.Cache
	_, a := cachedVersion(t, "as", crdsem.InCache(&cache))
	_, b := cachedVersion(t, "bs", crdsem.InCache(&cache))
	if a.Schema() != b.Schema() {
		t.Error("definitions share no schema")
	}
	cache.Drop()
	_, c := cachedVersion(t, "cs", crdsem.InCache(&cache))
	_, alone := cachedVersion(t, "ds")
	if c.Schema() == a.Schema() || alone.Schema() == a.Schema() {
		t.Error("a dropped cache still shares")
	}
	body := `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{"a":""}}`
	var told []string
	for _, v := range []*crdsem.Version{a, b, c, alone} {
		told = append(told, fmt.Sprint(v.CreateBytes(t.Context(), []byte(body)).Errors))
	}
	for _, text := range told {
		if text != told[0] || !strings.Contains(text, "should match") ||
			!strings.Contains(text, "failed rule") {
			t.Errorf("told is %q", told)
			break
		}
	}
}

// It is known when the last served version is compiled, and when the last one
// is prepared, after which what they share only to be compiled can go; a cache
// that was given is not the definition's to drop.
func TestLastVersionIsNoticed(t *testing.T) {
	var given crdsem.Cache
	for _, own := range []bool{true, false} {
		var options []crdsem.DefinitionOption
		if !own {
			options = append(options, crdsem.InCache(&given))
		}
		d, first := cachedVersion(t, "ks", options...)
		if left, _ := crdsem.Uncompiled(d); left != 1 {
			t.Errorf("%d versions are to be compiled", left)
		}
		last, err := d.Version("v2")
		if left, ownCache := crdsem.Uncompiled(d); err != nil || left != 0 || ownCache != own {
			t.Errorf("%v; %d versions are to be compiled", err, left)
		}
		for i, v := range []*crdsem.Version{first, first, last, last} {
			err := v.Prepare(t.Context())
			if left := crdsem.Unprepared(d); err != nil || left != 1-i/2 {
				t.Errorf("%v; %d versions are to be prepared", err, left)
			}
		}
	}
}
