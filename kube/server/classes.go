package server

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

// What admission of the server completes in new objects of single kinds, see
// defaultingressclass, nodetaint, storageclass/setdefault and
// storageobjectinuseprotection of k8s.io/kubernetes/plugin/pkg/admission.

// withPlugins completes a new object. Without the server's controllers nobody
// removes a protection, so a server that collects garbage adds none.
func (d *draft) withPlugins(object map[string]any) map[string]any {
	if of, ok := classes[d.names.Kind]; ok {
		object = d.withDefaultClass(object, of)
	}
	if of, ok := protections[d.names.Kind]; ok && !d.server.cluster.collects {
		object = withProtection(object, of)
	}
	if d.names.Kind == "Node" {
		object = withTaint(object)
	}
	return object
}

// classed is a kind whose new objects get the default class.
type classed struct {
	resource schema.GroupResource // of the classes
	marks    []string             // annotations of the default one
	field    string               // of the spec, with the name of the class
	former   string               // annotation that names one, too
}

var classes = map[string]classed{
	"Ingress": {
		resource: schema.GroupResource{Group: "networking.k8s.io", Resource: "ingressclasses"},
		marks:    []string{"ingressclass.kubernetes.io/is-default-class"},
		field:    "ingressClassName", former: "kubernetes.io/ingress.class",
	},
	"PersistentVolumeClaim": {
		resource: schema.GroupResource{Group: "storage.k8s.io", Resource: "storageclasses"},
		marks: []string{
			"storageclass.kubernetes.io/is-default-class",
			"storageclass.beta.kubernetes.io/is-default-class",
		},
		field: "storageClassName", former: "volume.beta.kubernetes.io/storage-class",
	},
}

// withDefaultClass gives a new object the default class of its kind, the newest
// one if there are several.
func (d *draft) withDefaultClass(object map[string]any, of classed) map[string]any {
	spec, _ := object["spec"].(map[string]any)
	if _, named := annotationsOf(object)[of.former]; named || spec[of.field] != nil {
		return object
	}
	all, _ := d.server.cluster.objectsOf(of.resource).List("")
	var found []*storage.Object
	for class := range all.All() {
		annotations := annotationsOf(class.Content())
		if slices.ContainsFunc(of.marks, func(m string) bool { return annotations[m] == "true" }) {
			found = append(found, class)
		}
	}
	if len(found) == 0 {
		return object
	}
	newest := slices.MinFunc(found, func(a, b *storage.Object) int {
		return cmp.Or(-strings.Compare(metaText(a.Content(), "creationTimestamp"),
			metaText(b.Content(), "creationTimestamp")), strings.Compare(a.Key, b.Key))
	})
	return withSpec(object, of.field, metaText(newest.Content(), "name"))
}

// withSpec returns a copy of an object with another value in its spec.
func withSpec(object map[string]any, key string, value any) map[string]any {
	out := maps.Clone(object)
	spec, _ := object["spec"].(map[string]any)
	if spec = maps.Clone(spec); spec == nil {
		spec = map[string]any{}
	}
	spec[key], out["spec"] = value, spec
	return out
}

// annotationsOf returns the annotations of an object.
func annotationsOf(object map[string]any) map[string]any {
	annotations, _ := metaOf(object)["annotations"].(map[string]any)
	return annotations
}

// protections are the finalizers that new objects of a kind get. The server's
// controllers remove them once nothing uses the object.
var protections = map[string]string{
	"PersistentVolume":      "kubernetes.io/pv-protection",
	"PersistentVolumeClaim": "kubernetes.io/pvc-protection",
	"VolumeAttributesClass": "kubernetes.io/vac-protection",
}

// withProtection adds a finalizer to a new object.
func withProtection(object map[string]any, finalizer string) map[string]any {
	present := finalizersOf(object)
	if slices.Contains(present, finalizer) {
		return object
	}
	return withMeta(object, "finalizers", texts(append(present, finalizer)))
}

// withTaint adds the taint of a node whose conditions are not known.
func withTaint(node map[string]any) map[string]any {
	const key, effect = "node.kubernetes.io/not-ready", "NoSchedule"
	spec, _ := node["spec"].(map[string]any)
	taints, _ := spec["taints"].([]any)
	if slices.ContainsFunc(taints, func(t any) bool {
		taint, _ := t.(map[string]any)
		return taint["key"] == key && taint["effect"] == effect
	}) {
		return node
	}
	added := map[string]any{"key": key, "effect": effect}
	return withSpec(node, "taints", append(slices.Clip(taints), added))
}
