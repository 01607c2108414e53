package kube

import (
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	apivalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiserver/pkg/cel/common"
)

// ratchetedValues returns the options by which the values of an update ratchet.
func ratchetedValues(object, old any, s *schemaModel) []apivalidation.ValidationOption {
	option := apivalidation.WithRatcheting(correlated(object, old, s))
	return []apivalidation.ValidationOption{option}
}

// ratchetedRules returns the options by which the rules of an update ratchet.
func ratchetedRules(object, old any, s *schemaModel) []cel.Option {
	return []cel.Option{cel.WithRatcheting(correlated(object, old, s))}
}

func correlated(object, old any, s *schemaModel) *common.CorrelatedObject {
	return common.NewCorrelatedObject(object, old, &model.Structural{Structural: s.structural})
}
