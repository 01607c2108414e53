package policy

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
)

// The types of the variables, by the names that a server gives them
// (BuildRequestType and BuildNamespaceType of
// k8s.io/apiserver/pkg/admission/plugin/cel).
const (
	requestType   = "kubernetes.AdmissionRequest"
	kindType      = "kubernetes.GroupVersionKind"
	resourceType  = "kubernetes.GroupVersionResource"
	userType      = "kubernetes.UserInfo"
	namespaceType = "kubernetes.Namespace"
	metadataType  = "kubernetes.NamespaceMetadata"
	specType      = "kubernetes.NamespaceSpec"
	statusType    = "kubernetes.NamespaceStatus"
	conditionType = "kubernetes.NamespaceCondition"
	variablesType = "kubernetes.variables"
)

var (
	texts    = cel.ListType(cel.StringType)
	textsMap = cel.MapType(cel.StringType, cel.StringType)
)

var structs = map[string]map[string]*types.Type{
	kindType: {"group": cel.StringType, "version": cel.StringType, "kind": cel.StringType},
	resourceType: {
		"group": cel.StringType, "version": cel.StringType, "resource": cel.StringType,
	},
	userType: {
		"username": cel.StringType, "uid": cel.StringType, "groups": texts,
		"extra": cel.MapType(cel.StringType, texts),
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
	namespaceType: {
		"metadata": cel.ObjectType(metadataType), "spec": cel.ObjectType(specType),
		"status": cel.ObjectType(statusType),
	},
	metadataType: {
		"name": cel.StringType, "generateName": cel.StringType, "namespace": cel.StringType,
		"labels": textsMap, "annotations": textsMap, "UID": cel.StringType,
		"creationTimestamp": cel.TimestampType, "deletionTimestamp": cel.TimestampType,
		"deletionGracePeriodSeconds": cel.IntType, "generation": cel.IntType,
		"resourceVersion": cel.StringType, "finalizers": texts,
	},
	specType: {"finalizers": texts},
	statusType: {
		"conditions": cel.ListType(cel.ObjectType(conditionType)), "phase": cel.StringType,
	},
	conditionType: {
		"status": cel.StringType, "type": cel.StringType, "message": cel.StringType,
		"reason": cel.StringType, "lastTransitionTime": cel.TimestampType,
	},
}

// provider adds the types of the variables to those of an environment.
type provider struct {
	types.Provider
	variables map[string]*types.Type // the fields of variables
}

func (p provider) fields(of string) map[string]*types.Type {
	if of == variablesType {
		return p.variables
	}
	return structs[of]
}

// FindStructType implements types.Provider.
func (p provider) FindStructType(name string) (*types.Type, bool) {
	if p.fields(name) != nil {
		return types.NewTypeTypeWithParam(cel.ObjectType(name)), true
	}
	return p.Provider.FindStructType(name)
}

// FindStructFieldType implements types.Provider.
func (p provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	if fields := p.fields(name); fields != nil {
		of, ok := fields[field]
		return &types.FieldType{Type: of}, ok
	}
	return p.Provider.FindStructFieldType(name, field)
}

// declarable returns the type that a variable has for other expressions: that
// of its expression if it is simple, a list or a map, otherwise dyn
// (convertCelTypeToDeclType of k8s.io/apiserver/pkg/admission/plugin/cel).
func declarable(of *types.Type) *types.Type {
	switch of {
	case cel.AnyType, cel.BoolType, cel.BytesType, cel.DoubleType, cel.DurationType, cel.IntType,
		cel.NullType, cel.StringType, cel.TimestampType, cel.UintType:
		return of
	}
	switch of.Kind() {
	case types.ListKind:
		return cel.ListType(declarable(of.Parameters()[0]))
	case types.MapKind:
		return cel.MapType(declarable(of.Parameters()[0]), declarable(of.Parameters()[1]))
	}
	return cel.DynType
}
