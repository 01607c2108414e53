package migrating

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/objectmeta"
	"github.com/crdsem/crdsem/prune"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
	"github.com/crdsem/crdsem/versionsort"
)

func structuralHere(in *input) outcome {
	path := field.NewPath("schema")
	s, err := structural.FromMap(schemaOf(in.t, "testdata/broken-crd.yaml"))
	if err != nil {
		in.t.Fatal(err)
	}
	return outcome{Errors: texts(structural.Validate(s, path))}
}

func pruningHere(in *input) outcome {
	paths := structural.Paths(prune.Resource(in.object, in.schema))
	return outcome{Object: in.object, Paths: paths}
}

func nullsHere(in *input) outcome {
	defaulting.DropNulls(in.object, in.schema)
	return outcome{Object: in.object}
}

func defaultingHere(in *input) outcome {
	defaulting.Default(in.object, in.schema)
	return outcome{Object: in.object}
}

func metadataHere(in *input) outcome {
	_, err := objectmeta.Coerce(in.object, in.schema)
	if err != nil {
		return outcome{Errors: []string{err.Error()}}
	}
	return outcome{Object: in.object}
}

func namesHere(in *input) outcome {
	validator := validation.Compile(in.schema)
	return outcome{Errors: texts(validator.RootAndEmbeddedResources(in.ctx, nil, in.object))}
}

func listsHere(in *input) outcome {
	validator := validation.Compile(in.schema)
	return outcome{Errors: texts(validator.ListTypes(in.ctx, in.object))}
}

func valuesHere(in *input) outcome {
	validator := validation.Compile(in.schema)
	return outcome{Errors: texts(validator.Values(in.ctx, nil, in.object))}
}

func ratchetingHere(in *input) outcome {
	validator := validation.Compile(in.schema)
	errs, _ := validator.ValuesUpdate(in.ctx, in.object, in.old)
	return outcome{Errors: texts(errs)}
}

func rulesHere(in *input) outcome {
	rules := celrules.Compile(in.schema)
	return outcome{Errors: texts(rules.Validate(in.ctx, in.object, nil).Errors)}
}

func definitionHere(in *input) outcome {
	return outcome{Errors: texts(validate.Create(in.ctx, in.brokenCRD).Errors)}
}

func conversionHere(in *input) outcome {
	out, err := in.def.Convert(in.ctx, in.object, "example.com/v1beta1")
	if err != nil {
		in.t.Fatal(err)
	}
	return outcome{Object: out}
}

func priorityHere(*input) outcome {
	names := []string{"v1beta1", "v2", "v10", "v1", "v1alpha3", "other"}
	versionsort.Sort(names)
	return outcome{Paths: names}
}

func requestHere(in *input) outcome {
	result := in.version.Create(in.ctx, in.object, crdsem.FieldValidation(crdsem.Ignore))
	if !result.Admitted() {
		return outcome{Errors: texts(result.Errors)}
	}
	return outcome{Object: result.Object, Paths: result.Pruned}
}
