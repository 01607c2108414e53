package validation_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apischema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	apivalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// benchObject is an object of the corpus with its schema and an invalid copy.
type benchObject struct {
	subject         *subject
	object, invalid map[string]any
}

func benchObjects(b *testing.B, filter func(realObject) bool) []benchObject {
	real := loadReal(b)
	subjects := map[string]*subject{}
	var out []benchObject
	for _, o := range real.objects {
		if !filter(o) {
			continue
		}
		s := subjects[o.schema]
		if s == nil {
			var err error
			if s, err = newSubject(real.schemas[o.schema]); err != nil {
				b.Fatal(err)
			}
			subjects[o.schema] = s
		}
		object := s.admitted(o.object)
		if len(s.ours.Validate(b.Context(), object)) > 0 {
			continue
		}
		invalid := spoiled(object).(map[string]any)
		invalid["spec"] = spoiledField(invalid["spec"])
		out = append(out, benchObject{s, object, invalid})
	}
	if len(out) == 0 {
		b.Fatal("no objects")
	}
	return out
}

// spoiled sets a value of a wrong type in every tenth item of every list.
func spoiled(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, field := range v {
			out[name] = spoiled(field)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			if out[i] = spoiled(item); i%10 == 0 {
				out[i] = 1.5
			}
		}
		return out
	default:
		return value
	}
}

// spoiledField makes sure that there is one error.
func spoiledField(spec any) any {
	if fields, ok := spec.(map[string]any); ok && len(fields) > 0 {
		return fields
	}
	return "no object"
}

var everything = func(realObject) bool { return true }

func ofProject(name string) func(realObject) bool {
	return func(o realObject) bool { return strings.Contains(o.path, name) }
}

// sets are the workloads: the whole corpus, wide schemas with small objects,
// and schemas with patterns and list-maps.
var sets = []struct {
	name   string
	filter func(realObject) bool
}{
	{"corpus", everything},
	{"prometheus", ofProject("prometheus-operator/objects/prometheus-")},
	{"gateway-api", ofProject("gateway-api/")},
	{"argo-workflows", ofProject("argo-workflows/")},
}

// sink keeps results alive.
var sink field.ErrorList

func measure(b *testing.B, operation string, run func(o *benchObject) field.ErrorList) {
	for _, set := range sets {
		objects := benchObjects(b, set.filter)
		b.Run(operation+"/"+set.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for i := range objects {
					sink = run(&objects[i])
				}
			}
		})
	}
}

func BenchmarkDeepCopy(b *testing.B) {
	measure(b, "copy",
		func(o *benchObject) field.ErrorList { k8sruntime.DeepCopyJSON(o.object); return nil })
}

func BenchmarkValid(b *testing.B) {
	measure(b, "ours",
		func(o *benchObject) field.ErrorList {
			return o.subject.ours.Values(context.Background(), nil, o.object)
		})
	measure(b, "real", func(o *benchObject) field.ErrorList {
		return apivalidation.ValidateCustomResource(nil, o.object, o.subject.values)
	})
}

func BenchmarkInvalid(b *testing.B) {
	measure(b, "ours",
		func(o *benchObject) field.ErrorList {
			return o.subject.ours.Values(context.Background(), nil, o.invalid)
		})
	measure(b, "real", func(o *benchObject) field.ErrorList {
		return apivalidation.ValidateCustomResource(nil, o.invalid, o.subject.values)
	})
}

func BenchmarkUnchangedUpdate(b *testing.B) {
	measure(
		b,
		"ours",
		func(o *benchObject) field.ErrorList {
			return checks[1].ours(o.subject, o.object, o.object)
		},
	)
	measure(
		b,
		"real",
		func(o *benchObject) field.ErrorList {
			return checks[1].real(o.subject, o.object, o.object)
		},
	)
}

func BenchmarkInvalidUnchangedUpdate(b *testing.B) {
	measure(
		b,
		"ours",
		func(o *benchObject) field.ErrorList {
			return checks[1].ours(o.subject, o.invalid, o.invalid)
		},
	)
	measure(
		b,
		"real",
		func(o *benchObject) field.ErrorList {
			return checks[1].real(o.subject, o.invalid, o.invalid)
		},
	)
}

func BenchmarkListTypes(b *testing.B) {
	measure(b, "ours",
		func(o *benchObject) field.ErrorList { return checks[5].ours(o.subject, o.object, nil) })
	measure(b, "real",
		func(o *benchObject) field.ErrorList { return checks[5].real(o.subject, o.object, nil) })
}

func BenchmarkEmbedded(b *testing.B) {
	measure(b, "ours",
		func(o *benchObject) field.ErrorList { return checks[3].ours(o.subject, o.object, nil) })
	measure(b, "real",
		func(o *benchObject) field.ErrorList { return checks[3].real(o.subject, o.object, nil) })
}

func BenchmarkValidateAll(b *testing.B) {
	measure(b, "ours",
		func(o *benchObject) field.ErrorList {
			return o.subject.ours.Validate(context.Background(), o.object)
		})
	measure(b, "real", func(o *benchObject) field.ErrorList {
		checks[0].real(o.subject, o.object, nil)
		checks[3].real(o.subject, o.object, nil)
		return checks[5].real(o.subject, o.object, nil)
	})
}

// compileKinds are the ways to prepare validation in both implementations: from
// the decoded schema, and from its text. Ours keeps the model that decoding
// makes; the real one builds its model here.
var compileKinds = []struct {
	name    string
	prepare func(text []byte) (func() any, error)
}{
	{"decoded/ours", func(text []byte) (func() any, error) {
		schema, err := structural.Parse(text)
		return func() any { return validation.Compile(schema) }, err
	}},
	{"decoded/real", func(text []byte) (func() any, error) {
		props, err := propsOf(text)
		return func() any { return prepareReal(props) }, err
	}},
	{"text/ours", func(text []byte) (func() any, error) {
		return func() any {
			schema, err := structural.Parse(text)
			return []any{validation.Compile(schema), err}
		}, nil
	}},
	{"text/real", func(text []byte) (func() any, error) {
		return func() any {
			props, err := propsOf(text)
			return []any{prepareReal(props), err}
		}, nil
	}},
}

func prepareReal(props *apiextensions.JSONSchemaProps) any {
	values, _, err := apivalidation.NewSchemaValidator(props)
	model, modelErr := apischema.NewStructural(props)
	return []any{values, model, err, modelErr}
}

func BenchmarkCompile(b *testing.B) {
	real := loadReal(b)
	for _, k := range compileKinds {
		var all []func() any
		for _, key := range sortedNames(real.schemas) {
			compile, err := k.prepare(real.schemas[key])
			if err != nil {
				b.Fatal(err)
			}
			all = append(all, compile)
		}
		b.Run(k.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, compile := range all {
					kept = compile()
				}
			}
		})
	}
}

var kept any

// BenchmarkRetained reports the memory that the prepared schemas of the corpus
// keep.
func BenchmarkRetained(b *testing.B) {
	real := loadReal(b)
	for _, k := range compileKinds {
		b.Run(k.name, func(b *testing.B) {
			var all []func() any
			for _, key := range sortedNames(real.schemas) {
				compile, err := k.prepare(real.schemas[key])
				if err != nil {
					b.Fatal(err)
				}
				all = append(all, compile)
			}
			var retained []any
			for b.Loop() {
				retained = nil
				before := heap()
				for _, compile := range all {
					retained = append(retained, compile())
				}
				b.ReportMetric(float64(heap()-before), "heap-bytes")
			}
			runtime.KeepAlive(retained)
			runtime.KeepAlive(all)
		})
	}
}

func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
