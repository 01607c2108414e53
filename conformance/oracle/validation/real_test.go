// Package validation_test compares package validation with the real code, on
// generated and mutated cases, and benchmarks both.
package validation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apischema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	apivalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/common"

	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// subject is one schema in both implementations.
type subject struct {
	ours         *validation.Validator
	oursDefaults *validation.Validator

	structural *apischema.Structural
	values     apivalidation.SchemaValidator
	status     apivalidation.SchemaValidator
	defaults   apivalidation.SchemaValidator
}

func propsOf(text []byte) (*apiextensions.JSONSchemaProps, error) {
	external := &v1.JSONSchemaProps{}
	if err := utiljson.Unmarshal(text, external); err != nil {
		return nil, err
	}
	props := &apiextensions.JSONSchemaProps{}
	return props, v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(external, props,
		nil)
}

func newSubject(text []byte) (*subject, error) {
	schema, err := structural.Parse(text)
	if err != nil {
		return nil, err
	}
	props, err := propsOf(text)
	if err != nil {
		return nil, err
	}
	s := &subject{
		ours:         validation.Compile(schema),
		oursDefaults: validation.Compile(schema, validation.OfDefaults()),
	}
	if s.structural, err = apischema.NewStructural(props); err != nil {
		return nil, err
	}
	if s.values, _, err = apivalidation.NewSchemaValidator(props); err != nil {
		return nil, err
	}
	if status, ok := props.Properties["status"]; ok {
		if s.status, _, err = apivalidation.NewSchemaValidator(&status); err != nil {
			return nil, err
		}
	}
	s.defaults = apivalidation.NewSchemaValidatorFromOpenAPI(s.structural.ToKubeOpenAPI())
	return s, nil
}

// check is one operation in both implementations. Its results are compared as
// multisets, because the real order is random.
type check struct {
	name       string
	real, ours func(s *subject, object, old map[string]any) field.ErrorList
}

var defaultPath = field.NewPath("openAPIV3Schema", "default")

var checks = []check{
	{"values", func(s *subject, o, _ map[string]any) field.ErrorList {
		return apivalidation.ValidateCustomResource(nil, o, s.values)
	}, func(s *subject, o, _ map[string]any) field.ErrorList {
		return s.ours.Values(context.Background(), nil, o)
	}},
	{"update", func(s *subject, o, old map[string]any) field.ErrorList {
		return apivalidation.ValidateCustomResourceUpdate(nil, o, old, s.values, ratcheting(s.correlated(o, old)))
	}, func(s *subject, o, old map[string]any) field.ErrorList {
		errs, _ := s.ours.ValuesUpdate(context.Background(), o, old)
		return errs
	}},
	{"status", realStatus, func(s *subject, o, old map[string]any) field.ErrorList {
		errs, _ := s.ours.StatusValuesUpdate(context.Background(), o, old)
		return errs
	}},
	{"embedded", func(s *subject, o, _ map[string]any) field.ErrorList {
		return objectmeta.Validate(context.Background(), nil, o, s.structural, false)
	}, func(s *subject, o, _ map[string]any) field.ErrorList {
		return s.ours.EmbeddedResources(context.Background(), nil, o)
	}},
	{"embedded root", func(s *subject, o, _ map[string]any) field.ErrorList {
		return objectmeta.Validate(context.Background(), defaultPath, o, s.structural, true)
	}, func(s *subject, o, _ map[string]any) field.ErrorList {
		return s.ours.RootAndEmbeddedResources(context.Background(), defaultPath, o)
	}},
	{"lists", func(s *subject, o, _ map[string]any) field.ErrorList {
		return listtype.ValidateListSetsAndMaps(nil, s.structural, o)
	}, func(s *subject, o, _ map[string]any) field.ErrorList {
		return s.ours.ListTypes(context.Background(), o)
	}},
	{"lists update", func(s *subject, o, old map[string]any) field.ErrorList {
		if len(listtype.ValidateListSetsAndMaps(nil, s.structural, old)) > 0 {
			return nil
		}
		return listtype.ValidateListSetsAndMaps(nil, s.structural, o)
	}, func(s *subject, o, old map[string]any) field.ErrorList {
		errs, _ := s.ours.ListTypesUpdate(context.Background(), o, old)
		return errs
	}},
	{"defaults", func(s *subject, o, _ map[string]any) field.ErrorList {
		return apivalidation.ValidateCustomResource(defaultPath, o, s.defaults)
	}, func(s *subject, o, _ map[string]any) field.ErrorList {
		return s.oursDefaults.Values(context.Background(), defaultPath, o)
	}},
}

func (s *subject) correlated(o, old map[string]any) *common.CorrelatedObject {
	return common.NewCorrelatedObject(o, old, &model.Structural{Structural: s.structural})
}

func ratcheting(c *common.CorrelatedObject) apivalidation.ValidationOption {
	return apivalidation.WithRatcheting(c)
}

func realStatus(s *subject, o, old map[string]any) field.ErrorList {
	status, ok := o["status"]
	if !ok || s.status == nil {
		return nil
	}
	correlated := ratcheting(s.correlated(o, old).Key("status"))
	return apivalidation.ValidateCustomResourceUpdate(field.NewPath("status"), status,
		old["status"], s.status, correlated)
}

func texts(errs field.ErrorList) []string {
	out := make([]string, len(errs))
	for i, err := range errs {
		out[i] = fmt.Sprintf("%s|%s|%s|%s", err.Type, err.Field, err.Detail, err.Error())
	}
	slices.Sort(out)
	return out
}

// retries is how often the real code may give another outcome. If two errors
// have the same text, its random order decides which one stays.
const retries = 30

// difference returns the check that differs, or nil.
func (s *subject) difference(object, old map[string]any) (c *check, realErrs, ours []string) {
	for i := range checks {
		c := &checks[i]
		ours := texts(c.ours(s, object, old))
		realErrs := texts(c.real(s, object, old))
		for range retries {
			if slices.Equal(realErrs, ours) {
				break
			}
			realErrs = texts(c.real(s, object, old))
		}
		if !slices.Equal(realErrs, ours) {
			return c, realErrs, ours
		}
	}
	return nil, nil, nil
}

func encode(t testing.TB, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
