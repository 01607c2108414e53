package typemeta_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/base/typemeta"
)

func TestOf(t *testing.T) {
	for name, c := range map[string]struct {
		object     map[string]any
		want       typemeta.Type
		apiVersion string
	}{
		"with a group": {map[string]any{"apiVersion": "stable.example.com/v1", "kind": "CronTab"},
			typemeta.Type{Group: "stable.example.com", Version: "v1", Kind: "CronTab"},
			"stable.example.com/v1"},
		"without a group": {map[string]any{"apiVersion": "v1", "kind": "Pod"},
			typemeta.Type{Version: "v1", Kind: "Pod"}, "v1"},
		"two slashes": {map[string]any{"apiVersion": "a/b/c"},
			typemeta.Type{Group: "a", Version: "b/c"}, "a/b/c"},
		"no strings": {map[string]any{"apiVersion": int64(1), "kind": true}, typemeta.Type{}, ""},
		"nil":        {nil, typemeta.Type{}, ""},
	} {
		if got := typemeta.Of(c.object); got != c.want || got.APIVersion() != c.apiVersion {
			t.Errorf("%s: %+v, %s", name, got, got.APIVersion())
		}
	}
}

func TestName(t *testing.T) {
	for _, c := range []struct {
		metadata        any
		namespace, name string
	}{
		{map[string]any{"namespace": "prod", "name": "w1"}, "prod", "w1"},
		{map[string]any{"name": "w1"}, "", "w1"},
		{map[string]any{"namespace": "prod", "name": int64(1)}, "prod", ""},
		{"w1", "", ""},
		{nil, "", ""},
	} {
		namespace, name := typemeta.Name(map[string]any{"metadata": c.metadata})
		if namespace != c.namespace || name != c.name {
			t.Errorf("%v: %q, %q", c.metadata, namespace, name)
		}
	}
}
