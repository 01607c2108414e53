// Package apiextensions holds the objects of the API group apiextensions.k8s.io as they are written: the one form into which
// v1 and v1beta1 documents are decoded and from which structural schemas and definitions are built.
package crd
