package server

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/kube/server/internal/admission"
	"github.com/crdsem/crdsem/structural"
)

// completed does what the server does to the objects of single kinds before
// they are stored.
func (d *draft) completed(object map[string]any) map[string]any {
	switch d.names.Kind {
	case "Namespace":
		if d.live == nil {
			object["spec"] = map[string]any{"finalizers": []any{"kubernetes"}}
		} else if d.subresource != finalize { // which alone changes finalizers
			object["spec"] = d.live["spec"]
		}
		return object
	case "Pod":
		if spec, ok := object["spec"].(map[string]any); ok && d.live == nil {
			object = maps.Clone(object)
			object["spec"] = schedulable(spec)
		}
	case "Service":
		return d.withAddress(object)
	case definitionKind:
		return d.withStorageVersion(object)
	case "Job":
		if d.live == nil {
			return d.withJobLabels(object)
		}
	}
	if d.live == nil && d.server.cluster != nil && d.subresource == "" {
		return d.withPlugins(object)
	}
	return object
}

// schedulable returns the spec of a Pod with what the server's own admission
// adds: a priority, and how long it stays on a node that fails.
func schedulable(spec map[string]any) map[string]any {
	spec = maps.Clone(spec)
	for key, value := range map[string]any{
		"preemptionPolicy": "PreemptLowerPriority", "priority": int64(0),
	} {
		if spec[key] == nil {
			spec[key] = value
		}
	}
	tolerations, _ := spec["tolerations"].([]any)
	for _, taint := range []string{"not-ready", "unreachable"} {
		key := "node.kubernetes.io/" + taint
		if !slices.ContainsFunc(tolerations, func(t any) bool { return tolerates(t, key) }) {
			tolerations = append(slices.Clip(tolerations), map[string]any{
				"key": key, "operator": "Exists", "effect": "NoExecute",
				"tolerationSeconds": int64(300),
			})
		}
	}
	spec["tolerations"] = tolerations
	return spec
}

// tolerates reports whether a toleration is about a taint that evicts Pods.
func tolerates(toleration any, taint string) bool {
	t, _ := toleration.(map[string]any)
	key, _ := t["key"].(string)
	effect, _ := t["effect"].(string)
	return (key == taint || key == "") && (effect == "NoExecute" || effect == "")
}

// withAddress gives a Service an address of the cluster.
func (d *draft) withAddress(service map[string]any) map[string]any {
	spec, _ := service["spec"].(map[string]any)
	kind, _ := spec["type"].(string)
	if kind == "ExternalName" {
		return service
	}
	spec = maps.Clone(spec)
	before, _ := d.live["spec"].(map[string]any)
	if address, _ := spec["clusterIP"].(string); address == "" {
		spec["clusterIP"], _ = before["clusterIP"].(string)
		if spec["clusterIP"] == "" {
			spec["clusterIP"] = d.server.address()
		}
	}
	spec["clusterIPs"] = []any{spec["clusterIP"]}
	out := maps.Clone(service)
	out["spec"] = spec
	return out
}

// withStorageVersion adds the storage version of a definition to those that its
// objects are stored in. A write to its status has to have it already.
func (d *draft) withStorageVersion(crd map[string]any) map[string]any {
	if d.resource != definitions || d.subresource != "" {
		return crd
	}
	spec, _ := crd["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	status, _ := crd["status"].(map[string]any)
	status = maps.Clone(status)
	if d.live == nil {
		status = map[string]any{
			"acceptedNames": map[string]any{"kind": "", "plural": ""}, "conditions": nil,
		}
	} else if status == nil {
		status = map[string]any{}
	}
	for _, item := range versions {
		version, _ := item.(map[string]any)
		name, _ := version["name"].(string)
		if stored, _ := version["storage"].(bool); stored {
			status["storedVersions"] = storedVersions(status, name)
		}
	}
	out := maps.Clone(crd)
	out["status"] = status
	return out
}

// address returns the next address of a Service, in 10.0.0.0/16.
func (s *Handler) address() string {
	n := s.addresses.Add(1)%63999 + 1
	return fmt.Sprintf("10.0.%d.%d", n/250, n%250+1)
}

// withJobLabels gives a new Job the labels of its Pods, by which it selects
// them.
func (d *draft) withJobLabels(job map[string]any) map[string]any {
	spec, _ := job["spec"].(map[string]any)
	template, _ := spec["template"].(map[string]any)
	if manual, _ := spec["manualSelector"].(bool); manual || template == nil {
		return job
	}
	uid := d.server.uid()
	labels, _ := metaOf(template)["labels"].(map[string]any)
	labels = maps.Clone(labels)
	if labels == nil {
		labels = map[string]any{}
	}
	for _, prefix := range []string{"", "batch.kubernetes.io/"} {
		labels[prefix+"controller-uid"] = uid
		labels[prefix+"job-name"] = metaText(job, "name")
	}
	spec = maps.Clone(spec)
	spec["template"] = withMeta(template, "labels", labels)
	if spec["selector"] == nil {
		spec["selector"] = map[string]any{
			"matchLabels": map[string]any{"batch.kubernetes.io/controller-uid": uid},
		}
	}
	out := withMeta(job, "uid", uid)
	out["spec"] = spec
	return out
}

// check refuses objects of single kinds that the server refuses.
func (d *draft) check(object map[string]any) error {
	if d.resource == definitions {
		return d.checkDefinition(object)
	}
	if d.server.cluster == nil || d.subresource != "" {
		return nil
	}
	errs, err := admission.Check(d.resource, object, d.live, d.server.cluster.minor)
	switch {
	case err != nil:
		return apierrors.NewBadRequest(err.Error())
	case len(errs) > 0:
		kind := schema.GroupKind{Group: d.resource.Group, Kind: d.names.Kind}
		return apierrors.NewInvalid(kind, metaText(object, "name"), errs)
	}
	return nil
}

var kindOfDefinitions = schema.GroupKind{Group: definitionGroup, Kind: definitionKind}

// checkDefinition refuses a definition that is not valid, and coerces the
// defaults of one that is.
func (d *draft) checkDefinition(object map[string]any) error {
	minor := structural.Kubernetes(d.server.cluster.minor)
	crd, _, err := definition.FromMap(object, minor)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	var result validate.Result
	switch {
	case d.live == nil:
		result = validate.Create(d.ctx, crd.ForCreate())
	default:
		old, _, err := definition.FromMap(d.live, minor)
		if err != nil {
			return apierrors.NewInternalError(err)
		}
		if d.subresource != "" {
			result.Errors = validate.StatusUpdate(crd, old)
		} else {
			result = validate.Update(d.ctx, crd, old)
		}
	}
	if result.Err != nil {
		return apierrors.NewInternalError(result.Err)
	}
	if len(result.Errors) == 0 {
		d.warn(result.Warnings...)
		if spec, ok := object["spec"].(map[string]any); ok {
			object["spec"] = withCoercedDefaults(spec)
			if isSameMap(object["spec"], spec) {
				d.crd = crd
			}
		}
		return nil
	}
	return apierrors.NewInvalid(kindOfDefinitions, metaText(object, "name"), result.Errors)
}

// withoutRevision is the error of an update without the resourceVersion that it
// needs.
func (d *draft) withoutRevision() error {
	kind := schema.GroupKind{Group: d.resource.Group, Kind: d.resource.Resource}
	return apierrors.NewInvalid(kind, d.name, field.ErrorList{field.Invalid(
		field.NewPath("metadata", "resourceVersion"), int64(0),
		"must be specified for an update")})
}

var errNamespaceStays = errors.New("this namespace may not be deleted")
