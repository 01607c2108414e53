package typemeta_test

import (
	"reflect"
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

func TestWithMetadata(t *testing.T) {
	type object = map[string]any
	for name, c := range map[string]struct {
		before, want object
		key          string
		value        any
	}{
		"a field more": {object{"metadata": object{"name": "a"}, "kind": "K"},
			object{"metadata": object{"name": "a", "uid": "1"}, "kind": "K"}, "uid", "1"},
		"another value": {object{"metadata": object{"uid": "1"}},
			object{"metadata": object{"uid": "2"}}, "uid", "2"},
		"removed":     {object{"metadata": object{"uid": "1"}}, object{"metadata": object{}}, "uid", nil},
		"nil":         {nil, object{"metadata": object{"uid": "1"}}, "uid", "1"},
		"no metadata": {object{"kind": "K"}, object{"kind": "K", "metadata": object{"uid": "1"}}, "uid", "1"},
	} {
		metadata := len(typemeta.Metadata(c.before))
		if got := typemeta.WithMetadata(c.before, c.key, c.value); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
		if len(typemeta.Metadata(c.before)) != metadata {
			t.Errorf("%s: the object was changed: %v", name, c.before)
		}
	}
}
