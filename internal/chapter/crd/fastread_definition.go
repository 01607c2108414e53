package crd

import (
	"encoding/base64"
	"math"
	"time"

	"github.com/crdsem/crdsem/internal/base/dom"
)

// fields reads an object field by field. set reports whether it knows the key.
func (r *reader) fields(value *dom.Node, set func(key string, v *dom.Node) bool) {
	for _, member := range r.object(value) {
		key, v := member.Key(), member.Value
		if !set(key, v) {
			r.unknownKey()
		}
	}
}

// optional reads an object into a new variable. Null leaves *to unchanged.
func optional[T any](to **T, value *dom.Node, set func(*T, *dom.Node)) {
	if value != nil {
		*to = new(T)
		set(*to, value)
	}
}

func (r *reader) definition(to *CustomResourceDefinition, value *dom.Node, from form) {
	r.fields(value, func(key string, v *dom.Node) bool {
		switch key {
		case "apiVersion", "kind":
			var ignored string
			read(r, &ignored, v)
		case "metadata":
			r.metadata(&to.Metadata, v)
		case "spec":
			r.spec(&to.Spec, v, from)
		case "status":
			r.status(&to.Status, v)
		default:
			return false
		}
		return true
	})
}

func (r *reader) spec(to *CustomResourceDefinitionSpec, value *dom.Node, from form) {
	r.fields(value, func(key string, v *dom.Node) bool {
		switch key {
		case "group":
			read(r, &to.Group, v)
		case "names":
			r.names(&to.Names, v)
		case "scope":
			read(r, &to.Scope, v)
		case "versions":
			list(r, &to.Versions, v, func(to *CustomResourceDefinitionVersion, v *dom.Node) {
				r.version(to, v, from)
			})
		case "conversion":
			optional(&to.Conversion, v, func(to *CustomResourceConversion, v *dom.Node) {
				r.conversion(to, v, from)
			})
		case "preserveUnknownFields":
			readPointer(r, &to.PreserveUnknownFields, v)
		default:
			return from == formV1beta1 && r.topLevel(to, key, v)
		}
		return true
	})
}

// topLevel reads the fields that only v1beta1 has at the top of the spec. It
// reports whether it knows the key.
func (r *reader) topLevel(to *CustomResourceDefinitionSpec, key string, v *dom.Node) bool {
	switch key {
	case "version":
		read(r, &to.Version, v)
	case "validation":
		optional(&to.Validation, v, r.validation)
	case "subresources":
		optional(&to.Subresources, v, r.subresources)
	case "additionalPrinterColumns":
		r.columns(&to.AdditionalPrinterColumns, v, formV1beta1)
	case "selectableFields":
		return r.selectableFields(&to.SelectableFields, v)
	default:
		return false
	}
	return true
}

func (r *reader) version(to *CustomResourceDefinitionVersion, value *dom.Node, from form) {
	r.fields(value, func(key string, v *dom.Node) bool {
		switch key {
		case "name":
			read(r, &to.Name, v)
		case "served":
			read(r, &to.Served, v)
		case "storage":
			read(r, &to.Storage, v)
		case "deprecated":
			read(r, &to.Deprecated, v)
		case "deprecationWarning":
			readPointer(r, &to.DeprecationWarning, v)
		case "schema":
			optional(&to.Schema, v, r.validation)
		case "subresources":
			optional(&to.Subresources, v, r.subresources)
		case "additionalPrinterColumns":
			r.columns(&to.AdditionalPrinterColumns, v, from)
		case "selectableFields":
			return r.selectableFields(&to.SelectableFields, v)
		default:
			return false
		}
		return true
	})
}

func (r *reader) validation(to *CustomResourceValidation, value *dom.Node) {
	r.fields(value, func(key string, v *dom.Node) bool {
		if key == "openAPIV3Schema" {
			r.schema(&to.OpenAPIV3Schema, v)
		}
		return key == "openAPIV3Schema"
	})
}

func (r *reader) subresources(to *CustomResourceSubresources, value *dom.Node) {
	r.fields(value, func(key string, v *dom.Node) bool {
		switch key {
		case "status":
			optional(&to.Status, v, func(_ *CustomResourceSubresourceStatus, v *dom.Node) {
				r.fields(v, func(string, *dom.Node) bool { return false })
			})
		case "scale":
			optional(&to.Scale, v, r.scale)
		default:
			return false
		}
		return true
	})
}

func (r *reader) scale(to *CustomResourceSubresourceScale, value *dom.Node) {
	r.fields(value, func(key string, v *dom.Node) bool {
		switch key {
		case "specReplicasPath":
			read(r, &to.SpecReplicasPath, v)
		case "statusReplicasPath":
			read(r, &to.StatusReplicasPath, v)
		case "labelSelectorPath":
			readPointer(r, &to.LabelSelectorPath, v)
		default:
			return false
		}
		return true
	})
}

// columns reads printer columns. v1beta1 spells the path JSONPath.
func (r *reader) columns(to *[]CustomResourceColumnDefinition, value *dom.Node, from form) {
	path := "jsonPath"
	if from == formV1beta1 {
		path = "JSONPath"
	}
	list(r, to, value, func(to *CustomResourceColumnDefinition, value *dom.Node) {
		r.fields(value, func(key string, v *dom.Node) bool {
			switch key {
			case "name":
				read(r, &to.Name, v)
			case "type":
				read(r, &to.Type, v)
			case "format":
				read(r, &to.Format, v)
			case "description":
				read(r, &to.Description, v)
			case "priority":
				r.int32(&to.Priority, v)
			case path:
				read(r, &to.JSONPath, v)
			default:
				return false
			}
			return true
		})
	})
}

// selectableFields reads selectable fields. It reports whether the minor knows
// them.
func (r *reader) selectableFields(to *[]SelectableField, value *dom.Node) bool {
	if r.profile.SelectableFieldsKnown {
		list(r, to, value, r.selectableField)
	}
	return r.profile.SelectableFieldsKnown
}

func (r *reader) selectableField(to *SelectableField, value *dom.Node) {
	r.fields(value, func(key string, v *dom.Node) bool {
		if key == "jsonPath" {
			read(r, &to.JSONPath, v)
		}
		return key == "jsonPath"
	})
}

func (r *reader) names(to *CustomResourceDefinitionNames, value *dom.Node) {
	r.fields(value, func(key string, v *dom.Node) bool {
		switch key {
		case "plural":
			read(r, &to.Plural, v)
		case "singular":
			read(r, &to.Singular, v)
		case "shortNames":
			r.strings(&to.ShortNames, v)
		case "kind":
			read(r, &to.Kind, v)
		case "listKind":
			read(r, &to.ListKind, v)
		case "categories":
			r.strings(&to.Categories, v)
		default:
			return false
		}
		return true
	})
}

func (r *reader) status(to *CustomResourceDefinitionStatus, value *dom.Node) {
	r.fields(value, func(key string, v *dom.Node) bool {
		switch key {
		case "conditions":
			list(r, &to.Conditions, v, r.condition)
		case "acceptedNames":
			r.names(&to.AcceptedNames, v)
		case "storedVersions":
			r.strings(&to.StoredVersions, v)
		case "observedGeneration":
			return r.observedGeneration(v)
		default:
			return false
		}
		return true
	})
}

func (r *reader) condition(to *CustomResourceDefinitionCondition, value *dom.Node) {
	r.fields(value, func(key string, v *dom.Node) bool {
		var text string
		switch key {
		case "type":
			read(r, &to.Type, v)
		case "status":
			read(r, &to.Status, v)
		case "reason", "message":
			read(r, &text, v)
		case "observedGeneration":
			return r.observedGeneration(v)
		case "lastTransitionTime":
			r.time(v)
		default:
			return false
		}
		return true
	})
}

// observedGeneration reads a number that nothing needs. It reports whether the
// minor knows it.
func (r *reader) observedGeneration(value *dom.Node) bool {
	if !r.profile.ObservedGenerationKnown {
		return false
	}
	var ignored int64
	read(r, &ignored, value)
	return true
}

// time checks that a value is null or a time of RFC 3339.
func (r *reader) time(value *dom.Node) {
	var text string
	read(r, &text, value)
	if value == nil {
		return
	}
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		r.wrong()
	}
}

func (r *reader) int32(to *int32, value *dom.Node) {
	var n int64
	read(r, &n, value)
	if n < math.MinInt32 || n > math.MaxInt32 {
		r.wrong()
	}
	*to = int32(n)
}

func (r *reader) bytes(to *[]byte, value *dom.Node) {
	if value == nil {
		return
	}
	var text string
	read(r, &text, value)
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		r.wrong()
	}
	*to = decoded
}
