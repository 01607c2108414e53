package migrating

import (
	"context"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apischema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/structural"
)

// An input is what both sides of a row are given. The objects are copies.
type input struct {
	t           *testing.T
	ctx         context.Context
	object, old map[string]any

	v1     *v1.CustomResourceDefinition
	broken *apiextensions.CustomResourceDefinition
	props  *apiextensions.JSONSchemaProps
	real   *apischema.Structural

	def       *crdsem.Definition
	version   *crdsem.Version
	brokenCRD *definition.CRD
	schema    *structural.Schema
}

// An outcome is what both sides must agree on.
type outcome struct {
	Object any
	Paths  []string
	Errors []string
}

// A row of the page: the same question to both.
type row struct {
	today, here func(*input) outcome
}

// rows are the rows of docs/migrating.md by what stands in their first cell.
var rows = map[string]row{
	"structural schema": {structuralToday, structuralHere},
	"pruning":           {pruningToday, pruningHere},
	"nulls":             {nullsToday, nullsHere},
	"defaulting":        {defaultingToday, defaultingHere},
	"embedded metadata": {metadataToday, metadataHere},
	"embedded names":    {namesToday, namesHere},
	"list types":        {listsToday, listsHere},
	"values":            {valuesToday, valuesHere},
	"ratcheting":        {ratchetingToday, ratchetingHere},
	"rules in CEL":      {rulesToday, rulesHere},
	"definition":        {definitionToday, definitionHere},
	"conversion":        {conversionToday, conversionHere},
	"version priority":  {priorityToday, priorityHere},
	"whole request":     {requestToday, requestHere},
}

func texts(errs field.ErrorList) []string {
	out := []string{}
	for _, err := range errs {
		out = append(out, err.Error())
	}
	return out
}
