package server_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// policyObjects returns a policy for tabs and its binding, with specs in JSON.
func policyObjects(kind, policy, binding string) (p, b *unstructured.Unstructured) {
	of := func(kind, spec, base string) *unstructured.Unstructured {
		fields := map[string]any{}
		for _, text := range []string{base, spec} {
			if err := json.Unmarshal([]byte(text), &fields); err != nil {
				panic(err)
			}
		}
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind,
			"metadata": map[string]any{"name": strings.ToLower(kind)}, "spec": fields,
		}}
	}
	const rules = `{"matchConstraints":{"resourceRules":[{"operations":["*"],"apiGroups":["*"],` +
		`"apiVersions":["*"],"resources":["*"]}]}}`
	return of(kind, policy, rules),
		of(kind+"Binding", binding, `{"policyName":"`+strings.ToLower(kind)+`"}`)
}

// Policies decide on writes of custom resources and of built-in kinds. The
// texts are those of the server, which conformance/oracle/live compares.
func TestValidatingPolicies(t *testing.T) {
	const (
		denies = `{"validationActions":["Deny"]}`
		denied = `forbidden: ValidatingAdmissionPolicy 'validatingadmissionpolicy' with binding ` +
			`'validatingadmissionpolicybinding' denied request: `
	)
	ctx := t.Context()
	c, err := client.New(started(t, folder(t)).Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	limit := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "data": map[string]any{"max": "2"},
		"metadata": map[string]any{"name": "limit", "namespace": "default"},
	}}
	if err := c.Create(ctx, limit); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, policy, binding, want string }{
		{"allowed", `{"validations":[{"expression":"object.spec.size < 5"}]}`, denies, "<nil>"},
		{"denied", `{"validations":[{"expression":"object.spec.size < 3","message":"big"}]}`,
			denies, `tabs.example.com "a" is ` + denied + "big 422 Invalid"},
		{"audited", `{"validations":[{"expression":"false"}]}`, `{"validationActions":["Audit"]}`,
			"<nil>"},
		{"reason", `{"validations":[{"expression":"false","reason":"Forbidden"}]}`, denies,
			denied + "failed expression: false 403 Forbidden"},
		{"error", `{"validations":[{"expression":"object.none"}]}`, denies, "Invalid value: " +
			`"object.none": must evaluate to bool but got dyn 422 Invalid`},
		{"ignored", `{"failurePolicy":"Ignore","validations":[{"expression":"object.none == 1"}]}`,
			denies, "<nil>"},
		{"parameter", `{"paramKind":{"apiVersion":"v1","kind":"ConfigMap"},"validations":[` +
			`{"expression":"object.spec.size < int(params.data.max)"}]}`, `{"validationActions":` +
			`["Deny"],"paramRef":{"name":"limit","parameterNotFoundAction":"Deny"}}`,
			denied + "failed expression: object.spec.size < int(params.data.max)"},
		{"no parameter", `{"paramKind":{"apiVersion":"v1","kind":"ConfigMap"},"validations":[` +
			`{"expression":"true"}]}`, `{"validationActions":["Deny"],"paramRef":{"selector":` +
			`{"matchLabels":{"a":"b"}},"parameterNotFoundAction":"Deny"}}`, denied + "failed to " +
			"configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"},
		{"variables in conditions", `{"variables":[{"name":"a","expression":"1"}],` +
			`"matchConditions":[{"name":"a","expression":"variables.a == 1"}],"validations":[` +
			`{"expression":"true"}]}`, denies, "spec.matchConditions[0].expression: Invalid value: " +
			`"variables.a == 1": compilation failed: ERROR: <input>:1:1: undeclared reference`},
		{"new function", `{"validations":[{"expression":"[1].includes(1)"}]}`, denies,
			"undeclared reference to 'includes'"},
		{"nothing", `{}`, denies, "spec.validations: Required value: validations or " +
			"auditAnnotations must contain at least one item"},
		{"no action", `{"validations":[{"expression":"true"}]}`, `{}`,
			"spec.validationActions: Required value: at least one validation action is required"},
		{"two answers", `{"validations":[{"expression":"true"}]}`,
			`{"validationActions":["Deny","Warn"]}`, "must not contain both Deny and Warn"},
	} {
		policy, binding := policyObjects("ValidatingAdmissionPolicy", test.policy, test.binding)
		object := tab("a", 3)
		var err error
		for _, next := range []*unstructured.Unstructured{policy, binding, object} {
			if err == nil {
				err = c.Create(ctx, next)
			}
		}
		got := fmt.Sprint(err)
		if status, ok := errors.AsType[*apierrors.StatusError](err); ok {
			got += fmt.Sprint(" ", status.ErrStatus.Code, " ", status.ErrStatus.Reason)
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		for _, next := range []*unstructured.Unstructured{binding, policy, object} {
			if err := c.Delete(ctx, next); client.IgnoreNotFound(err) != nil {
				t.Error(err)
			}
		}
	}
}

// A policy that refuses everything can be mended, and no other object written.
func TestPolicyOfEverything(t *testing.T) {
	ctx := t.Context()
	c, err := client.New(started(t, folder(t)).Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	policy, binding := policyObjects("ValidatingAdmissionPolicy",
		`{"validations":[{"expression":"false"}]}`, `{"validationActions":["Deny"]}`)
	for _, next := range []*unstructured.Unstructured{policy, binding} {
		if err := c.Create(ctx, next); err != nil {
			t.Fatal(err)
		}
	}
	namespace := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "a"},
	}}
	for _, next := range []*unstructured.Unstructured{tab("a", 1), namespace} {
		if err := c.Create(ctx, next); !apierrors.IsInvalid(err) {
			t.Errorf("%s: %v", next.GetKind(), err)
		}
	}
	validations := []any{map[string]any{"expression": "request.kind.kind != 'Tab'"}}
	policy.Object["spec"].(map[string]any)["validations"] = validations
	if err := c.Update(ctx, policy); err != nil {
		t.Fatal(err)
	}
	if err := c.Create(ctx, namespace); err != nil {
		t.Error(err)
	}
	if err := c.Delete(ctx, binding); err != nil {
		t.Error(err)
	}
	if err := c.Create(ctx, tab("a", 1)); err != nil {
		t.Error(err)
	}
}
