package builtin_test

import (
	"context"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/catalog/kinds"
	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/minors"
)

func TestX(t *testing.T) {
	var o map[string]any
	err := yaml.Unmarshal([]byte(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: a, labls: {}, labels: {a: null}}
spec:
  replicas: "3"
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      restartPolicy: Foo
      containers:
      - image: x
        imagePullPolcy: b
        resources: {limits: {cpu: 1x, memory: 0.5}}
        ports: [{containerPort: 80, protocol: TC}, {containerPort: 80}]
        livenessProbe: {httpGet: {port: 1.5, initialDelaySeconds: 3}}
`), &o)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	k, err := builtin.Find(kinds.TypeOf(o), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(time.Since(start))
	start = time.Now()
	k.Schema()
	t.Log(time.Since(start))
	start = time.Now()
	r := k.Validate(context.Background(), o)
	t.Log(time.Since(start))
	for _, u := range r.Unknown {
		t.Log(u)
	}
	for _, u := range r.Errors {
		t.Log(u, u.Origin)
	}
	for _, m := range minors.All() {
		start = time.Now()
		for _, k := range builtin.Kinds(m) {
			s := time.Now()
			k.Schema()
			if d := time.Since(s); d > 10*time.Millisecond {
				t.Log(k.Type, d)
			}
		}
		t.Log(m, time.Since(start))
	}
}
