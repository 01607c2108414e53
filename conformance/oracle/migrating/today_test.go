package migrating

import (
	"slices"
	"strings"

	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	apischema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	apivalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilversion "k8s.io/apimachinery/pkg/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/util/webhook"
)

func structuralToday(in *input) outcome {
	props := in.broken.Spec.Validation.OpenAPIV3Schema
	path := field.NewPath("schema")
	s, err := apischema.NewStructural(props)
	if err != nil {
		in.t.Fatal(err)
	}
	return outcome{Errors: texts(apischema.ValidateStructural(path, s))}
}

func pruningToday(in *input) outcome {
	track := apischema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	paths := pruning.PruneWithOptions(in.object, in.real, true, track)
	return outcome{Object: in.object, Paths: paths}
}

func nullsToday(in *input) outcome {
	defaulting.PruneNonNullableNullsWithoutDefaults(in.object, in.real)
	return outcome{Object: in.object}
}

func defaultingToday(in *input) outcome {
	defaulting.Default(in.object, in.real)
	return outcome{Object: in.object}
}

func metadataToday(in *input) outcome {
	options := objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true}
	err, _ := objectmeta.CoerceWithOptions(nil, in.object, in.real, false, options)
	if err != nil {
		return outcome{Errors: []string{err.Error()}}
	}
	return outcome{Object: in.object}
}

func namesToday(in *input) outcome {
	return outcome{Errors: texts(objectmeta.Validate(in.ctx, nil, in.object, in.real, true))}
}

func listsToday(in *input) outcome {
	return outcome{Errors: texts(listtype.ValidateListSetsAndMaps(nil, in.real, in.object))}
}

func valuesToday(in *input) outcome {
	validator, _, err := apivalidation.NewSchemaValidator(in.props)
	if err != nil {
		in.t.Fatal(err)
	}
	errs := apivalidation.ValidateCustomResource(nil, in.object, validator)
	return outcome{Errors: texts(errs)}
}

func ratchetingToday(in *input) outcome {
	validator, _, err := apivalidation.NewSchemaValidator(in.props)
	if err != nil {
		in.t.Fatal(err)
	}
	same := common.NewCorrelatedObject(in.object, in.old, &model.Structural{Structural: in.real})
	errs := apivalidation.ValidateCustomResourceUpdate(nil, in.object, in.old, validator,
		apivalidation.WithRatcheting(same))
	return outcome{Errors: texts(errs)}
}

func rulesToday(in *input) outcome {
	validator := cel.NewValidator(in.real, true, celconfig.PerCallLimit)
	errs, _ := validator.Validate(in.ctx, nil, in.real, in.object, nil,
		celconfig.RuntimeCELCostBudget)
	return outcome{Errors: texts(errs)}
}

func definitionToday(in *input) outcome {
	errs := crdvalidation.ValidateCustomResourceDefinition(in.ctx, in.broken)
	return outcome{Errors: texts(errs)}
}

func conversionToday(in *input) outcome {
	factory, err := conversion.NewCRConverterFactory(nil, sameAuthentication)
	if err != nil {
		in.t.Fatal(err)
	}
	converter, _, err := factory.NewConverter(in.v1)
	if err != nil {
		in.t.Fatal(err)
	}
	target := schema.GroupVersion{Group: "example.com", Version: "v1beta1"}
	out, err := converter.ConvertToVersion(&unstructured.Unstructured{Object: in.object}, target)
	if err != nil {
		in.t.Fatal(err)
	}
	return outcome{Object: out.(*unstructured.Unstructured).Object}
}

func sameAuthentication(r webhook.AuthenticationInfoResolver) webhook.AuthenticationInfoResolver {
	return r
}

func priorityToday(*input) outcome {
	names := []string{"v1beta1", "v2", "v10", "v1", "v1alpha3", "other"}
	slices.SortFunc(names, func(a, b string) int {
		return utilversion.CompareKubeAwareVersionStrings(b, a)
	})
	return outcome{Paths: names}
}

// requestToday puts the pieces together in the order of the server's create.
func requestToday(in *input) outcome {
	paths := pruningToday(in).Paths
	if errs := metadataToday(in).Errors; len(errs) > 0 {
		return outcome{Errors: errs}
	}
	nullsToday(in)
	defaultingToday(in)
	errs := valuesToday(in).Errors
	errs = append(errs, namesToday(in).Errors...)
	errs = append(errs, listsToday(in).Errors...)
	if slices.ContainsFunc(errs, blocksRules) {
		errs = append(errs, notChecked.Error())
	} else {
		errs = append(errs, rulesToday(in).Errors...)
	}
	if len(errs) > 0 {
		return outcome{Errors: errs}
	}
	(&unstructured.Unstructured{Object: in.object}).SetGeneration(1)
	return outcome{Object: in.object, Paths: paths}
}

// notChecked is the error that the server adds if errors keep it from
// evaluating the rules.
var notChecked = field.Invalid(nil, nil, "some validation rules were not checked because the "+
	"object was invalid; correct the existing errors to complete validation")

// blocksRules reports whether an error keeps the server from evaluating rules,
// e.g. that of a missing field.
func blocksRules(text string) bool {
	return strings.Contains(text, "Required value") || strings.Contains(text, "must be of type")
}
