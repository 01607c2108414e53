package environment

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
)

// simpleType returns the type of a name without parameters, e.g. "int" or
// "kubernetes.URL", nil if there is no such type.
func simpleType(name string) *cel.Type {
	switch name {
	case "int":
		return cel.IntType
	case "uint":
		return cel.UintType
	case "double":
		return cel.DoubleType
	case "bool":
		return cel.BoolType
	case "string":
		return cel.StringType
	case "bytes":
		return cel.BytesType
	case "dyn":
		return cel.DynType
	case "duration":
		return cel.DurationType
	case "timestamp":
		return cel.TimestampType
	}
	if len(name) == 1 && name >= "A" && name <= "Z" {
		return cel.TypeParamType(name)
	}
	return kubernetesType(name)
}

// kubernetesType returns the Kubernetes type of a name, nil if there is no such
// type.
func kubernetesType(name string) *cel.Type {
	for _, t := range []*cel.Type{
		k8scel.URLType, k8scel.QuantityType, k8scel.SemverType,
		k8scel.FormatType, k8scel.IPType, k8scel.CIDRType,
		k8scel.AuthorizerType, k8scel.PathCheckType, k8scel.GroupCheckType,
		k8scel.ResourceCheckType, k8scel.DecisionType,
	} {
		if t.TypeName() == name {
			return t
		}
	}
	return nil
}

// parseType parses a type as the catalogue writes it, e.g. "int", "list(T)",
// "map(string, list(string))" or "optional_type(V)".
func parseType(text string) (*cel.Type, error) {
	open := strings.IndexByte(text, '(')
	if open < 0 {
		if t := simpleType(text); t != nil {
			return t, nil
		}
		return nil, fmt.Errorf("unknown type %q", text)
	}
	if !strings.HasSuffix(text, ")") {
		return nil, fmt.Errorf("type %q has no closing parenthesis", text)
	}
	params, err := parseTypes(splitTypes(text[open+1 : len(text)-1]))
	if err != nil {
		return nil, err
	}
	switch name := text[:open]; {
	case name == "list" && len(params) == 1:
		return cel.ListType(params[0]), nil
	case name == "optional_type" && len(params) == 1:
		return cel.OptionalType(params[0]), nil
	case name == "map" && len(params) == 2:
		return cel.MapType(params[0], params[1]), nil
	}
	return nil, fmt.Errorf("unknown type %q", text)
}

// parseTypes parses several types.
func parseTypes(texts []string) ([]*cel.Type, error) {
	out := make([]*cel.Type, len(texts))
	for i, text := range texts {
		t, err := parseType(text)
		if err != nil {
			return nil, err
		}
		out[i] = t
	}
	return out, nil
}

// splitTypes splits "string, list(map(K, V))" at the commas outside of
// parentheses.
func splitTypes(text string) []string {
	var out []string
	depth, start := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(text[start:]))
}
