package kube_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdsem/crdsem/kube"
)

// pool is a custom resource as a Go type.
type pool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              poolSpec `json:"spec"`
}

type poolSpec struct {
	Replicas    int    `json:"replicas"`
	MaxReplicas int    `json:"maxReplicas,omitempty"`
	Class       string `json:"class,omitempty"`
}

// pools returns the definition of pools.
func pools() *kube.Definition {
	definitions, err := kube.ReadFiles([]string{"testdata/pools.yaml"})
	if err != nil {
		log.Fatal(err)
	}
	return definitions[0]
}

// A definition that a server refuses is an error, with the server's causes.
func ExampleParse() {
	_, err := kube.Parse([]byte(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shirts.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: shirts, kind: Shirt}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {}}}}
`))
	fmt.Println("invalid:", apierrors.IsInvalid(err))
	if refused, ok := errors.AsType[*apierrors.StatusError](err); ok {
		for _, cause := range refused.ErrStatus.Details.Causes {
			fmt.Println(cause.Field)
			fmt.Println(cause.Message)
		}
	}
	// Output:
	// invalid: true
	// spec.validation.openAPIV3Schema.properties[spec].type
	// Required value: must not be empty for specified object fields
}

// A Go struct is created: it is judged as by a server, and gets its defaults.
func ExampleVersion_Create() {
	ctx := context.Background()
	v, err := pools().Version("v1")
	if err != nil {
		log.Fatal(err)
	}
	web := &pool{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: poolSpec{Replicas: 30}}
	fmt.Println(v.Create(ctx, web).Err())

	web.Spec.Replicas = 3
	result := v.Create(ctx, web)
	var created pool
	if err := result.Into(&created); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", created.Spec)
	fmt.Println("defaulted:", result.Defaulted)
	// Output:
	// Pool.example.com "web" is invalid: spec.replicas: Invalid value: replicas must be between 1 and 10
	// {Replicas:3 MaxReplicas:10 Class:standard}
	// defaulted: [spec.class spec.maxReplicas spec.minReplicas]
}

// The way of an object through storage: it is created in one version, stored in
// another, and read again.
func ExampleDefinition_Store() {
	ctx, def := context.Background(), pools()
	beta, err := def.Version("v1beta1")
	if err != nil {
		log.Fatal(err)
	}
	web := map[string]any{
		"metadata": map[string]any{"name": "web"},
		"spec":     map[string]any{"replicas": int64(3), "color": "red"},
	}
	created := beta.Create(ctx, web)
	if err := created.Err(); err != nil {
		log.Fatal(err)
	}
	stored := def.Store(ctx, created.Object)
	if err := stored.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(stored.Object["apiVersion"], "pruned:", stored.Pruned)

	v, err := def.Version("v1")
	if err != nil {
		log.Fatal(err)
	}
	var read pool
	if err := v.Read(ctx, stored.Object).Into(&read); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", read.Spec)
	// Output:
	// example.com/v1 pruned: [spec.color]
	// {Replicas:3 MaxReplicas:10 Class:standard}
}
