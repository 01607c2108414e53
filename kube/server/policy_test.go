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

// A policy that refuses everything can be fixed, and no other object written.
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

// A policy merges a configuration by the types of the kind, and applies JSON
// patches.
func TestMutatingPolicies(t *testing.T) {
	const (
		sidecar = "Object{spec: Object.spec{template: Object.spec.template{spec: " +
			"Object.spec.template.spec{containers: [Object.spec.template.spec.containers{" +
			"name: 'b', image: 'b'}]}}}}"
		labels = "[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'a': 'b'}}]"
	)
	ctx := t.Context()
	c, err := client.New(started(t, folder(t)).Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ kind, expression, want string }{
		{"ApplyConfiguration", "Object{spec: Object.spec{size: object.spec.size + 1}}", "map[size:4]"},
		{"ApplyConfiguration", "Object{spec: Object.other{size: 1}}", "policy 'mutatingadmissionpolicy' " +
			"with binding 'mutatingadmissionpolicybinding' denied request: type mismatch: unexpected " +
			`type name "Object.other", expected "Object.spec"`},
		{"ApplyConfiguration", "Object{spec: Object.spec{size: 90}}", "spec.size: Invalid value"},
		{"ApplyConfiguration", "object", `must evaluate to Object but got dyn`},
		{"JSONPatch", "[JSONPatch{op: 'replace', path: '/spec/size', value: 2}]", "map[size:2]"},
		{"JSONPatch", "[JSONPatch{op: 'test', path: '/spec/size', value: 2}, " +
			"JSONPatch{op: 'remove', path: '/spec'}]", "map[size:3]"},
		{"ApplyConfiguration", sidecar, "[a b]"},
		{"JSONPatch", labels, "[a]map[a:b]"},
	} {
		field := strings.ToLower(test.kind[:1]) + test.kind[1:]
		if test.kind == "JSONPatch" {
			field = "jsonPatch"
		}
		policy, binding := policyObjects("MutatingAdmissionPolicy", fmt.Sprintf(
			`{"reinvocationPolicy":"Never","mutations":[{"patchType":%q,%q:{"expression":%q}}]}`,
			test.kind, field, test.expression), `{}`)
		object := tab("a", 3)
		if strings.HasPrefix(test.want, "[") {
			object = deploymentOf("a")
		}
		var err error
		for _, next := range []*unstructured.Unstructured{policy, binding, object} {
			if err == nil {
				err = c.Create(ctx, next)
			}
		}
		got := fmt.Sprint(object.Object["spec"])
		switch {
		case err != nil:
			got = err.Error()
		case object.GetKind() == "Deployment":
			got = fmt.Sprint(containersOf(object))
			if annotations := object.GetAnnotations(); annotations != nil {
				got += fmt.Sprint(annotations)
			}
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, want %s", test.expression, got, test.want)
		}
		for _, next := range []*unstructured.Unstructured{binding, policy, object} {
			if err := c.Delete(ctx, next); client.IgnoreNotFound(err) != nil {
				t.Error(err)
			}
		}
	}
}

func deploymentOf(container string) *unstructured.Unstructured {
	labels := map[string]any{"app": "a"}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{"name": "a", "namespace": "default"},
		"spec": map[string]any{
			"selector": map[string]any{"matchLabels": labels},
			"template": map[string]any{
				"metadata": map[string]any{"labels": labels},
				"spec": map[string]any{"containers": []any{
					map[string]any{"name": container, "image": "a"},
				}},
			},
		},
	}}
}

// containersOf returns the names of the containers of a Deployment.
func containersOf(deployment *unstructured.Unstructured) (names []any) {
	containers, _, _ := unstructured.NestedSlice(deployment.Object,
		"spec", "template", "spec", "containers")
	for _, container := range containers {
		names = append(names, container.(map[string]any)["name"])
	}
	return names
}
