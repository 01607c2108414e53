// Command real is a small program that judges custom resources with the real
// code's packages, without the registry around them. Its size is measured.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	check(err)
	var crd v1.CustomResourceDefinition
	check(yaml.Unmarshal(text, &crd))
	text, err = os.ReadFile(os.Args[2])
	check(err)
	object := map[string]any{}
	check(yaml.Unmarshal(text, &object))
	for _, v := range crd.Spec.Versions {
		if v.Name == os.Args[3] {
			check(judge(v.Schema, object))
		}
	}
	fmt.Println(object)
}

func judge(external *v1.CustomResourceValidation, object map[string]any) error {
	var internal apiextensions.CustomResourceValidation
	convert := v1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation
	if err := convert(external, &internal, nil); err != nil {
		return err
	}
	model, err := schema.NewStructural(internal.OpenAPIV3Schema)
	if err != nil {
		return err
	}
	if err := defaulting.PruneDefaults(model); err != nil {
		return err
	}
	values, _, err := validation.NewSchemaValidator(internal.OpenAPIV3Schema)
	if err != nil {
		return err
	}
	ctx := context.Background()
	pruning.Prune(object, model, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, model)
	if err := objectmeta.Coerce(nil, object, model, false, false); err != nil {
		return errors.New(err.Error())
	}
	defaulting.Default(object, model)
	errs := validation.ValidateCustomResource(nil, object, values)
	errs = append(errs, objectmeta.Validate(ctx, nil, object, model, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, model, object)...)
	if rules := cel.NewValidator(model, true, celconfig.PerCallLimit); rules != nil {
		more, _ := rules.Validate(ctx, nil, model, object, nil, celconfig.RuntimeCELCostBudget)
		errs = append(errs, more...)
	}
	return errs.ToAggregate()
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
