package builtin

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// pod completes the resources of a Pod, and its ports of the node.
func pod(object map[string]any) {
	resources(object)
	spec := below(object, "spec")
	if spec["hostNetwork"] != true {
		return
	}
	for _, of := range []string{"containers", "initContainers"} {
		for container := range objectsIn(spec[of]) {
			for port := range objectsIn(container["ports"]) {
				if port["hostPort"] == nil {
					port["hostPort"] = port["containerPort"]
				}
			}
		}
	}
}

// serviceAccount gives the account of a Pod both of its names.
func serviceAccount(spec map[string]any) {
	for _, names := range [][2]string{
		{"serviceAccountName", "serviceAccount"}, {"serviceAccount", "serviceAccountName"},
	} {
		if name := spec[names[1]]; spec[names[0]] == nil && name != nil {
			spec[names[0]] = name
		}
	}
}

// volume makes a volume without a source an empty folder, and says when an
// image is pulled.
func volume(object map[string]any) {
	if _, hasName := object["name"]; len(object) == 0 || len(object) == 1 && hasName {
		object["emptyDir"] = map[string]any{}
	}
	image := below(object, "image")
	if image == nil {
		return
	}
	pullPolicy(image, "reference", "pullPolicy")
	if image["pullPolicy"] == nil {
		image["pullPolicy"] = "IfNotPresent"
	}
}

// pullPolicy always pulls an image whose tag is latest, or that has neither a
// tag nor a digest.
func pullPolicy(object map[string]any, reference, policy string) {
	image, _ := object[reference].(string)
	name := image[strings.LastIndexByte(image, '/')+1:]
	if object[policy] == nil && name != "" &&
		(!strings.ContainsAny(name, ":@") || strings.HasSuffix(name, ":latest")) {
		object[policy] = "Always"
	}
}

// nameLabel labels a namespace with its name.
func nameLabel(namespace map[string]any) {
	meta := &unstructured.Unstructured{Object: namespace}
	if name := meta.GetName(); name != "" {
		labels := meta.GetLabels()
		if labels == nil {
			labels = map[string]string{}
		}
		labels["kubernetes.io/metadata.name"] = name
		meta.SetLabels(labels)
	}
}

// resources makes the containers of a Pod request what limits them, and tells
// the Pod its class by that.
func resources(pod map[string]any) {
	typed := &corev1.Pod{}
	if runtime.DefaultUnstructuredConverter.FromUnstructured(pod, typed) != nil {
		return // a test of the table, or what validation refuses
	}
	for _, of := range []string{"containers", "initContainers"} {
		containers, _, _ := unstructured.NestedFieldNoCopy(pod, "spec", of)
		list, _ := containers.([]any)
		for _, item := range list {
			container, _ := item.(map[string]any)
			limits, _, _ := unstructured.NestedMap(container, "resources", "limits")
			requests, _, _ := unstructured.NestedMap(container, "resources", "requests")
			if limits == nil {
				continue
			}
			maps.Copy(limits, requests)
			if len(limits) > len(requests) {
				container["resources"].(map[string]any)["requests"] = limits
			}
		}
	}
	status, ok := pod["status"].(map[string]any)
	if !ok {
		status = map[string]any{}
		pod["status"] = status
	}
	if status["qosClass"] == nil {
		status["qosClass"] = string(classOf(&typed.Spec))
	}
}

// classOf returns the class of a Pod by its processors and memory.
func classOf(spec *corev1.PodSpec) corev1.PodQOSClass {
	var parts []corev1.ResourceRequirements
	for _, c := range slices.Concat(spec.Containers, spec.InitContainers) {
		parts = append(parts, c.Resources)
	}
	if spec.Resources != nil {
		parts = []corev1.ResourceRequirements{*spec.Resources}
	}
	none, full := true, true
	for _, part := range parts {
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			limit := part.Limits[name]
			request, has := part.Requests[name]
			none = none && limit.IsZero() && request.IsZero()
			full = full && !limit.IsZero() && (!has || request.Cmp(limit) == 0)
		}
	}
	switch {
	case none:
		return corev1.PodQOSBestEffort
	case full:
		return corev1.PodQOSGuaranteed
	}
	return corev1.PodQOSBurstable
}

// mergeStringData moves stringData to data, as the server does.
func mergeStringData(secret map[string]any) {
	sent, _ := secret["stringData"].(map[string]any)
	delete(secret, "stringData")
	if len(sent) == 0 {
		return
	}
	data, ok := secret["data"].(map[string]any)
	if !ok {
		data = map[string]any{}
		secret["data"] = data
	}
	for key, value := range sent {
		data[key] = base64.StdEncoding.EncodeToString([]byte(fmt.Sprint(value)))
	}
}

// service sends its ports to the same ports of its Pods, and bounds the
// affinity of clients.
func service(object map[string]any) {
	spec := below(object, "spec")
	for port := range objectsIn(spec["ports"]) {
		target := port["targetPort"]
		if target == nil || target == int64(0) || target == "" {
			port["targetPort"] = port["port"]
		}
	}
	const timeout = 3 * 60 * 60
	switch {
	case spec == nil:
	case spec["sessionAffinity"] != "ClientIP":
		delete(spec, "sessionAffinityConfig")
	case below(spec, "sessionAffinityConfig", "clientIP")["timeoutSeconds"] == nil:
		spec["sessionAffinityConfig"] = map[string]any{
			"clientIP": map[string]any{"timeoutSeconds": int64(timeout)},
		}
	}
}
