package builtin

import (
	"iter"
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
)

// derived are defaults that depend on other fields.
var derived = map[string]func(map[string]any){
	"DeviceTaintRule":         taintRule,
	"HorizontalPodAutoscaler": autoscaler,
	"Job":                     job,
	"LimitRange":              limitRange,
	"Namespace":               nameLabel,
	"NetworkPolicy":           policyTypes,
	"Node":                    node,
	"Pod":                     pod,
	"ReplicationController":   replicationController,
	"ResourceSlice":           resourceSlice,
	"Secret":                  mergeStringData,
	"Service":                 service,
	"StatefulSet":             statefulSet,
	"@container":              func(c map[string]any) { pullPolicy(c, "image", "imagePullPolicy") },
	"@inlineRequest":          inlineRequest,
	"@pod":                    serviceAccount,
	"@volume":                 volume,
}

// below returns an object below another one, nil if there is none.
func below(object map[string]any, path ...string) map[string]any {
	for _, name := range path {
		object, _ = object[name].(map[string]any)
	}
	return object
}

// specOf returns the spec of an object, which is made if it is absent. It is
// nil if it is no object.
func specOf(object map[string]any) map[string]any {
	if object["spec"] == nil {
		object["spec"] = map[string]any{}
	}
	return below(object, "spec")
}

// objectsIn yields the objects of a list.
func objectsIn(list any) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		items, _ := list.([]any)
		for _, item := range items {
			if object, ok := item.(map[string]any); ok && object != nil && !yield(object) {
				return
			}
		}
	}
}

// lengthOf returns the number of items or keys of a value, 0 for another one.
func lengthOf(value any) int {
	switch v := value.(type) {
	case []any:
		return len(v)
	case map[string]any:
		return len(v)
	}
	return 0
}

// job makes a Job without a number of completions and of parallel Pods complete
// once, and gives it the labels of its Pods.
func job(object map[string]any) {
	spec := below(object, "spec")
	if spec != nil && spec["completions"] == nil && spec["parallelism"] == nil {
		spec["completions"] = int64(1)
	}
	takeLabels(object)
}

// replicationController selects the labels of its Pods, and has them.
func replicationController(object map[string]any) {
	spec := below(object, "spec")
	if labels := takeLabels(object); len(labels) > 0 && lengthOf(spec["selector"]) == 0 {
		spec["selector"] = maps.Clone(labels)
	}
}

// takeLabels gives an object without labels those of its template, and returns
// them.
func takeLabels(object map[string]any) map[string]any {
	labels := below(object, "spec", "template", "metadata", "labels")
	if len(labels) == 0 || len(below(object, "metadata", "labels")) > 0 {
		return labels
	}
	meta := below(object, "metadata")
	if meta == nil {
		meta = map[string]any{}
		object["metadata"] = meta
	}
	meta["labels"] = maps.Clone(labels)
	return labels
}

// statefulSet completes an update strategy. A rolling update that has a type
// and no parameters gets none.
func statefulSet(object map[string]any) {
	spec := specOf(object)
	if spec == nil {
		return
	}
	strategy := below(spec, "updateStrategy")
	if strategy == nil {
		strategy = map[string]any{}
		spec["updateStrategy"] = strategy
	}
	rolling := below(strategy, "rollingUpdate")
	switch of := strategy["type"]; {
	case of == nil || of == "":
		strategy["type"] = "RollingUpdate"
		if rolling == nil {
			rolling = map[string]any{}
			strategy["rollingUpdate"] = rolling
		}
	case of != "RollingUpdate" || rolling == nil:
		return
	}
	for name, value := range map[string]int64{"partition": 0, "maxUnavailable": 1} {
		if rolling[name] == nil {
			rolling[name] = value
		}
	}
}

// node makes all that it has allocatable.
func node(object map[string]any) {
	status := below(object, "status")
	if capacity := below(status, "capacity"); capacity != nil && status["allocatable"] == nil {
		status["allocatable"] = maps.Clone(capacity)
	}
}

// policyTypes lets a policy be about traffic to Pods, and about traffic from
// them if it has rules for that.
func policyTypes(object map[string]any) {
	spec := specOf(object)
	if spec == nil || lengthOf(spec["policyTypes"]) > 0 {
		return
	}
	types := []any{"Ingress"}
	if lengthOf(spec["egress"]) > 0 {
		types = append(types, "Egress")
	}
	spec["policyTypes"] = types
}

// autoscaler completes the behavior of an autoscaler of autoscaling/v2, and
// lets one without metrics keep the processors busy.
func autoscaler(object map[string]any) {
	spec := below(object, "spec")
	if object["apiVersion"] != "autoscaling/v2" || spec == nil {
		return
	}
	if lengthOf(spec["metrics"]) == 0 {
		const busy = 80
		spec["metrics"] = []any{map[string]any{
			"type": "Resource", "resource": map[string]any{
				"name": "cpu", "target": map[string]any{
					"type": "Utilization", "averageUtilization": int64(busy),
				},
			},
		}}
	}
	behavior := below(spec, "behavior")
	if behavior == nil {
		return
	}
	policy := func(of string, value int64) any {
		const period = 15
		return map[string]any{"type": of, "value": value, "periodSeconds": int64(period)}
	}
	for name, rules := range map[string]map[string]any{
		"scaleUp": {
			"selectPolicy": "Max", "stabilizationWindowSeconds": int64(0),
			"policies": []any{policy("Pods", 4), policy("Percent", 100)},
		},
		"scaleDown": {"selectPolicy": "Max", "policies": []any{policy("Percent", 100)}},
	} {
		maps.Copy(rules, below(behavior, name))
		behavior[name] = rules
	}
}

// limitRange completes the limits of containers: the default limit is the
// maximum, and the default request the default limit, else the minimum.
func limitRange(object map[string]any) {
	for item := range objectsIn(below(object, "spec")["limits"]) {
		if item["type"] != "Container" {
			continue
		}
		for _, step := range [][2]string{
			{"default", "max"}, {"defaultRequest", "default"}, {"defaultRequest", "min"},
		} {
			from := below(item, step[1])
			if len(from) == 0 {
				continue
			}
			all := maps.Clone(from)
			maps.Copy(all, below(item, step[0]))
			item[step[0]] = runtime.DeepCopyJSON(all)
		}
	}
}

// inlineRequest asks for one device of a class, in resource.k8s.io/v1beta1.
func inlineRequest(request map[string]any) {
	if class, _ := request["deviceClassName"].(string); class == "" {
		return
	}
	if request["allocationMode"] == nil {
		request["allocationMode"] = "ExactCount"
	}
	if request["allocationMode"] == "ExactCount" && request["count"] == nil {
		request["count"] = int64(1)
	}
}

// taintRule says when a taint was added, unless the client does.
func taintRule(object map[string]any) { addTime(below(object, "spec", "taint")) }

// resourceSlice is like taintRule for the taints of devices.
func resourceSlice(object map[string]any) {
	for device := range objectsIn(below(object, "spec")["devices"]) {
		for _, of := range []map[string]any{device, below(device, "basic")} {
			for taint := range objectsIn(of["taints"]) {
				addTime(taint)
			}
		}
	}
}

func addTime(taint map[string]any) {
	if taint != nil && taint["timeAdded"] == nil {
		taint["timeAdded"] = time.Now().UTC().Format(time.RFC3339)
	}
}
