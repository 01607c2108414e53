// Package crdsem says what a Kubernetes API server does to a custom resource, given its CustomResourceDefinition.
package crdsem
