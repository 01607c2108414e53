package crdtest_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/kit/crdtest"
)

// disks has three versions: v1 is stored, v1beta1 names a field otherwise and
// has no note, v2 has a bound.
const disks = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: disks.ex.io}
spec:
  group: ex.io
  scope: Namespaced
  names: {plural: disks, singular: disk, kind: Disk, listKind: DiskList}
  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://example.com"}}}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
      size: {type: integer}, note: {type: string}, labels: {type: object, additionalProperties: {type: string}}}}}}}
  - name: v1beta1
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {gigabytes: {type: integer}}}}}}
  - name: v2
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
      size: {type: integer, maximum: 9}, note: {type: string}, labels: {type: object, additionalProperties: {type: string}}}}}}}
`

type (
	diskV1 struct {
		APIVersion string         `json:"apiVersion"`
		Kind       string         `json:"kind"`
		Metadata   map[string]any `json:"metadata"`
		Spec       diskSpec       `json:"spec"`
	}
	diskSpec struct {
		Size   int               `json:"size,omitempty"`
		Note   string            `json:"note,omitempty"`
		Labels map[string]string `json:"labels,omitempty"`
	}
	diskV1beta1 struct {
		APIVersion string         `json:"apiVersion"`
		Kind       string         `json:"kind"`
		Metadata   map[string]any `json:"metadata"`
		Spec       struct {
			Gigabytes int `json:"gigabytes,omitempty"`
		} `json:"spec"`
	}
)

// diskFunctions convert between Go types, and fail for a size of 7.
func diskFunctions(t *testing.T) *conversion.Functions {
	t.Helper()
	same := func(_ context.Context, object map[string]any) (map[string]any, error) {
		return object,
			nil
	}
	functions, err := conversion.HubAndSpoke("ex.io/v1",
		conversion.Spoke{
			APIVersion: "ex.io/v1beta1",
			ToHub: conversion.Typed(func(from *diskV1beta1, to *diskV1) error {
				to.Kind, to.Metadata, to.Spec.Size = from.Kind, from.Metadata, from.Spec.Gigabytes
				return nil
			}),
			FromHub: conversion.Typed(func(from *diskV1, to *diskV1beta1) error {
				to.Kind, to.Metadata, to.Spec.Gigabytes = from.Kind, from.Metadata, from.Spec.Size
				if from.Spec.Size == 7 {
					return errors.New("seven has no place")
				}
				return nil
			}),
		},
		conversion.Spoke{APIVersion: "ex.io/v2", ToHub: same, FromHub: same})
	if err != nil {
		t.Fatal(err)
	}
	return functions
}

func disk(spec string) string {
	return "{apiVersion: ex.io/v1, kind: Disk, metadata: {name: a}, spec: {" + spec + "}}"
}

// An object is taken to each version and back: what is lost, what a version
// would refuse, and a conversion that fails are failures.
func TestConvertCases(t *testing.T) {
	for _, c := range []struct {
		name, spec, want string
		failure          []string
	}{
		{"nothing lost", "size: 3", "", nil},
		{"the other version as stated", "size: 3", "versions: {v1beta1: {apiVersion: ex.io/v1beta1, kind: Disk, spec: {gigabytes: 3}}}", nil},
		{"the other version otherwise", "size: 3", "versions: {v1beta1: {apiVersion: ex.io/v1beta1, kind: Disk, spec: {gigabytes: 4}}}",
			[]string{"v1beta1 (-want +got)", "gigabytes"}},
		{"a field is lost", "size: 3, note: spare", "", []string{"through v1beta1: spec.note: lost, was spare"}},
		{"a field may be lost", "size: 3, note: spare, labels: {a: b}", "mayLose: [spec.note, spec.labels]", nil},
		{"any field may be lost", "size: 3, note: spare, labels: {a: b}", `mayLose: ["spec.*"]`, nil},
		{"another field may be lost", "size: 3, note: spare", "mayLose: [spec.not]", []string{"spec.note: lost"}},
		{"a version refuses it", "size: 12", "", []string{
			"v2 would refuse the object: Disk.ex.io \"a\" is invalid: spec.size: Invalid value: 12"}},
		{"a version is to refuse it", "size: 12", `error: "spec.size: Invalid value: 12"`, nil},
		{"a conversion fails", "size: 7", "", []string{"converting v1 to v1beta1: ", "seven has no place"}},
		{"a version that is not served", "size: 1", "versions: {v9: {}}", []string{`does not serve version "v9"`}},
	} {
		text := "cases:\n- name: c\n  convert: " + disk(c.spec) + "\n"
		if c.want != "" {
			text += "  want: {" + c.want + "}\n"
		}
		got := failureOf(t, text, diskFunctions(t))
		for _, part := range c.failure {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %q is missing in\n%s", c.name, part, got)
			}
		}
		if c.failure == nil && got != "" {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// failureOf runs one case of a suite with a webhook, and returns its failure.
func failureOf(t *testing.T, text string, hook conversion.Webhook) string {
	t.Helper()
	crds, err := crdtest.ParseCRDs("disks.yaml", []byte(disks))
	if err != nil {
		t.Fatal(err)
	}
	suites, err := crdtest.ParseSuites("c.crdtest.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	suites[0].Webhook = hook
	results, err := crdtest.Execute(t.Context(), crds, suites)
	if err != nil || len(results) != 1 {
		t.Fatal(results, err)
	}
	if results[0].Err == nil {
		return ""
	}
	return results[0].Err.Error()
}

// Without a webhook, a case that needs it is not judged, which is no success.
// Webhooks that lie are refused with the server's texts.
func TestWebhooksOfCases(t *testing.T) {
	answer := func(text string) conversion.Webhook {
		return conversion.WebhookFunc(func(context.Context, []byte) ([]byte,
			error) {
			return []byte(text), nil
		})
	}
	const stored = "cases:\n- name: c\n  stored: " +
		"{apiVersion: ex.io/v1, kind: Disk, metadata: {name: a}, spec: {size: 1}}\n" +
		"  read: v1beta1\n"
	for _, c := range []struct {
		name, text string
		hook       conversion.Webhook
		want       string
	}{
		{"none", stored, nil, "not judged: a conversion webhook decides; --webhook URL asks it"},
		{"none, to convert", "cases:\n- name: c\n  convert: " + disk("size: 1") + "\n", nil, "not judged: a conversion webhook decides; --webhook URL asks it"},
		{"no JSON", stored, answer("no"), "conversion webhook for ex.io/v1, Kind=Disk failed"},
		{"another uid", stored, answer(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":{"uid":"other","result":{"status":"Success"},"convertedObjects":[]}}`),
			"conversion webhook for ex.io/v1, Kind=Disk failed"},
		{"it fails", stored, conversion.WebhookFunc(func(context.Context, []byte) ([]byte, error) {
			return nil, context.DeadlineExceeded
		}), "context deadline exceeded"},
		{"it works", stored, diskFunctions(t), ""},
	} {
		if got := failureOf(t, c.text, c.hook); !strings.Contains(got, c.want) || c.want == "" &&
			got != "" {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// Managers count in cases with an apply; patches are objects or lists.
func TestApplyCases(t *testing.T) {
	const start = "cases:\n- name: c\n  steps:\n"
	create := "  - create: " + disk("size: 1, note: spare") + "\n    manager: them\n"
	for _, c := range []struct{ name, steps, want string }{
		{"a conflict", create + "  - apply: " + disk("size: 2") + "\n    manager: me\n    want: {error: 'conflict with \"them\" using ex.io/v1: .spec.size'}\n", ""},
		{"a conflict that is not stated", create + "  - apply: " + disk("size: 2") + "\n", `conflict with "them" using ex.io/v1: .spec.size`},
		{"force", create + "  - apply: " + disk("size: 2") + "\n    force: true\n    want: {object: " + disk("size: 2, note: spare") + "}\n", ""},
		{"the same value is shared", create + "  - apply: " + disk("size: 1") + "\n    want: {object: " + disk("size: 1, note: spare") + "}\n", ""},
		{"what is left out goes", "  - apply: " + disk("size: 1, note: spare") + "\n  - apply: " + disk("size: 1") +
			"\n    want: {object: " + disk("size: 1") + "}\n", ""},
		{"a merge patch", create + "  - patch: {spec: {note: null}}\n    want: {object: " + disk("size: 1") + "}\n", ""},
		{"a JSON patch", create + "  - patch: [{op: replace, path: /spec/size, value: 5}]\n    want: {object: " + disk("size: 5, note: spare") + "}\n", ""},
		{"a patch of a patched field", create + "  - patch: {spec: {size: 5}}\n    manager: third\n  - apply: " + disk("size: 2") +
			"\n    want: {error: 'conflict with \"third\"'}\n", ""},
		{"a patch of nothing", "  - patch: {spec: {size: 5}}\n", "nothing is stored"},
		{"a patch that fails", create + "  - patch: [{op: test, path: /spec/size, value: 5}]\n", "the server rejected our request"},
	} {
		got := failureOf(t, start+c.steps, diskFunctions(t))
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// What cannot be read of the new fields is named with its place.
func TestApplyFields(t *testing.T) {
	for text, want := range map[string]string{
		"apply: []":                          "c.crdtest.yaml:3:10: cases[0].apply: want an object, found array",
		"apply: {}\n  force: 1":              "c.crdtest.yaml:4:10: cases[0].force: want a boolean, found integer",
		"create: {}\n  force: true":          "c.crdtest.yaml:4:3: cases[0].force: unknown field",
		"patch: 3":                           "c.crdtest.yaml:3:10: cases[0].patch: want an object, found integer",
		"convert: {}\n  manager: m":          "c.crdtest.yaml:4:3: cases[0].manager: unknown field",
		"convert: {}\n  want: {versions: 3}": "c.crdtest.yaml:4:20: cases[0].want.versions: want an object, found integer",
	} {
		_, err := crdtest.ParseSuites("c.crdtest.yaml", []byte("cases:\n- name: c\n  "+text+"\n"))
		if err == nil {
			t.Errorf("%s: no error", text)
		} else if diff := cmp.Diff(want, err.Error()); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
