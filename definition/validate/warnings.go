package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// warnings returns the server's warnings about a spec, without those that the
// old spec has already (CRD-014). old is nil on create.
func warnings(spec, old *crd.CustomResourceDefinitionSpec, p *profile.Profile) []string {
	formats, sets := doubtful(spec, p)
	if old != nil {
		oldFormats, oldSets := doubtful(old, p)
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
func doubtful(spec *crd.CustomResourceDefinitionSpec, p *profile.Profile) (formats, sets []string) {
	isDoubtful := func(s *crd.JSONSchemaProps) bool {
		return hasUnknownFormat(s, p) || looseItemType(s) != ""
	}
	if !p.StringFormatWarnings || !spec.AnyNode(isDoubtful) {
		return nil, nil
	}
	spec.AnySchema(func(root *crd.JSONSchemaProps) bool {
		for s := range root.All() {
			if hasUnknownFormat(s, p) {
				formats = append(formats, s.Format)
			}
			if t := looseItemType(s); p.SetWarnings && t != "" && !slices.Contains(sets, t) {
				sets = append(sets, t)
			}
		}
		return false
	})
	slices.Sort(sets)
	return formats, sets
}

// hasUnknownFormat reports whether a minor warns of the format of a node.
func hasUnknownFormat(s *crd.JSONSchemaProps, p *profile.Profile) bool {
	if s.Format == "" {
		return false
	}
	if !p.TypedFormatWarnings {
		return s.Type == "string" && (!isKnownFormat("", s.Format) ||
			!p.NameFormats && isNameFormat(s.Format))
	}
	return !isKnownFormat(s.Type, s.Format)
}

// isNameFormat reports whether a format is k8s-short-name or k8s-long-name.
func isNameFormat(format string) bool {
	name := strings.ReplaceAll(format, "-", "")
	return name == "k8sshortname" || name == "k8slongname"
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
