package live

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// marker is a policy that refuses everything. It is created last: when it has
// an effect, those before it have one.
const marker = `
name: marker
policy: {validations: [{expression: "false"}]}
`

// mutatingMarker is a policy that mutates everything. Its effect shows that the
// real server knows the schemas, too.
const mutatingMarker = `
name: mutator
mutating: true
policy:
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: "Object{spec: Object.spec{made: 1}}"}
`

// TestPolicies compares the server of package kube/server with the real one,
// which has the plugins ValidatingAdmissionPolicy and MutatingAdmissionPolicy:
// the cases of policies.yaml, and random policies.
func TestPolicies(t *testing.T) {
	needEtcd(t)
	text, err := os.ReadFile("policies.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var cases []*policyCase
	if err := yaml.UnmarshalStrict(text, &cases); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(*seedFlag, 0))
	random := 200 * *factorFlag
	if testing.Short() {
		random = 20
	}
	for n := range random {
		cases = append(cases, randomPolicy(rng, n))
	}
	c := newCluster()
	r := &run{server: startServer(t, startEtcd(t), c.change(t)), seed: *seedFlag}
	t.Cleanup(c.stop)
	s := &session{run: r}
	p := startPolicyTwins(t, s, c)
	var last []*policyCase
	for _, text := range []string{mutatingMarker, marker} {
		c := &policyCase{}
		if err := yaml.UnmarshalStrict([]byte(text), c); err != nil {
			t.Fatal(err)
		}
		last = append(last, c)
	}
	for _, c := range slices.Concat(cases, last) {
		c.complete()
		if err := p.install(t.Context(), c); err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
	}
	p.waitFor(t, "marker", func(x *exchange) bool {
		return x.Status == http.StatusUnprocessableEntity
	})
	p.waitFor(t, "mutator", func(x *exchange) bool {
		return strings.Contains(x.Response, `"made":1`)
	})
	for _, c := range cases {
		before := len(s.differences)
		if err := p.requests(c); err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		for i := range s.differences[before:] {
			s.differences[before+i].CRD = c.Name
		}
	}
	report(t, []*session{s})
	refused, warned := 0, 0
	for _, x := range s.exchanges {
		if strings.Contains(x.Response, " denied request: ") {
			refused++
		}
		warned += len(x.Warnings)
	}
	t.Logf("seed %d: %d policies, %d requests, %d denied, %d warnings, %d differences", r.seed,
		len(cases), p.steps, refused, warned, r.counts.Differences)
	if refused < 200 || warned < 10 {
		t.Error("the run is too small")
	}
}

// startPolicyTwins starts the server of this project and creates the CRDs on
// both servers.
func startPolicyTwins(t *testing.T, s *session, c *cluster) *policyTwins {
	t.Helper()
	var p *policyTwins
	for _, crd := range []map[string]any{
		policyCRD("wides", "Wide", "Cluster"), policyCRD("things", "Thing", "Namespaced"),
	} {
		s.resource = newResource(manifest{source: "policies", object: crd})
		x, err := s.do(http.MethodPost, crdPath, mediaJSON, encode(crd))
		if err == nil && x.Status != http.StatusCreated {
			err = fmt.Errorf("%d %s", x.Status, x.Response)
		}
		if err == nil {
			err = s.waitUntilServed()
		}
		switch {
		case err != nil:
		case p == nil:
			p = &policyTwins{cluster: c}
			if p.twins, err = startedTwins(s, x); err == nil {
				t.Cleanup(func() { _ = p.started.Stop() })
			}
		default:
			_, err = p.createHere(crdPath, crd)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// waitFor waits until a policy of the real server has its effect.
func (p *policyTwins) waitFor(t *testing.T, name string, done func(*exchange) bool) {
	t.Helper()
	path := collection("v1", "things", name) + "?dryRun=All"
	object := encode(map[string]any{
		"apiVersion": policyGroup + "/v1", "kind": "Thing",
		"metadata": map[string]any{"name": "a", "labels": map[string]any{"case": name}},
	})
	ctx, cancel := context.WithTimeout(t.Context(), serverPatience)
	defer cancel()
	for {
		x, err := p.server.do(http.MethodPost, path, mediaJSON, object)
		if err != nil {
			t.Fatal(err)
		}
		if done(x) {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s has no effect: %d %s", name, x.Status, x.Response)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
