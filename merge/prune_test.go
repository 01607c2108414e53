package merge_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/merge"
)

// joining returns a field manager of three versions. Version v2 has one field
// for two of v1, and v3 any field. An object with one of the two fields cannot
// be converted to v2: the webhook leaves the field, which v2 does not declare.
func joining(t *testing.T) *merge.FieldManager {
	t.Helper()
	r, err := merge.NewFieldManager("Foo", []merge.Version{
		{APIVersion: "g.io/v1", Type: compile(t,
			"type: object\nproperties: {host: {type: string}, port: {type: string}}")},
		{APIVersion: "g.io/v2", Type: compile(t,
			"type: object\nproperties: {both: {type: string}, more: {type: string}}")},
		{APIVersion: "g.io/v3", Type: compile(t,
			"type: object\nx-kubernetes-preserve-unknown-fields: true")},
	}, merge.Hooks{Convert: func(o object, apiVersion string) (object, error) {
		o = maps.Clone(o)
		o["apiVersion"] = apiVersion
		host, _ := o["host"].(string)
		port, _ := o["port"].(string)
		if both, ok := o["both"].(string); ok && apiVersion != "g.io/v2" {
			delete(o, "both")
			o["host"], o["port"], _ = strings.Cut(both, ":")
		} else if host != "" && port != "" && apiVersion == "g.io/v2" {
			delete(o, "host")
			delete(o, "port")
			o["both"] = host + ":" + port
		}
		return o, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A field that is no longer applied is removed in every version that has an
// owner, in any order. The request fails if one order does.
func TestPruneOverVersions(t *testing.T) {
	const lost = "failed to prune fields: failed add back owned items: failed to convert " +
		"pruned object at version g.io/v2: .host: field not declared in schema"
	entry := func(manager, operation, apiVersion, field string) object {
		return object{
			"manager": manager, "operation": operation, "apiVersion": apiVersion,
			"fieldsType": "FieldsV1", "fieldsV1": object{field: object{}},
		}
	}
	for name, c := range map[string]struct {
		others []any
		want   string
	}{
		"no other version":         {nil, ""},
		"one that keeps the field": {[]any{entry("x", "Update", "g.io/v3", "f:port")}, ""},
		"one without the field":    {[]any{entry("x", "Update", "g.io/v2", "f:more")}, lost},
		"an owner in its own version": {[]any{entry("x", "Update", "g.io/v1", "f:port"),
			entry("y", "Update", "g.io/v2", "f:more"), entry("z", "Update", "g.io/v3", "f:z")}, ""},
		"both": {[]any{entry("x", "Update", "g.io/v3", "f:port"),
			entry("y", "Update", "g.io/v2", "f:more")}, lost},
	} {
		r := joining(t)
		both := object{"f:host": object{}, "f:port": object{}}
		own := entry("m", "Apply", "g.io/v1", "")
		own["fieldsV1"] = both
		live := object{"apiVersion": "g.io/v1", "kind": "Foo", "host": "h", "port": "1",
			"metadata": object{"managedFields": append([]any{own}, c.others...)}}
		applied := object{"apiVersion": "g.io/v1", "kind": "Foo", "host": "h"}
		for range 30 {
			got := ""
			if _, err := r.Apply(t.Context(), live, applied, request("m")); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%s: got %q, want %q", name, got, c.want)
				break
			}
		}
	}
}
