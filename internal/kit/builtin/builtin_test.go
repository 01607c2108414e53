package builtin_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/kit/builtin"
)

// The minors are those of the deprecation guide of Kubernetes.
func TestServedBy(t *testing.T) {
	for _, c := range []struct{ apiVersion, kind, minor, want string }{
		{"apps/v1", "Deployment", "1.30", "served"},
		{"apps/v1", "DeploymentList", "", "served"},
		{"v1", "Pod", "", "served"},
		{"v1", "List", "1.30", "served"},
		{"apps/v1", "List", "", "unknown"},
		{"v1", "Deployment", "", "unknown"},
		{"example.com/v1", "Pod", "", "unknown"},
		{"extensions/v1beta1", "Ingress", "1.9", "served"},
		{"extensions/v1beta1", "Ingress", "1.21", "served"},
		{"extensions/v1beta1", "Ingress", "1.22", "not served"},
		{"extensions/v1beta1", "Ingress", "", "not served"},
		{"resource.k8s.io/v1alpha3", "DeviceClass", "1.30", "not served"},
		{"resource.k8s.io/v1alpha3", "DeviceClass", "1.31", "served"},
		{"resource.k8s.io/v1alpha3", "DeviceClass", "1.33", "served"},
		{"resource.k8s.io/v1alpha3", "DeviceClass", "1.34", "not served"},
		{"resource.k8s.io/v1", "DeviceClass", "1.33", "not served"},
		{"resource.k8s.io/v1", "DeviceClass", "", "served"},
	} {
		k, got := builtin.Find(c.apiVersion, c.kind), "unknown"
		switch {
		case k.ServedBy(c.minor):
			got = "served"
		case k != nil:
			got = "not served"
		}
		if got != c.want {
			t.Errorf("%s %s on %q: %s, want %s", c.apiVersion, c.kind, c.minor, got, c.want)
		}
	}
	for apiVersion, want := range map[string]builtin.Kind{
		"resource.k8s.io/v1alpha3 DeviceClass": {
			Since: "1.31", Until: "1.33", Instead: "resource.k8s.io/v1beta1", InsteadKind: "DeviceClass",
		},
		"v1 Pod": {},
		"v1 Endpoints": {
			Deprecated: "1.33", Instead: "discovery.k8s.io/v1", InsteadKind: "EndpointSlice",
		},
		"coordination.k8s.io/v1beta1 LeaseCandidate": {
			Since: "1.33", Deprecated: "1.36", Removed: "1.39",
		},
		"policy/v1beta1 PodSecurityPolicy": {Until: "1.24", Deprecated: "1.21"},
	} {
		apiVersion, kind, _ := strings.Cut(apiVersion, " ")
		if k := builtin.Find(apiVersion, kind); *k != want {
			t.Errorf("%s %s: %+v, want %+v", apiVersion, kind, *k, want)
		}
	}
}

// A stable version comes before others, and a later one before earlier ones.
func TestCurrent(t *testing.T) {
	for _, c := range [][3]string{
		{"", "Pod", "v1"},
		{"apps", "Deployment", "apps/v1"},
		{"autoscaling", "HorizontalPodAutoscaler", "autoscaling/v2"},
		{"coordination.k8s.io", "LeaseCandidate", "coordination.k8s.io/v1beta1"},
		{"resource.k8s.io", "DeviceClass", "resource.k8s.io/v1"},
		{"resource.k8s.io", "ResourcePoolStatusRequest", "resource.k8s.io/v1alpha3"},
		{"extensions", "Ingress", ""},
		{"apps", "Pod", ""},
	} {
		if got := builtin.Current(c[0], c[1]); got != c[2] {
			t.Errorf("%s of %q: %q, want %q", c[1], c[0], got, c[2])
		}
	}
}

func TestGroups(t *testing.T) {
	for group, want := range map[string][]string{
		"autoscaling": {"HorizontalPodAutoscaler", "Scale"},
		"batch":       {"CronJob", "Job"},
		"v1":          nil,
		"example.com": nil,
	} {
		if got := builtin.Kinds(group); !slices.Equal(got, want) ||
			builtin.HasGroup(group) != (want != nil) {
			t.Errorf("%s: %v, want %v", group, got, want)
		}
	}
	if !builtin.HasGroup("") || !slices.Contains(builtin.Kinds(""), "ConfigMap") {
		t.Error("the group of v1 has no ConfigMap")
	}
}
