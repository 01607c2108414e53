package builtin

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/kit/manifest"
)

// The rules of kinds that manifests break most often. A server has many more.

// rule returns the errors of an object. Fields that it looks at may be absent,
// and of any type.
type rule func(object map[string]any) field.ErrorList

// rulesOf are the rules by kind.
var rulesOf = map[manifest.GroupKind][]rule{
	{Kind: "ConfigMap"}:                            {configKeys("data", "binaryData")},
	{Kind: "Secret"}:                               {configKeys("data", "stringData")},
	{Kind: "Service"}:                              {servicePorts},
	{Kind: "PersistentVolumeClaim"}:                {claim},
	{Kind: "Pod"}:                                  {podAt("spec")},
	{Kind: "PodTemplate"}:                          {podAt("template", "spec")},
	{Kind: "ReplicationController"}:                {podAt("spec", "template", "spec"), restartsAlways},
	{Group: "apps", Kind: "DaemonSet"}:             {podAt("spec", "template", "spec"), restartsAlways},
	{Group: "apps", Kind: "Deployment"}:            {podAt("spec", "template", "spec"), restartsAlways},
	{Group: "apps", Kind: "ReplicaSet"}:            {podAt("spec", "template", "spec"), restartsAlways},
	{Group: "apps", Kind: "StatefulSet"}:           {podAt("spec", "template", "spec"), restartsAlways},
	{Group: "batch", Kind: "Job"}:                  {podAt("spec", "template", "spec"), jobAt("spec")},
	{Group: "batch", Kind: "CronJob"}:              cronJob,
	{Group: "policy", Kind: "PodDisruptionBudget"}: {oneBound},
}

var cronJob = []rule{
	podAt("spec", "jobTemplate", "spec", "template", "spec"), jobAt("spec", "jobTemplate", "spec"),
	scheduleErrors,
}

// kindErrors returns the errors by the rules of the kind.
func (k *Kind) kindErrors(object map[string]any) (errs field.ErrorList) {
	for _, r := range rulesOf[k.GroupKind] {
		errs = append(errs, r(object)...)
	}
	return errs
}

// below returns the object at a path, nil if there is none.
func below(object map[string]any, path ...string) map[string]any {
	for _, name := range path {
		object, _ = object[name].(map[string]any)
	}
	return object
}

// pathTo returns the path of names.
func pathTo(names []string) *field.Path { return field.NewPath(names[0], names[1:]...) }

// configKeys checks the keys of maps.
func configKeys(names ...string) rule {
	return func(object map[string]any) (errs field.ErrorList) {
		for _, name := range names {
			for _, key := range slices.Sorted(maps.Keys(below(object, name))) {
				for _, text := range validation.IsConfigMapKey(key) {
					errs = append(errs, field.Invalid(field.NewPath(name).Key(key), key, text))
				}
			}
		}
		return errs
	}
}

// portErrors returns the errors of numbers of ports out of range. Zero stands
// for a field that is not set.
func portErrors(ports []any, at *field.Path, names ...string) (errs field.ErrorList) {
	for i, item := range ports {
		port, _ := item.(map[string]any)
		for _, name := range names {
			n, ok := port[name].(int64)
			if !ok || n == 0 {
				continue
			}
			for _, text := range validation.IsValidPortNum(int(n)) {
				errs = append(errs, field.Invalid(at.Index(i).Child(name), n, text))
			}
		}
	}
	return errs
}

// servicePorts requires the ports of a Service that has an address.
func servicePorts(object map[string]any) field.ErrorList {
	spec := below(object, "spec")
	ports, _ := spec["ports"].([]any)
	at := field.NewPath("spec", "ports")
	if errs := portErrors(ports, at, "port", "targetPort"); errs != nil {
		return errs
	}
	addresses, _ := spec["clusterIPs"].([]any)
	headless := spec["clusterIP"] == "None" || len(addresses) > 0 && addresses[0] == "None"
	if len(ports) > 0 || headless || spec["type"] == "ExternalName" {
		return nil
	}
	return field.ErrorList{field.Required(at, "")}
}

// claim requires what a claim asks for.
func claim(object map[string]any) (errs field.ErrorList) {
	spec, at := below(object, "spec"), field.NewPath("spec")
	if modes, _ := spec["accessModes"].([]any); len(modes) == 0 {
		errs = append(errs, field.Required(at.Child("accessModes"),
			"at least 1 access mode is required"))
	}
	if below(spec, "resources", "requests")["storage"] == nil {
		errs = append(errs, field.Required(at.Child("resources").Key("storage"), ""))
	}
	return errs
}

// oneBound refuses both bounds of a budget.
func oneBound(object map[string]any) field.ErrorList {
	spec := below(object, "spec")
	if spec["minAvailable"] == nil || spec["maxUnavailable"] == nil {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("spec"), spec,
		"minAvailable and maxUnavailable cannot be both set")}
}

// restartsAlways allows only Pods that are always restarted.
func restartsAlways(object map[string]any) field.ErrorList {
	policy, _ := below(object, "spec", "template", "spec")["restartPolicy"].(string)
	if policy == "" || policy == "Always" {
		return nil
	}
	at := field.NewPath("spec", "template", "spec", "restartPolicy")
	return field.ErrorList{field.NotSupported(at, policy, []string{"Always"})}
}

// jobAt requires a policy of the Pods of a Job, whose default is no good.
func jobAt(path ...string) rule {
	return func(object map[string]any) field.ErrorList {
		job := below(object, path...)
		policy, _ := below(job, "template", "spec")["restartPolicy"].(string)
		if below(job, "template", "spec") == nil || policy != "" && policy != "Always" {
			return nil
		}
		at := pathTo(path).Child("template", "spec", "restartPolicy")
		return field.ErrorList{field.Required(at, `valid values: "OnFailure", "Never"`)}
	}
}

// podAt checks the containers of a Pod whose spec is at a path.
func podAt(path ...string) rule {
	return func(object map[string]any) (errs field.ErrorList) {
		spec := below(object, path...)
		volumes := namesIn(spec["volumes"])
		if claims := below(object, "spec")["volumeClaimTemplates"]; claims != nil {
			list, _ := claims.([]any)
			for _, item := range list {
				c, _ := item.(map[string]any)
				if name, ok := below(c, "metadata")["name"].(string); ok {
					volumes[name] = true
				}
			}
		}
		for _, name := range []string{"containers", "initContainers", "ephemeralContainers"} {
			list, _ := spec[name].([]any)
			for i, item := range list {
				if c, ok := item.(map[string]any); ok {
					at := pathTo(path).Child(name).Index(i)
					errs = append(errs, mountErrors(c, volumes, at)...)
					ports, _ := c["ports"].([]any)
					errs = append(errs, portErrors(ports, at.Child("ports"),
						"containerPort", "hostPort")...)
					errs = append(errs, requestErrors(below(c, "resources"),
						at.Child("resources"))...)
				}
			}
		}
		return errs
	}
}

// namesIn returns the names of the items of a list.
func namesIn(value any) map[string]bool {
	out := map[string]bool{}
	list, _ := value.([]any)
	for _, item := range list {
		fields, _ := item.(map[string]any)
		if name, ok := fields["name"].(string); ok {
			out[name] = true
		}
	}
	return out
}

// mountErrors returns the errors of mounts of volumes that there are not.
func mountErrors(
	container map[string]any, volumes map[string]bool, at *field.Path,
) (errs field.ErrorList) {
	mounts, _ := container["volumeMounts"].([]any)
	for i, item := range mounts {
		mount, _ := item.(map[string]any)
		if name, ok := mount["name"].(string); ok && name != "" && !volumes[name] {
			of := at.Child("volumeMounts").Index(i).Child("name")
			errs = append(errs, field.NotFound(of, name))
		}
	}
	return errs
}

// requestErrors returns the errors of requests above their limits.
func requestErrors(resources map[string]any, at *field.Path) (errs field.ErrorList) {
	requests, limits := below(resources, "requests"), below(resources, "limits")
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		request, ok := quantity(requests[name])
		limit, limited := quantity(limits[name])
		if ok && limited && request.Cmp(limit) > 0 {
			errs = append(errs, field.Invalid(at.Child("requests"), request.String(), fmt.Sprintf(
				"must be less than or equal to %s limit of %s", name, limit.String())))
		}
	}
	return errs
}

// quantity returns a value as a quantity.
func quantity(value any) (resource.Quantity, bool) {
	if value == nil || quantityError(value) != "" {
		return resource.Quantity{}, false
	}
	q, err := resource.ParseQuantity(fmt.Sprint(value))
	return q, err == nil
}
