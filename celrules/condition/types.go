package condition

import (
	"maps"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// The types of the variable request, by the names that a server gives them
// (BuildRequestType of k8s.io/apiserver/pkg/admission/plugin/cel).
const (
	requestType  = "kubernetes.AdmissionRequest"
	kindType     = "kubernetes.GroupVersionKind"
	resourceType = "kubernetes.GroupVersionResource"
	userType     = "kubernetes.UserInfo"
)

var structs = map[string]map[string]*types.Type{
	kindType: {"group": cel.StringType, "version": cel.StringType, "kind": cel.StringType},
	resourceType: {
		"group": cel.StringType, "version": cel.StringType, "resource": cel.StringType,
	},
	userType: {
		"username": cel.StringType, "uid": cel.StringType,
		"groups": cel.ListType(cel.StringType),
		"extra":  cel.MapType(cel.StringType, cel.ListType(cel.StringType)),
	},
	requestType: {
		"kind": cel.ObjectType(kindType), "resource": cel.ObjectType(resourceType),
		"requestKind":     cel.ObjectType(kindType),
		"requestResource": cel.ObjectType(resourceType),
		"subResource":     cel.StringType, "requestSubResource": cel.StringType,
		"name": cel.StringType, "namespace": cel.StringType,
		"operation": cel.StringType, "userInfo": cel.ObjectType(userType),
		"dryRun": cel.BoolType, "options": cel.DynType,
	},
}

// requestTypes adds the types of a request to those of an environment.
type requestTypes struct{ types.Provider }

// FindStructType implements types.Provider.
func (t requestTypes) FindStructType(name string) (*types.Type, bool) {
	if structs[name] != nil {
		return types.NewTypeTypeWithParam(cel.ObjectType(name)), true
	}
	return t.Provider.FindStructType(name)
}

// FindStructFieldNames implements types.Provider.
func (t requestTypes) FindStructFieldNames(name string) ([]string, bool) {
	if fields := structs[name]; fields != nil {
		return slices.Sorted(maps.Keys(fields)), true
	}
	return t.Provider.FindStructFieldNames(name)
}

// FindStructFieldType implements types.Provider. The word namespace is escaped
// as in rules.
func (t requestTypes) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	if fields := structs[name]; fields != nil {
		of, ok := fields[field]
		return &types.FieldType{Type: of}, ok
	}
	return t.Provider.FindStructFieldType(name, field)
}
