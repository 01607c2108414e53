package crdsem_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/generate/schemagen"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// metadatas are what stored objects and requests have as metadata.
var metadatas = []string{
	`{"name":"n"}`, `{"name":"n","namespace":"x","generation":4,"uid":"u","resourceVersion":"7","creationTimestamp":"2020-01-01T00:00:00Z"}`,
	`{"name":"n","labels":{}}`, `{"name":"n","unknown":1,"labels":{"a":"b"}}`, `{"name":"n","deletionTimestamp":"0001-01-01T00:00:00Z"}`,
	`{"name":"n","managedFields":[{"manager":"m","operation":"Update","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:a":{}}}}]}`,
	`{"name":"n","creationTimestamp":null}`, `{"name":"n","generation":"1"}`, `{"name":5}`, `null`, `"x"`,
}

func generatedVersion(t *testing.T, schema map[string]any) *crdsem.Version {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	d := parse(t, fmt.Sprintf(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
"spec":{"group":"g.io","scope":"Namespaced","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},
"versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},"schema":{"openAPIV3Schema":%s}}]}}`, text))
	v, err := d.Version("v1")
	if err != nil {
		return nil
	}
	return v
}

// asResource gives an object a type and one of the metadatas.
func asResource(t *testing.T, content any, metadata string) map[string]any {
	t.Helper()
	out, _ := jsonvalue.DeepCopy(content).(map[string]any)
	if out == nil {
		out = map[string]any{}
	}
	out["apiVersion"], out["kind"] = "g.io/v1", "K"
	out["metadata"] = object(t, `{"m":`+metadata+`}`)["m"]
	return out
}

// What is stored loads beside a request as it does step by step, and what is told to be the same is.
func TestLoadingBeside(t *testing.T) {
	alike, refused := 0, 0
	for seed := range uint64(300) {
		r := schemagen.NewRand(seed)
		tree := schemagen.Schema(r, schemagen.SchemaConfig{})
		v := generatedVersion(t, tree)
		if v == nil {
			continue
		}
		for i := range 2 * len(metadatas) {
			content := schemagen.Wild(r, v.Schema())
			object := asResource(t, content, metadatas[i%len(metadatas)])
			if i%3 > 0 {
				content = schemagen.Mutate(r, content)
			}
			old := asResource(t, content, metadatas[int(seed)%len(metadatas)])
			want, wantErr := crdsem.LoadStepByStep(v, old)
			got, gotErr := crdsem.LoadBeside(v, object, old)
			if fmt.Sprint(wantErr) != fmt.Sprint(gotErr) {
				t.Errorf("%v, want %v", gotErr, wantErr)
			}
			if gotErr != nil {
				refused++
				continue
			}
			if diff := cmp.Diff(want, got.Object); diff != "" {
				t.Errorf("%v beside %v: %s", old, object, diff)
			}
			if got.Alike {
				alike++
			}
			if got.Alike && !got.Same {
				t.Errorf("%v and %v are not alike", object, old)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if alike < 300 || refused == 0 {
		t.Errorf("%d were alike, %d were refused", alike, refused)
	}
}

// An update is judged alike whether its objects share or not.
func TestSharingDoesNotMatter(t *testing.T) {
	admitted := 0
	for seed := range uint64(300) {
		r := schemagen.NewRand(seed)
		tree := schemagen.Schema(r, schemagen.SchemaConfig{Rules: 0.2})
		v := generatedVersion(t, tree)
		if v == nil {
			continue
		}
		for i := range metadatas {
			content := schemagen.Object(r, v.Schema())
			old := asResource(t, content, metadatas[i])
			object := old
			if i%2 == 0 {
				object = asResource(t, nil, metadatas[1])
				for key, value := range old {
					if key != "metadata" {
						object[key] = value
					}
				}
				object["more"] = "x"
			}
			apart := jsonvalue.DeepCopyMap(object)
			shared, separate := v.Update(context.Background(), object, old), v.Update(context.Background(), apart, old)
			if diff := cmp.Diff(verdict(shared), verdict(separate)); diff != "" {
				t.Fatalf("seed %d: %s", seed, diff)
			}
			if shared.Admitted() {
				admitted++
			}
		}
	}
	if admitted < 300 {
		t.Errorf("only %d were admitted", admitted)
	}
}

// verdict is all that a result tells.
func verdict(r *crdsem.Result) any {
	return []any{r.Stage, r.Object, r.Pruned, r.Defaulted, r.Provenance, fmt.Sprint(r.Errors), fmt.Sprint(r.Ratcheted), fmt.Sprint(r.Err()), r.Warnings, r.Cost}
}

// Values that no JSON has are refused wherever they are, in the object and in the old one, with the path as text.
func TestForeignValues(t *testing.T) {
	v := generatedVersion(t, object(t, `{"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}}}`))
	good := func() map[string]any {
		return asResource(t, object(t, `{"spec":{"a":"x"}}`), metadatas[1])
	}
	for path, plant := range map[string]func(map[string]any, any){
		"spec.a":               func(o map[string]any, v any) { o["spec"].(map[string]any)["a"] = v },
		"spec.unknown":         func(o map[string]any, v any) { o["spec"].(map[string]any)["unknown"] = v },
		"unknown":              func(o map[string]any, v any) { o["unknown"] = v },
		"metadata.unknown":     func(o map[string]any, v any) { o["metadata"].(map[string]any)["unknown"] = v },
		"metadata.name":        func(o map[string]any, v any) { o["metadata"].(map[string]any)["name"] = v },
		"metadata.labels.a":    func(o map[string]any, v any) { o["metadata"].(map[string]any)["labels"] = map[string]any{"a": v} },
		"metadata":             func(o map[string]any, v any) { o["metadata"] = v },
		"kind":                 func(o map[string]any, v any) { o["kind"] = v },
		"apiVersion":           func(o map[string]any, v any) { o["apiVersion"] = v },
		"metadata.generation":  func(o map[string]any, v any) { o["metadata"].(map[string]any)["generation"] = v },
		"metadata.annotations": func(o map[string]any, v any) { o["metadata"].(map[string]any)["annotations"] = v },
	} {
		for _, foreign := range []any{7, math.NaN(), []string{"x"}} {
			bad := good()
			plant(bad, foreign)
			var refused *crdsem.ValueError
			want := jsonvalue.Check(bad).Error()
			for name, r := range map[string]*crdsem.Result{
				"create": v.Create(context.Background(), bad), "update": v.Update(context.Background(), bad, good()),
				"old": v.Update(context.Background(), good(), bad), "read": v.Read(context.Background(), bad),
			} {
				if !errors.As(r.Err(), &refused) || refused.Error() != want {
					t.Errorf("%s %s: %v, want %s", name, path, r.Err(), want)
				}
			}
		}
	}
}
