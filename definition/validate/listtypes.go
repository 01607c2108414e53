package validate

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

const (
	listTypeKeyword = "x-kubernetes-list-type"
	mapTypeKeyword  = "x-kubernetes-map-type"
	listKeysKeyword = "x-kubernetes-list-map-keys"
)

// extensions checks x-kubernetes-preserve-unknown-fields, x-kubernetes-map-type
// and x-kubernetes-list-type, each by itself (CRD-156 to CRD-158).
func (w *walker) extensions(s *crd.JSONSchemaProps, at *schemapath.Path) {
	const preserve = "x-kubernetes-preserve-unknown-fields"
	if s.XPreserveUnknownFields != nil && !*s.XPreserveUnknownFields {
		w.reject("CRD-156", at, preserve, false, "must be true or undefined")
	}
	if s.XMapType != nil {
		w.typeFor("CRD-157", s, at, "object", mapTypeKeyword)
		w.known("CRD-157", at, mapTypeKeyword, *s.XMapType, []string{"atomic", "granular"})
	}
	if s.XListType != nil {
		w.typeFor("CRD-158", s, at, "array", listTypeKeyword)
		w.known("CRD-158", at, listTypeKeyword, *s.XListType, []string{"atomic", "set", "map"})
	}
}

// typeFor checks that the node has the type that a keyword needs.
func (w *walker) typeFor(
	rule string, s *crd.JSONSchemaProps, at *schemapath.Path, want, keyword string,
) {
	detail := "must be " + want + " if " + keyword + " is specified"
	switch s.Type {
	case want:
	case "":
		w.require(rule, at, "type", detail)
	default:
		w.reject(rule, at, "type", s.Type, detail)
	}
}

// known checks that a keyword has one of its values.
func (w *walker) known(rule string, at *schemapath.Path, keyword, value string, values []string) {
	if !slices.Contains(values, value) {
		w.at(rule, at.At(keyword), field.NotSupported(nil, value, values))
	}
}

// lists checks sets, list-maps and their keys (CRD-159 to CRD-162).
func (w *walker) lists(s *crd.JSONSchemaProps, at *schemapath.Path) {
	if s.XListType != nil && s.Type == "array" && w.atomicSets {
		w.setItems(s, at)
	}
	if len(s.XListMapKeys) > 0 {
		const detail = "must be map if x-kubernetes-list-map-keys is non-empty"
		if s.XListType == nil {
			w.require("CRD-160", at, listTypeKeyword, detail)
		} else if *s.XListType != "map" {
			w.reject("CRD-160", at, listTypeKeyword, *s.XListType, detail)
		}
	}
	if s.XListType != nil && *s.XListType == "map" {
		w.listMap(s, at)
	}
	if w.listMapKeys {
		w.keys(s, at)
	}
}

// setItems checks that the items of a set are atomic (CRD-159). The error at
// x-kubernetes-map-type shows the list type as its value, as it does on the
// server.
func (w *walker) setItems(s *crd.JSONSchemaProps, at *schemapath.Path) {
	if !hasNonAtomicSetItems(s) {
		return
	}
	keyword := listTypeKeyword
	if s.Items.Schema.Type == "object" {
		keyword = mapTypeKeyword
	}
	below := at.Child("items")
	w.reject("CRD-159", &below, keyword, s.Items.Schema.XListType,
		"must be atomic as item of a list with x-kubernetes-list-type=set")
}

// hasNonAtomicSetItems reports whether a node is a set of lists or objects that
// are not atomic.
func hasNonAtomicSetItems(s *crd.JSONSchemaProps) bool {
	if s.XListType == nil || *s.XListType != "set" || s.Items == nil || s.Items.Schema == nil {
		return false
	}
	switch item := s.Items.Schema; item.Type {
	case "array":
		return item.XListType != nil && *item.XListType != "atomic"
	case "object":
		return item.XMapType == nil || *item.XMapType != "atomic"
	default:
		return false
	}
}

// listMap checks the items and the keys of a list of type map (CRD-161).
func (w *walker) listMap(s *crd.JSONSchemaProps, at *schemapath.Path) {
	if len(s.XListMapKeys) == 0 {
		const detail = "must not be empty if x-kubernetes-list-type is map"
		w.require("CRD-161", at, listKeysKeyword, detail)
	}
	switch {
	case s.Items == nil:
		w.require("CRD-161", at, "items", "must have a schema if x-kubernetes-list-type is map")
	case s.Items.Schema == nil:
		w.reject("CRD-161", at, "items", s.Items,
			"must only have a single schema if x-kubernetes-list-type is map")
	case s.Items.Schema.Type != "object":
		below := at.Child("items")
		w.reject("CRD-161", &below, "type", s.Items.Schema.Type,
			"must be object if parent array's x-kubernetes-list-type is map")
	default:
		w.itemKeys(s, at)
	}
}

// itemKeys checks that the keys of a list-map are scalar properties of its
// items.
func (w *walker) itemKeys(s *crd.JSONSchemaProps, at *schemapath.Path) {
	item, below := s.Items.Schema, at.Child("items")
	seen := make(map[string]bool, len(s.XListMapKeys))
	for _, key := range s.XListMapKeys {
		property, ok := item.Properties[key]
		if !ok {
			w.reject("CRD-161", at, listKeysKeyword, s.XListMapKeys,
				"entries must all be names of item properties")
		} else if property.Type == "array" || property.Type == "object" {
			keyAt := below.Keyed("properties", key)
			w.reject("CRD-161", &keyAt, "type", item.Type,
				"must be a scalar type if parent array's x-kubernetes-list-type is map")
		}
		if seen[key] {
			const detail = "must not contain duplicate entries"
			w.reject("CRD-161", at, listKeysKeyword, s.XListMapKeys, detail)
		}
		seen[key] = true
	}
}

// keys checks that every key of a list-map is required or has a default, and
// that neither the keys nor the items of list-maps and sets are nullable
// (CRD-162).
func (c *checker) keys(s *crd.JSONSchemaProps, at *schemapath.Path) {
	if s.Items == nil || s.Items.Schema == nil || s.XListType == nil ||
		*s.XListType != "set" && *s.XListType != "map" {
		return
	}
	item, below := s.Items.Schema, at.Child("items")
	if item.Nullable {
		detail := "cannot be nullable when x-kubernetes-list-type is " + *s.XListType
		c.at("CRD-162", below.At("nullable"), field.Forbidden(nil, detail))
	}
	if *s.XListType != "map" {
		return
	}
	const isKey = "this property is in x-kubernetes-list-map-keys"
	required := make(map[string]bool, len(item.Required))
	for _, name := range item.Required {
		required[name] = true
	}
	for _, key := range s.XListMapKeys {
		property, ok := item.Properties[key]
		if !ok {
			continue
		}
		keyAt := below.Keyed("properties", key)
		if property.Default == nil && !required[key] {
			c.at("CRD-162", keyAt.At("default"), field.Required(nil,
				isKey+", so it must have a default or be a required property"))
		}
		if property.Nullable {
			err := field.Forbidden(nil, isKey+", so it cannot be nullable")
			c.at("CRD-162", keyAt.At("nullable"), err)
		}
	}
}
