package server

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/crdsem/crdsem/definition"
)

// clusterScoped are the built-in kinds without a namespace.
var clusterScoped = []string{
	"APIService", "CSIDriver", "CSINode", "CertificateSigningRequest", "ClusterRole",
	"ClusterRoleBinding", "ClusterTrustBundle", "ComponentStatus", "CustomResourceDefinition",
	"DeviceClass", "DeviceTaintRule", "FlowSchema", "IPAddress", "IngressClass",
	"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration",
	"Namespace", "Node", "PersistentVolume", "PriorityClass", "PriorityLevelConfiguration",
	"ResourceSlice", "RuntimeClass", "ServiceCIDR", "StorageClass", "StorageVersion",
	"StorageVersionMigration", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
	"ValidatingWebhookConfiguration", "VolumeAttachment", "VolumeAttributesClass",
}

// shortNames are those of the built-in kinds that kubectl users type.
var shortNames = map[string][]string{
	"ConfigMap": {"cm"}, "CustomResourceDefinition": {"crd", "crds"}, "DaemonSet": {"ds"},
	"Deployment": {"deploy"}, "Endpoints": {"ep"}, "Event": {"ev"}, "Ingress": {"ing"},
	"Namespace": {"ns"}, "Node": {"no"}, "PersistentVolume": {"pv"},
	"PersistentVolumeClaim": {"pvc"}, "Pod": {"po"}, "ReplicaSet": {"rs"},
	"ReplicationController": {"rc"}, "Service": {"svc"}, "ServiceAccount": {"sa"},
	"StatefulSet": {"sts"}, "StorageClass": {"sc"}, "CronJob": {"cj"},
}

// plurals are the plural names that no rule makes.
var plurals = map[string]string{"Endpoints": "endpoints"}

// builtIn returns definitions of the kinds of client-go's scheme that are
// stored as objects: with any fields, and with a status.
func builtIn() ([]*definition.CRD, error) {
	versions := map[schema.GroupKind][]string{}
	types := scheme.Scheme.AllKnownTypes()
	for gvk, t := range types {
		_, hasList := types[gvk.GroupVersion().WithKind(gvk.Kind+"List")]
		_, hasMeta := t.FieldByName("ObjectMeta")
		if hasList && hasMeta {
			versions[gvk.GroupKind()] = append(versions[gvk.GroupKind()], gvk.Version)
		}
	}
	versions[schema.GroupKind{Group: definitionGroup, Kind: definitionKind}] = []string{"v1"}
	var all []*definition.CRD
	for of, names := range versions {
		crd, err := anyFields(of, names)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", of, err)
		}
		all = append(all, crd)
	}
	return all, nil
}

// anyFields returns a definition of a kind whose objects have any fields.
func anyFields(of schema.GroupKind, names []string) (*definition.CRD, error) {
	slices.SortFunc(names, func(a, b string) int {
		return strings.Compare(stability(b), stability(a))
	})
	plural, _ := meta.UnsafeGuessKindToResource(of.WithVersion(names[0]))
	resource := plural.Resource
	if irregular := plurals[of.Kind]; irregular != "" {
		resource = irregular
	}
	scope := "Namespaced"
	if slices.Contains(clusterScoped, of.Kind) {
		scope = "Cluster"
	}
	var list []any
	for i, name := range names {
		list = append(list, map[string]any{
			"name": name, "served": true, "storage": i == 0,
			"subresources": map[string]any{"status": map[string]any{}},
			"schema": map[string]any{"openAPIV3Schema": map[string]any{
				"type": "object", "x-kubernetes-preserve-unknown-fields": true,
			}},
		})
	}
	crd, _, err := definition.FromMap(map[string]any{
		"apiVersion": definitionGroup + "/v1", "kind": definitionKind,
		"metadata": map[string]any{"name": resource + "." + of.Group},
		"spec": map[string]any{
			"group": of.Group, "scope": scope, "versions": list,
			"names": map[string]any{
				"plural": resource, "singular": strings.ToLower(of.Kind), "kind": of.Kind,
				"listKind": of.Kind + "List", "shortNames": texts(shortNames[of.Kind]),
			},
		},
	})
	return crd, err
}

// stability orders versions: v1 before v1beta1, and newer ones first.
func stability(version string) string {
	if !strings.Contains(version, "alpha") && !strings.Contains(version, "beta") {
		return "2" + version
	}
	if strings.Contains(version, "beta") {
		return "1" + version
	}
	return "0" + version
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, text := range list {
		out[i] = text
	}
	return out
}

// The kind of definitions.
const (
	definitionGroup = "apiextensions.k8s.io"
	definitionKind  = "CustomResourceDefinition"
)
