package crdsem_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/requests"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// A decoded object and its JSON give the same result, errors included.
func TestObjectsAndBytesAgree(t *testing.T) {
	v := requests.Version(t, "v1")
	for _, text := range []string{`{` + requests.Head + `,"spec":{"a":"b","x":1}}`, `{"apiVersion":"g.io/v1"}`, `{"Kind":1,"kind":"K"}`, `{"kind":"K","apiVersion":"a/b/c"}`, `{` + requests.Head + `,"spec":5}`} {
		data, err := jsonvalue.EncodeJSON(requests.Object(t, text))
		if err != nil {
			t.Fatal(err)
		}
		a, b := v.Create(context.Background(), requests.Object(t, text)), v.CreateBytes(
			context.Background(),
			data,
		)
		if diff := cmp.Diff(requests.Lines(a), requests.Lines(b)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		if diff := cmp.Diff(a.Object, b.Object); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// No argument is changed, by any operation.
func TestArgumentsStay(t *testing.T) {
	v := requests.Version(t, "v1")
	ctx := context.Background()
	text := `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","uid":"u","labels":{},"zz":1,"ownerReferences":[{"uid":"1"},{"uid":"1"}]},"spec":{"x":1,"o":null},"status":{"phase":"P","junk":[{}]},"more":1}`
	new, old := requests.Object(t, text), requests.Object(t, strings.Replace(text, `"x":1`, `"y":[null]`, 1))
	newBefore, oldBefore := jsonvalue.DeepCopyMap(new), jsonvalue.DeepCopyMap(old)
	for name, run := range map[string]func() *crdsem.Result{
		"Create":       func() *crdsem.Result { return v.Create(ctx, new) },
		"Update":       func() *crdsem.Result { return v.Update(ctx, new, old) },
		"UpdateStatus": func() *crdsem.Result { return v.UpdateStatus(ctx, new, old) },
		"Read":         func() *crdsem.Result { return v.Read(ctx, old) },
		"UpdateScale":  func() *crdsem.Result { return v.UpdateScale(ctx, old, crdsem.Scale{Replicas: 3}) },
	} {
		if r := run(); r.Stage == crdsem.StageDecode {
			t.Errorf("%s: %v", name, r.Err())
		}
		if diff := cmp.Diff(newBefore, new) + cmp.Diff(oldBefore, old); diff != "" {
			t.Fatalf("%s changed an argument: %s", name, diff)
		}
	}
}

// ofMinors is a definition whose objects are treated differently by minors.
const ofMinors = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: hosts.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: hosts, singular: host, kind: Host, listKind: HostList}
  versions:
  - storage: true
    served: true
    name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              namespace: {type: string}
              address: {type: string}
              port: {type: integer, format: int32}
            x-kubernetes-validations:
            - {rule: "!has(self.address) || isIP(self.address)", message: no address}
            - {rule: "!has(self.__namespace__) || self.namespace != 'x'", message: no x}
`

func TestKubernetes(t *testing.T) {
	for _, c := range []struct {
		minor      minors.Minor
		spec, want string
	}{
		{"1.37", `{"port": 2147483648}`, "must be of type integer with format int32"},
		{"1.36", `{"port": 2147483648}`, "must be of type integer with format int32"},
		{"1.35", `{"port": 2147483648}`, ""},
		{"1.31", `{"address": "a"}`, "no address"},
		{"1.30", `{"address": "a"}`, "undefined field 'namespace'"},
		{"1.30", `{"address": "a"}`, "no address"},
		{"1.31", `{"namespace": "x"}`, "no x"},
	} {
		def, err := crdsem.Parse([]byte(ofMinors), crdsem.Kubernetes(c.minor))
		if err != nil {
			t.Fatal(err)
		}
		if got := def.Kubernetes(); got != c.minor {
			t.Errorf("the definition is of %s, not %s", got, c.minor)
		}
		v, err := def.Version("v1")
		if err != nil {
			t.Fatal(err)
		}
		body := fmt.Sprintf(`{"apiVersion": "example.com/v1", "kind": "Host",
			"metadata": {"name": "a", "namespace": "b"}, "spec": %s}`, c.spec)
		err = v.CreateBytes(context.Background(), []byte(body)).Err()
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s, %s: %v", c.minor, c.spec, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s, %s: %v; want %s", c.minor, c.spec, err, c.want)
		}
	}
}

func TestKubernetesOfDefinition(t *testing.T) {
	older, err := minors.Parse("1.30")
	if err != nil {
		t.Fatal(err)
	}
	crd, _, err := definition.Parse([]byte(ofMinors), structural.Kubernetes(older))
	if err != nil {
		t.Fatal(err)
	}
	def, err := crdsem.Compile(crd)
	if err != nil || def.Kubernetes() != older {
		t.Errorf("%v, %v", def.Kubernetes(), err)
	}
	def, err = crdsem.Compile(crd, crdsem.Kubernetes("1.32"))
	if err != nil || def.Kubernetes().String() != "1.32" {
		t.Errorf("%v, %v", def.Kubernetes(), err)
	}
	var unknown *crdsem.OptionError
	for _, text := range []minors.Minor{"1.29", "1.99", "33"} {
		_, err := crdsem.Parse([]byte(ofMinors), crdsem.Kubernetes(text))
		if !errors.As(err, &unknown) || !strings.Contains(err.Error(), "[1.30 1.31") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
