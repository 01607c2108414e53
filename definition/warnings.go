package definition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/apiextensions"
)

// warnings returns what the server tells of a spec besides errors (CRD-014), without what it would tell of the old spec already; old is nil on create.
func warnings(spec, old *apiextensions.CustomResourceDefinitionSpec) []string {
	formats, sets := unknownFormats(spec), looseSets(spec)
	if old != nil {
		formats, sets = without(formats, unknownFormats(old)), without(sets, looseSets(old))
	}
	var out []string
	for _, format := range formats {
		out = append(out, fmt.Sprintf("unrecognized format %q", format))
	}
	for _, typ := range sets {
		out = append(out, fmt.Sprintf("x-kubernetes-list-type: set for items of type %q is not supported by server-side apply or CEL validation rules", typ))
	}
	return out
}

func without(list, known []string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return slices.Contains(known, s) })
}

// unknownFormats returns the formats that mean nothing to the server, one for each node that has one.
func unknownFormats(spec *apiextensions.CustomResourceDefinitionSpec) (out []string) {
	anySchemaHas(spec, func(s *apiextensions.JSONSchemaProps) bool {
		if s.Format != "" && !isKnownFormat(s.Type, s.Format) {
			out = append(out, s.Format)
		}
		return false
	})
	return out
}

// isKnownFormat tells whether a format means something for a type (CRD-350).
func isKnownFormat(typ, format string) bool {
	switch typ {
	case "integer":
		return format == "int32" || format == "int64"
	case "number":
		return format == "float" || format == "double"
	case "", "string":
		switch strings.ReplaceAll(format, "-", "") {
		case "bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5",
			"isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "date", "duration", "datetime",
			"k8sshortname", "k8slongname":
			return true
		}
	}
	return false
}

// looseSets returns the types, sorted, of the objects and lists that are items of sets.
func looseSets(spec *apiextensions.CustomResourceDefinitionSpec) (out []string) {
	anySchemaHas(spec, func(s *apiextensions.JSONSchemaProps) bool {
		if s.XListType == nil || *s.XListType != "set" || s.Items == nil || s.Items.Schema == nil {
			return false
		}
		if t := s.Items.Schema.Type; (t == "object" || t == "array") && !slices.Contains(out, t) {
			out = append(out, t)
		}
		return false
	})
	slices.Sort(out)
	return out
}
