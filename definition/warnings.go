package definition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/crd"
)

// warnings returns the server's warnings about a spec, without those that the
// old spec has already (CRD-014). old is nil on create.
func warnings(spec, old *crd.CustomResourceDefinitionSpec) []string {
	formats, sets := doubtful(spec)
	if old != nil {
		oldFormats, oldSets := doubtful(old)
		formats, sets = without(formats, oldFormats), without(sets, oldSets)
	}
	var out []string
	for _, format := range formats {
		out = append(out, fmt.Sprintf("unrecognized format %q", format))
	}
	for _, typ := range sets {
		out = append(out, fmt.Sprintf("x-kubernetes-list-type: set for items of type %q "+
			"is not supported by server-side apply or CEL validation rules", typ))
	}
	return out
}

func without(list, known []string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return slices.Contains(known, s) })
}

// doubtful returns the formats that the server does not know, one for each node
// that has one, and the sorted types of the sets' items that are objects or
// lists.
func doubtful(spec *crd.CustomResourceDefinitionSpec) (formats, sets []string) {
	if !anySchemaHas(spec, isDoubtful) {
		return nil, nil
	}
	anySchema(spec, func(root *crd.JSONSchemaProps) bool {
		for s := range root.All() {
			if hasUnknownFormat(s) {
				formats = append(formats, s.Format)
			}
			if t := looseItemType(s); t != "" && !slices.Contains(sets, t) {
				sets = append(sets, t)
			}
		}
		return false
	})
	slices.Sort(sets)
	return formats, sets
}

func isDoubtful(s *crd.JSONSchemaProps) bool {
	return hasUnknownFormat(s) || looseItemType(s) != ""
}

func hasUnknownFormat(s *crd.JSONSchemaProps) bool {
	return s.Format != "" && !isKnownFormat(s.Type, s.Format)
}

// looseItemType returns the type of the items of a set of objects or lists. It
// is empty for all other nodes.
func looseItemType(s *crd.JSONSchemaProps) string {
	if s.XListType == nil || *s.XListType != "set" || s.Items == nil || s.Items.Schema == nil {
		return ""
	}
	if t := s.Items.Schema.Type; t == "object" || t == "array" {
		return t
	}
	return ""
}

// isKnownFormat reports whether the server knows a format for a type (CRD-350).
func isKnownFormat(typ, format string) bool {
	switch typ {
	case "integer":
		return format == "int32" || format == "int64"
	case "number":
		return format == "float" || format == "double"
	case "", "string":
		switch strings.ReplaceAll(format, "-", "") {
		case "bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac",
			"uuid", "uuid3", "uuid4", "uuid5", "isbn", "isbn10", "isbn13", "creditcard",
			"ssn", "hexcolor", "rgbcolor", "byte", "password", "date", "duration",
			"datetime", "k8sshortname", "k8slongname":
			return true
		}
	}
	return false
}
