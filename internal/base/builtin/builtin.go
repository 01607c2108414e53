// Package builtin knows the API groups and kinds that are part of Kubernetes.
package builtin

import (
	"slices"
	"strings"
)

// kinds are the kinds of each group that some supported minor serves, with
// those of subresources. The group "" is that of Pod and Service.
var kinds = map[string][]string{
	"": {
		"Binding", "ComponentStatus", "ConfigMap", "Endpoints", "Event", "LimitRange",
		"Namespace", "Node", "PersistentVolume", "PersistentVolumeClaim", "Pod", "PodTemplate",
		"ReplicationController", "ResourceQuota", "Secret", "Service", "ServiceAccount",
	},
	"admissionregistration.k8s.io": {
		"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding",
		"MutatingWebhookConfiguration", "ValidatingAdmissionPolicy",
		"ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration",
	},
	"apiextensions.k8s.io": {
		"CustomResourceDefinition",
	},
	"apiregistration.k8s.io": {
		"APIService",
	},
	"apps": {
		"ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet",
	},
	"authentication.k8s.io": {
		"SelfSubjectReview", "TokenRequest", "TokenReview",
	},
	"authorization.k8s.io": {
		"LocalSubjectAccessReview", "SelfSubjectAccessReview", "SelfSubjectRulesReview",
		"SubjectAccessReview",
	},
	"autoscaling": {
		"HorizontalPodAutoscaler", "Scale",
	},
	"batch": {
		"CronJob", "Job",
	},
	"certificates.k8s.io": {
		"CertificateSigningRequest", "ClusterTrustBundle", "PodCertificateRequest",
	},
	"coordination.k8s.io": {
		"Lease", "LeaseCandidate",
	},
	"discovery.k8s.io": {
		"EndpointSlice",
	},
	"events.k8s.io": {
		"Event",
	},
	"flowcontrol.apiserver.k8s.io": {
		"FlowSchema", "PriorityLevelConfiguration",
	},
	"internal.apiserver.k8s.io": {
		"StorageVersion",
	},
	"lifecycle.k8s.io": {
		"Eviction", "EvictionRequest",
	},
	"networking.k8s.io": {
		"ClusterCIDR", "IPAddress", "Ingress", "IngressClass", "NetworkPolicy", "ServiceCIDR",
	},
	"node.k8s.io": {
		"RuntimeClass",
	},
	"policy": {
		"Eviction", "PodDisruptionBudget",
	},
	"rbac.authorization.k8s.io": {
		"ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding",
	},
	"resource.k8s.io": {
		"DeviceClass", "DeviceTaintRule", "PodSchedulingContext", "ResourceClaim",
		"ResourceClaimParameters", "ResourceClaimTemplate", "ResourceClass",
		"ResourceClassParameters", "ResourcePoolStatusRequest", "ResourceSlice",
	},
	"scheduling.k8s.io": {
		"CompositePodGroup", "PodGroup", "PriorityClass", "Workload",
	},
	"storage.k8s.io": {
		"CSIDriver", "CSINode", "CSIStorageCapacity", "StorageClass", "VolumeAttachment",
		"VolumeAttributesClass",
	},
	"storagemigration.k8s.io": {
		"StorageVersionMigration",
	},
}

// HasGroup reports whether a group is part of Kubernetes, e.g. apps.
func HasGroup(group string) bool { return kinds[group] != nil }

// HasKind reports whether a kind is part of Kubernetes, e.g. Deployment of the
// group apps. So is the list of such a kind, e.g. DeploymentList.
func HasKind(group, kind string) bool {
	return slices.Contains(kinds[group], strings.TrimSuffix(kind, "List")) ||
		group == "" && kind == "List"
}

// Kinds returns the kinds of a group of Kubernetes. It must not be changed.
func Kinds(group string) []string { return kinds[group] }
