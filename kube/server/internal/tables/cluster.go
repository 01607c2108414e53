package tables

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func nodeStatus(n *corev1.Node) any {
	status := "Unknown"
	for _, c := range n.Status.Conditions {
		switch {
		case c.Type != corev1.NodeReady:
		case c.Status == corev1.ConditionTrue:
			status = "Ready"
		default:
			status = "NotReady"
		}
	}
	if n.Spec.Unschedulable {
		status += ",SchedulingDisabled"
	}
	return status
}

// nodeRoles returns the roles that labels give a node.
func nodeRoles(n *corev1.Node) any {
	var all []string
	for name, value := range n.Labels {
		role, isRole := strings.CutPrefix(name, "node-role.kubernetes.io/")
		if !isRole && name == "kubernetes.io/role" {
			role, isRole = value, true
		}
		if isRole && role != "" {
			all = append(all, role)
		}
	}
	slices.Sort(all)
	return joined(slices.Compact(all), "<none>")
}

func nodeInternalIP(n *corev1.Node) any { return nodeIP(n, corev1.NodeInternalIP) }
func nodeExternalIP(n *corev1.Node) any { return nodeIP(n, corev1.NodeExternalIP) }

func nodeIP(n *corev1.Node, of corev1.NodeAddressType) string {
	for _, address := range n.Status.Addresses {
		if address.Type == of {
			return address.Address
		}
	}
	return "<none>"
}

// Short names of access modes, in the order in which they are shown.
var modes = []struct {
	mode  corev1.PersistentVolumeAccessMode
	short string
}{
	{corev1.ReadWriteOnce, "RWO"}, {corev1.ReadOnlyMany, "ROX"},
	{corev1.ReadWriteMany, "RWX"}, {corev1.ReadWriteOncePod, "RWOP"},
}

func accessModes(r *row, c *call) any {
	list, _ := r.at(c.paths[0]).([]any)
	var all []string
	for _, m := range modes {
		if slices.Contains(list, any(string(m.mode))) {
			all = append(all, m.short)
		}
	}
	return strings.Join(all, ",")
}

// isBound reports whether a claim has a volume. Without one it has no capacity.
func isBound(r *row) bool {
	volume, _ := r.at([]string{"spec", "volumeName"}).(string)
	return volume != ""
}

func claimAccessModes(r *row, _ *call) any {
	if !isBound(r) {
		return ""
	}
	return accessModes(r, &call{paths: [][]string{{"status", "accessModes"}}})
}

func claimCapacity(r *row, _ *call) any {
	if !isBound(r) {
		return ""
	}
	return text(r, &call{paths: [][]string{{"status", "capacity", "storage"}}, otherwise: "0"})
}

// storageClass returns the class of a volume or a claim: its old annotation, or
// its field.
func storageClass(r *row, _ *call) any {
	annotations := (&unstructured.Unstructured{Object: r.object}).GetAnnotations()
	if class, ok := annotations[corev1.BetaStorageClassAnnotation]; ok {
		return class
	}
	return text(r, &call{paths: [][]string{{"spec", "storageClassName"}}})
}

// className returns the name of a storage class, and in a list whether it is
// the default: the newest one with the annotation, or the first one by name of
// several with the same date.
func className(r *row, _ *call) any {
	of := &unstructured.Unstructured{Object: r.object}
	if !isDefaultClass(of) {
		return of.GetName()
	}
	made := of.GetCreationTimestamp()
	for _, item := range r.list {
		fields, _ := item.(map[string]any)
		other := &unstructured.Unstructured{Object: fields}
		at := other.GetCreationTimestamp()
		if isDefaultClass(other) && (made.Before(&at) ||
			made.Equal(&at) && other.GetName() < of.GetName()) {
			return of.GetName()
		}
	}
	if r.list == nil {
		return of.GetName()
	}
	return of.GetName() + " (default)"
}

func isDefaultClass(of *unstructured.Unstructured) bool {
	return of.GetAnnotations()["storageclass.kubernetes.io/is-default-class"] == "true" ||
		of.GetAnnotations()["storageclass.beta.kubernetes.io/is-default-class"] == "true"
}

// phase returns the phase of an object that is not deleted.
func phase(r *row, _ *call) any {
	if r.at([]string{"metadata", "deletionTimestamp"}) != nil {
		return "Terminating"
	}
	return text(r, &call{paths: [][]string{{"status", "phase"}}})
}

func volumeClaim(r *row, _ *call) any {
	if r.at([]string{"spec", "claimRef"}) == nil {
		return ""
	}
	claim := typed[corev1.PersistentVolume](r).Spec.ClaimRef
	return claim.Namespace + "/" + claim.Name
}

// subjects returns the names of a binding's subjects of a kind.
func subjects(r *row, c *call) any {
	var all []string
	for _, s := range typed[rbacv1.RoleBinding](r).Subjects {
		switch {
		case s.Kind != c.words[0]:
		case s.Kind == rbacv1.ServiceAccountKind:
			all = append(all, s.Namespace+"/"+s.Name)
		default:
			all = append(all, s.Name)
		}
	}
	return strings.Join(all, ", ")
}

// The fields of an event of events.k8s.io, and their names in one of core.
var eventFields = map[string]string{
	"regarding": "involvedObject", "note": "message", "deprecatedSource": "source",
	"deprecatedFirstTimestamp": "firstTimestamp", "deprecatedLastTimestamp": "lastTimestamp",
	"deprecatedCount": "count", "reportingController": "reportingComponent",
}

// asCoreEvent returns an event of events.k8s.io as one of core.
func asCoreEvent(event map[string]any) map[string]any {
	out := maps.Clone(event)
	for from, to := range eventFields {
		if value, ok := event[from]; ok {
			delete(out, from)
			out[to] = value
		}
	}
	return out
}

func eventFirstSeen(r *row, _ *call) any {
	e := typed[corev1.Event](r)
	if e.FirstTimestamp.IsZero() {
		return since(r.now, e.EventTime.Time)
	}
	return since(r.now, e.FirstTimestamp.Time)
}

func eventLastSeen(r *row, c *call) any {
	e := typed[corev1.Event](r)
	switch {
	case e.Series != nil:
		return since(r.now, e.Series.LastObservedTime.Time)
	case e.LastTimestamp.IsZero():
		return eventFirstSeen(r, c)
	}
	return since(r.now, e.LastTimestamp.Time)
}

func eventCount(e *corev1.Event) any {
	if e.Series != nil {
		return int64(e.Series.Count)
	}
	return int64(cmp.Or(e.Count, 1))
}

func eventObject(e *corev1.Event) any {
	kind := strings.ToLower(e.InvolvedObject.Kind)
	if e.InvolvedObject.Name == "" {
		return kind
	}
	return kind + "/" + e.InvolvedObject.Name
}

func eventSource(e *corev1.Event) any {
	component := cmp.Or(e.Source.Component, e.ReportingController)
	if instance := cmp.Or(e.Source.Host, e.ReportingInstance); instance != "" {
		return component + ", " + instance
	}
	return component
}
