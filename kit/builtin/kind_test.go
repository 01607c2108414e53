package builtin_test

import (
	"strings"
	"testing"

	known "github.com/crdsem/crdsem/internal/kit/builtin"
	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
)

func typeOf(apiVersion, kind string) manifest.Type {
	return manifest.TypeOf(map[string]any{"apiVersion": apiVersion, "kind": kind})
}

// Each minor has a record, whose kinds compile and are those that the registry
// of kinds says the minor serves.
func TestKinds(t *testing.T) {
	for _, m := range minors.All() {
		all := builtin.Kinds(m)
		const fewest = 70
		if len(all) < fewest {
			t.Errorf("%v: %d kinds", m, len(all))
		}
		for _, k := range all {
			if !known.Find(k.APIVersion(), k.Kind).ServedBy(m.String()) {
				t.Errorf("%v: the registry has no %v", m, k.Type)
			}
			found, err := builtin.Find(k.Type, m)
			if err != nil || found.Plural != k.Plural || found.Minor() != m {
				t.Errorf("%v: %v: found %v, %v", m, k.Type, found, err)
			}
			for _, s := range []interface{ HasProperties() bool }{k.Schema(), k.Published()} {
				if !s.HasProperties() {
					t.Errorf("%v: %v has no fields", m, k.Type)
				}
			}
		}
	}
	if newest := builtin.Kinds(""); len(newest) != len(builtin.Kinds(minors.Newest())) {
		t.Errorf("the zero minor has %d kinds", len(newest))
	}
}

// The kinds that the registry has and the record lacks are served as parts of
// others.
func TestKindsOfParts(t *testing.T) {
	for _, m := range minors.All() {
		missing := ""
		for _, group := range []string{"", "apps", "autoscaling", "batch", "policy"} {
			for _, kind := range known.Kinds(group) {
				current := known.Current(group, kind)
				if current == "" || !known.Find(current, kind).ServedBy(m.String()) {
					continue
				}
				if _, err := builtin.Find(typeOf(current, kind), m); err != nil {
					missing += " " + kind
				}
			}
		}
		// Nodes report their state as ComponentStatus; nobody creates it.
		if want := " ComponentStatus Scale Eviction"; missing != want {
			t.Errorf("%v: there are no%s, want no%s", m, missing, want)
		}
	}
}

func TestSource(t *testing.T) {
	for _, m := range minors.All() {
		module, sum := builtin.Source(m)
		if !strings.HasPrefix(module, "k8s.io/kubernetes@v"+m.String()+".") ||
			!strings.HasPrefix(sum, "h1:") {
			t.Errorf("%v: %q %q", m, module, sum)
		}
	}
}

func TestNotServed(t *testing.T) {
	for _, c := range []struct{ apiVersion, kind, minor, text, hint string }{
		{"policy/v1beta1", "PodDisruptionBudget", "1.37", "Kubernetes 1.37 does not serve " +
			"policy/v1beta1 PodDisruptionBudget, which was removed after 1.24", "write `policy/v1`"},
		{"policy/v1beta1", "PodSecurityPolicy", "1.30", "Kubernetes 1.30 does not serve " +
			"policy/v1beta1 PodSecurityPolicy, which was removed after 1.24", ""},
		{"extensions/v1beta1", "Ingress", "", "Kubernetes 1.37 does not serve " +
			"extensions/v1beta1 Ingress, which was removed after 1.21", "write `networking.k8s.io/v1`"},
		{"resource.k8s.io/v1", "DeviceClass", "1.33", "Kubernetes 1.33 does not serve " +
			"resource.k8s.io/v1 DeviceClass, which is served since 1.34", ""},
		{"autoscaling/v2beta2", "HorizontalPodAutoscaler", "1.31", "Kubernetes 1.31 does not serve " +
			"autoscaling/v2beta2 HorizontalPodAutoscaler, which was removed after 1.25",
			"write `autoscaling/v2`"},
		{"example.com/v1", "Pod", "1.31", "Kubernetes 1.31 does not serve example.com/v1 Pod", ""},
	} {
		_, err := builtin.Find(typeOf(c.apiVersion, c.kind), minors.Minor(c.minor))
		missing, ok := err.(*builtin.NotServedError)
		if !ok || missing.Error() != c.text || missing.Hint() != c.hint {
			t.Errorf("%s %s: %v, want %s; hint %s", c.apiVersion, c.kind, err, c.text, c.hint)
		}
	}
}

func TestDeprecation(t *testing.T) {
	for _, c := range []struct{ apiVersion, kind, minor, want string }{
		{"v1", "Endpoints", "1.32", ""},
		{"v1", "Endpoints", "1.33",
			"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"},
		{"flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", "1.30",
			"flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema is deprecated in v1.29+, " +
				"unavailable in v1.32+; use flowcontrol.apiserver.k8s.io/v1 FlowSchema"},
		{"coordination.k8s.io/v1beta1", "LeaseCandidate", "1.37",
			"coordination.k8s.io/v1beta1 LeaseCandidate is deprecated in v1.36+, unavailable in v1.39+"},
		{"apps/v1", "Deployment", "", ""},
	} {
		k, err := builtin.Find(typeOf(c.apiVersion, c.kind), minors.Minor(c.minor))
		if err != nil {
			t.Error(err)
			continue
		}
		if got := k.Deprecation(); got != c.want {
			t.Errorf("%s: %q, want %q", c.minor, got, c.want)
		}
	}
}

// A beta has kinds of its own.
func TestKindsOfBeta(t *testing.T) {
	added := typeOf("scheduling.k8s.io/v1beta1", "CompositePodGroup")
	removed := typeOf("resource.k8s.io/v1beta1", "ResourceClaim")
	for minor, want := range map[minors.Minor][2]bool{
		"1.37": {false, true}, "1.38": {true, false},
	} {
		_, noAdded := builtin.Find(added, minor)
		_, noRemoved := builtin.Find(removed, minor)
		if (noAdded == nil) != want[0] || (noRemoved == nil) != want[1] {
			t.Errorf("%s: %v, %v", minor, noAdded, noRemoved)
		}
	}
}
