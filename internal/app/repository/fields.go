package repository

import (
	"maps"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
)

// specs are the fields that kustomize changes in objects of some kinds. The
// lists below are those of its default configuration, which it documents as
// https://kubectl.docs.kubernetes.io/references/kustomize/builtins/.
type specs struct {
	group, kinds string // kinds are separated by spaces; empty ones are all
	paths        []string
}

// field is one field of a kind. Lists on its path stand for their items.
type field struct {
	group, kinds, path string
	create             bool
}

const affinity = "spec/template/spec/affinity/"

var (
	labelField      = []field{{path: "metadata/labels", create: true}}
	annotationField = []field{{path: "metadata/annotations", create: true}}

	// templateLabels are those of labels with includeTemplates.
	templateLabels = append(labelField[:1:1], fields(true,
		specs{"", "ReplicationController Deployment ReplicaSet DaemonSet",
			[]string{"spec/template/metadata/labels"}},
		specs{"apps", "StatefulSet",
			[]string{"spec/template/metadata/labels", "spec/volumeClaimTemplates/metadata/labels"}},
		specs{"batch", "Job", []string{"spec/template/metadata/labels"}},
		specs{"batch", "CronJob", []string{
			"spec/jobTemplate/metadata/labels", "spec/jobTemplate/spec/template/metadata/labels"}},
	)...)
	// selectorLabels are those of commonLabels, and of labels with
	// includeSelectors.
	selectorLabels = append(append(templateLabels[:len(templateLabels):len(templateLabels)],
		fields(true,
			specs{"-", "Service ReplicationController", []string{"spec/selector"}},
			specs{"", "Deployment ReplicaSet DaemonSet", []string{"spec/selector/matchLabels"}},
			specs{"apps", "StatefulSet", []string{"spec/selector/matchLabels"}},
		)...), fields(false,
		specs{"apps", "Deployment StatefulSet", []string{
			affinity + "podAffinity/preferredDuringSchedulingIgnoredDuringExecution/" +
				"podAffinityTerm/labelSelector/matchLabels",
			affinity + "podAffinity/requiredDuringSchedulingIgnoredDuringExecution/" +
				"labelSelector/matchLabels",
			affinity + "podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/" +
				"podAffinityTerm/labelSelector/matchLabels",
			affinity + "podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/" +
				"labelSelector/matchLabels",
			"spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels",
		}},
		specs{"batch", "Job", []string{"spec/selector/matchLabels"}},
		specs{"batch", "CronJob", []string{"spec/jobTemplate/spec/selector/matchLabels"}},
		specs{"policy", "PodDisruptionBudget", []string{"spec/selector/matchLabels"}},
		specs{"networking.k8s.io", "NetworkPolicy", []string{
			"spec/podSelector/matchLabels", "spec/ingress/from/podSelector/matchLabels",
			"spec/egress/to/podSelector/matchLabels",
		}},
	)...)
	// annotationFields are those of commonAnnotations.
	annotationFields = append(annotationField[:1:1], fields(true,
		specs{"", "ReplicationController Deployment ReplicaSet DaemonSet StatefulSet",
			[]string{"spec/template/metadata/annotations"}},
		specs{"batch", "Job", []string{"spec/template/metadata/annotations"}},
		specs{"batch", "CronJob", []string{
			"spec/jobTemplate/metadata/annotations",
			"spec/jobTemplate/spec/template/metadata/annotations",
		}},
	)...)
	// namespaceFields are those of a namespace next to that of the object.
	namespaceFields = append(
		fields(true, specs{"apiregistration.k8s.io", "APIService",
			[]string{"spec/service/namespace"}}),
		fields(false, specs{"apiextensions.k8s.io", "CustomResourceDefinition",
			[]string{"spec/conversion/webhook/clientConfig/service/namespace"}})...)
)

// fields returns the fields of some kinds. create is set if they are added to
// objects that do not have them.
func fields(create bool, all ...specs) (out []field) {
	for _, of := range all {
		for _, path := range of.paths {
			out = append(out, field{of.group, of.kinds, path, create})
		}
	}
	return out
}

// isOf reports whether an object has the field. The group "-" is that of the
// core.
func (f field) isOf(object map[string]any) bool {
	t := typemeta.Of(object)
	group := t.Group
	if group == "" {
		group = "-"
	}
	return (f.group == "" || f.group == group) &&
		(f.kinds == "" || strings.Contains(" "+f.kinds+" ", " "+t.Kind+" "))
}

// change changes a field of the object, if it has one.
func (o *patched) change(f field, to func(before any) (any, bool)) {
	if !f.isOf(o.object) {
		return
	}
	if out, isChanged := changeAt(o.object, strings.Split(f.path, "/"), f.create, to); isChanged {
		o.object, o.isPatched = out.(map[string]any), true
	}
}

// changeAt returns a value with another one at a path. Only maps are created.
func changeAt(
	value any, path []string, create bool, to func(any) (any, bool),
) (out any, isChanged bool) {
	if len(path) == 0 {
		return to(value)
	}
	if items, ok := value.([]any); ok {
		return jsonvalue.EachItem(items, func(item any) (any, bool) {
			return changeAt(item, path, create, to)
		})
	}
	object, ok := value.(map[string]any)
	below, has := object[path[0]]
	if value != nil && !ok || !has && (!create || path[0] == "volumeClaimTemplates") {
		return value, false
	}
	next, isChanged := changeAt(below, path[1:], create, to)
	if !isChanged {
		return value, false
	}
	object = maps.Clone(object)
	if object == nil {
		object = map[string]any{}
	}
	object[path[0]] = next
	return object, true
}

// add adds members to maps of the object, e.g. its labels.
func (o *patched) add(value any, to []field) {
	pairs, ok := value.(map[string]any)
	if !ok || len(pairs) == 0 {
		return
	}
	for _, f := range to {
		o.change(f, func(before any) (any, bool) {
			object, ok := before.(map[string]any)
			if before != nil && !ok {
				return before, false
			}
			object = maps.Clone(object)
			if object == nil {
				object = map[string]any{}
			}
			maps.Copy(object, pairs)
			return object, true
		})
	}
}

// label adds the labels of an entry of a kustomization.
func (o *patched) label(entry map[string]any) {
	to := labelField
	switch {
	case entry["includeSelectors"] == true:
		to = selectorLabels
	case entry["includeTemplates"] == true:
		to = templateLabels
	}
	o.add(entry["pairs"], to)
	for _, more := range objects(entry["fields"]) {
		t := texts(more)
		kinds, path := t["kind"], strings.ReplaceAll(t["path"], "[]", "")
		if strings.Contains(path, `\/`) { // a key with a slash
			o.isPatched, o.isUnknown = true, true
			continue
		}
		o.add(entry["pairs"], []field{{t["group"], kinds, path, more["create"] == true}})
	}
}
