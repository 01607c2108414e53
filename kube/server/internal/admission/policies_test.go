package admission_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/kube/server/internal/admission"
	"github.com/crdsem/crdsem/minors"
)

// parsed returns an object that is written as YAML.
func parsed(t *testing.T, text string) fields {
	t.Helper()
	out := fields{}
	data, err := yaml.YAMLToJSON([]byte(text))
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

// policyFixture is a plugin with policies and the objects that they see.
type policyFixture struct {
	*admission.Policies

	objects  *stored
	write    *admission.Write
	warnings []string
}

// policies returns a plugin with a policy p and its binding b, whose specs
// override those of one that is about every write.
func policies(t *testing.T, verb, policy, binding string) *policyFixture {
	t.Helper()
	f := &policyFixture{objects: &stored{
		configurations: map[string][]fields{},
		namespaces: map[string]fields{"default": {
			"metadata": fields{
				"name": "default", "labels": fields{"a": "b"}, "selfLink": "/",
				"managedFields": []any{}, "ownerReferences": []any{},
			},
			"spec": fields{"finalizers": []any{"kubernetes"}}, "other": true,
		}},
	}}
	f.add(t, verb+"admissionpolicies", "p", `{failurePolicy: Fail, matchConstraints: {`+
		`namespaceSelector: {}, objectSelector: {}}}`, policy)
	f.add(t, verb+"admissionpolicybindings", "b", `{policyName: p, validationActions: [Deny]}`,
		binding)
	f.Policies = admission.NewPolicies(f.objects, minors.Newest())
	f.write = (&fixture{}).write()
	f.write.Warn = func(text string) { f.warnings = append(f.warnings, text) }
	f.write.Options = fields{"kind": "CreateOptions"}
	return f
}

// add adds an object whose spec is that of the first text with the fields of
// the second.
func (f *policyFixture) add(t *testing.T, resource, name, spec, more string) {
	t.Helper()
	of := parsed(t, spec)
	maps.Copy(of, parsed(t, more))
	f.objects.configurations[resource] = append(f.objects.configurations[resource], fields{
		"metadata": fields{"name": name}, "spec": of,
	})
}

// params are the objects of the kinds Limit, of namespaces, and Wide, of the
// cluster, that policies refer to.
func (f *policyFixture) addParams() {
	limit := func(namespace, name, label string, limit int64) fields {
		return fields{
			"apiVersion": "example.com/v1", "kind": "Limit", "limit": limit, "metadata": fields{
				"namespace": namespace, "name": name, "labels": fields{"of": label},
			},
		}
	}
	f.objects.configurations["limits"] = []fields{
		limit("default", "one", "x", 1), limit("default", "two", "x", 2),
		limit("default", "three", "y", 3), limit("other", "four", "x", 4),
	}
	wide := limit("", "wide", "x", 5)
	delete(wide["metadata"].(fields), "namespace")
	f.objects.configurations["wides"] = []fields{wide}
}

// outcome returns the warnings of a write and its Status in JSON, without the
// fields that all have.
func (f *policyFixture) outcome(err error) string {
	text := strings.Join(f.warnings, "\n")
	if err == nil {
		return text
	}
	status, _ := json.Marshal(err)
	var whole struct {
		ErrStatus fields
	}
	if json.Unmarshal(status, &whole) != nil || whole.ErrStatus == nil {
		return text + err.Error()
	}
	delete(whole.ErrStatus, "metadata")
	out, _ := json.Marshal(whole.ErrStatus)
	return text + string(out)
}

// refusal returns the Status of a refused write in JSON: that of a policy in
// the order of its fields.
func refusal(code int, reason, message string, causes ...string) string {
	var list []any
	for _, cause := range causes {
		list = append(list, fields{"message": cause})
	}
	out, _ := json.Marshal(fields{
		"status": "Failure", "code": code, "reason": reason, "message": message,
		"details": fields{"group": "example.com", "kind": "tabs", "name": "t", "causes": list},
	})
	return string(out)
}

// denied returns the Status of a write that policy p with binding b denies.
func denied(code int, reason, text string) string {
	text = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: " + text
	return refusal(code, reason, `tabs.example.com "t" is forbidden: `+text, text)
}

// invalid returns the Status of a write that is denied without a reason.
func invalid(text string) string { return denied(422, "Invalid", text) }

// costly are expressions that cost 810,000 each, e.g. as validations.
func costly(n int, key, result string) string {
	const text = `{name: a%[1]d, key: a%[1]d, %[2]s: "object.spec.text.contains(object.spec.text)%[3]s"}`
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(text, i, key, result)
	}
	return strings.Join(list, ", ")
}

const budgetError = "validation failed due to running out of cost budget, no further " +
	"validation rules will be run"

// The answer of validations, their messages and reasons, and what their errors
// are. The texts are those of k8s.io/apiserver, pkg/admission/plugin/policy.
func TestValidations(t *testing.T) {
	long := strings.Repeat("x", 5*1024)
	warning := "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': "
	costlyMessage := costly(1, "messageExpression", " ? 'm' : 'n'")[1:]
	failing := "expression 'object.none == 1' resulted in error: no such key: none"
	for name, c := range map[string]struct{ policy, binding, want string }{
		"true":    {`validations: [{expression: "true"}]`, `{}`, ``},
		"false":   {`validations: [{expression: " false "}]`, `{}`, invalid("failed expression: false")},
		"message": {`validations: [{expression: "false", message: " m "}]`, `{}`, invalid("m")},
		"empty message": {`validations: [{expression: "false", message: " "}]`, `{}`,
			invalid("failed expression: false")},
		"message expression": {
			`validations: [{expression: "false", message: m, messageExpression: "' a' + 'b '"}]`, `{}`,
			invalid("ab")},
		"empty message expression": {
			`validations: [{expression: "false", message: m, messageExpression: "' '"}]`, `{}`,
			invalid("m")},
		"lines": {
			`validations: [{expression: "false", message: m, messageExpression: "'a\\nb'"}]`, `{}`,
			invalid("m")},
		"long": {
			`validations: [{expression: "false", message: m, messageExpression: "'` + long + `'"}]`,
			`{}`, invalid(long)},
		"too long": {
			`validations: [{expression: "false", message: m, messageExpression: "'x` + long + `'"}]`,
			`{}`, invalid("m")},
		"failing message": {
			`validations: [{expression: "false", message: m, messageExpression: "object.none + ''"}]`,
			`{}`, invalid("m")},
		"message authorizer": {`validations: [{expression: "false", message: m, ` +
			`messageExpression: "authorizer.path('/a').check('b').reason()"}]`, `{}`, invalid("m")},
		"message of a variable with the authorizer": {
			`variables: [{name: a, expression: "authorizer.path('/a').check('b').reason()"}]
validations: [{expression: "variables.a == 'none'", message: m, messageExpression: variables.a}]`, `{}`,
			invalid("m")},
		"undeclared parameter": {`validations: [{expression: "params == null"}]`, `{}`, invalid(
			"compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to " +
				"'params' (in container '')\n | params == null\n | ^")},
		"forbidden": {`validations: [{expression: "false", message: m, reason: Forbidden}]`, `{}`,
			denied(403, "Forbidden", "m")},
		"unauthorized": {`validations: [{expression: "false", message: m, reason: Unauthorized}]`,
			`{}`, denied(401, "Unauthorized", "m")},
		"large": {
			`validations: [{expression: "false", message: m, reason: RequestEntityTooLarge}]`, `{}`,
			denied(413, "RequestEntityTooLarge", "m")},
		"other reason": {`validations: [{expression: "false", message: m, reason: Gone}]`, `{}`,
			denied(422, "Gone", "m")},
		"two": {`validations: [{expression: "true"}, {expression: "false", message: a}, ` +
			`{expression: "false", message: b}]`, `{}`, invalid("a")},
		"warn": {`validations: [{expression: "false", message: a}, {expression: "false", message: b}]`,
			`validationActions: [Warn]`, warning + "a\n" + warning + "b"},
		"audit": {`validations: [{expression: "false"}]`, `validationActions: [Audit]`, ``},
		"deny and audit": {`validations: [{expression: "false", message: m}]`,
			`validationActions: [Audit, Deny]`, invalid("m")},
		"no action": {`validations: [{expression: "false"}]`, `validationActions: []`, ``},
		"error": {`validations: [{expression: "object.none == 1"}, {expression: "false"}]`, `{}`,
			invalid(failing)},
		"error, warn": {`validations: [{expression: "object.none == 1"}]`,
			`validationActions: [Warn]`, warning + failing},
		"error, ignored": {`failurePolicy: Ignore
validations: [{expression: "object.none == 1"}, {expression: "false", message: m}]`, `{}`, invalid("m")},
		"without failure policy": {`failurePolicy: null
validations: [{expression: "object.none == 1"}]`, `{}`, invalid(failing)},
		"not bool": {`validations: [{expression: "1"}]`, `{}`,
			invalid("compilation error: must evaluate to bool but got int")},
		"no syntax": {`failurePolicy: Ignore
validations: [{expression: "1 +"}]`, `{}`, ``},
		"message does not compile": {
			`validations: [{expression: "false", message: m, messageExpression: "1 +"}]`, `{}`,
			invalid("m")},
		"conditions": {`matchConditions: [{name: a, expression: "true"}, {name: b, expression: "false"}]
validations: [{expression: "false"}]`, `{}`, ``},
		"true condition": {`matchConditions: [{name: a, expression: "true"}]
validations: [{expression: "false", message: m}]`, `{}`, invalid("m")},
		"false after an error": {
			`matchConditions: [{name: a, expression: "object.none == 1"}, {name: b, expression: "false"}]
validations: [{expression: "false"}]`, `{}`, ``},
		"condition fails": {`matchConditions: [{name: a, expression: "object.none == 1"}]
validations: [{expression: "true"}]`, `{}`, invalid(failing)},
		"conditions fail": {`matchConditions: [{name: a, expression: "object.none == 1"}, ` +
			`{name: b, expression: "object.some == 1"}]
validations: [{expression: "true"}]`, `{}`, invalid("[" + failing +
			", expression 'object.some == 1' resulted in error: no such key: some]")},
		"condition fails, ignored": {`failurePolicy: Ignore
matchConditions: [{name: a, expression: "object.none == 1"}]
validations: [{expression: "false"}]`, `{}`, ``},
		"variables": {`variables: [{name: a, expression: object.spec.size}, ` +
			`{name: b, expression: "variables.a + 1"}]
matchConditions: [{name: a, expression: "variables.b == 2"}]
validations: [{expression: "variables.b == 3", messageExpression: "'b is ' + string(variables.b)"}]`,
			`{}`, invalid("b is 2")},
		"request": {`validations: [{expression: "request.operation == 'UPDATE'", messageExpression: ` +
			`"request.kind.kind + request.resource.resource + request.name + request.namespace + ` +
			`request.options.kind + string(request.dryRun)"}]`, `{}`,
			invalid("TabtabstdefaultCreateOptionsfalse")},
		"namespace": {`validations: [{expression: "namespaceObject.metadata.labels.a != 'b'", ` +
			`messageExpression: "namespaceObject.metadata.name + namespaceObject.spec.finalizers[0]"}]`,
			`{}`, invalid("defaultkubernetes")},
		"namespace's fields": {`validations: [{expression: "dyn(namespaceObject).size() != 2 || ` +
			`dyn(namespaceObject.metadata).size() != 2", message: m}]`, `{}`, invalid("m")},
		"budget": {`validations: [` + costly(12, "expression", "") + `]`, `{}`, ``},
		"over budget": {`validations: [` + costly(13, "expression", "") + `]`, `{}`,
			invalid(budgetError)},
		"over budget, ignored": {`failurePolicy: Ignore
validations: [{expression: "false"}, ` + costly(13, "expression", "") + `]`, `{}`, ``},
		"budget of conditions": {`matchConditions: [` + costly(3, "expression", "") + `]
validations: [` + costly(12, "expression", "") + `, {expression: "false", message: m}]`, `{}`,
			invalid("m")},
		"conditions over budget": {`matchConditions: [` + costly(4, "expression", "") + `]
validations: [{expression: "false"}]`, `{}`, invalid(budgetError)},
		"budget of messages": {`validations: [` + costly(11, "expression", "") +
			`, {expression: "false", ` + costlyMessage +
			`]`, `{}`, invalid("m")},
		"messages over budget": {`validations: [` + costly(12, "expression", "") +
			`, {expression: "false", ` + costlyMessage +
			`]`, `{}`, invalid("failed messageExpression: " + budgetError)},
		"error after messages over budget": {`validations: [` + costly(11, "expression", "") +
			`, {expression: "true", ` + costlyMessage + `, {expression: "true", ` + costlyMessage +
			`, {expression: "object.none == 1"}]`, `validationActions: [Warn]`,
			strings.Repeat(warning+"failed messageExpression: "+budgetError+"\n", 13) + warning + failing},
		"annotations": {`validations: [{expression: "true"}]
auditAnnotations: [{key: a, valueExpression: "'a'"}, {key: b, valueExpression: "null"}]`, `{}`, ``},
		"annotation fails": {`auditAnnotations: [{key: a, valueExpression: "'a'"}, ` +
			`{key: b, valueExpression: "object.none + ''"}]`, `validationActions: [Audit]`,
			invalid("expression 'object.none + ''' resulted in error: no such key: none")},
		"annotation after a validation": {`validations: [{expression: "false", message: m}]
auditAnnotations: [{key: b, valueExpression: "object.none + ''"}]`, `{}`, invalid("m")},
		"annotation fails, ignored": {`failurePolicy: Ignore
auditAnnotations: [{key: b, valueExpression: "object.none + ''"}]`, `{}`, ``},
		"budget of annotations": {`validations: [` + costly(12, "expression", "") + `]
auditAnnotations: [` + costly(12, "valueExpression", " ? 'm' : 'n'") + `]`, `{}`, ``},
		"annotations over budget": {`validations: [{expression: "false"}]
auditAnnotations: [` + costly(13, "valueExpression", " ? 'm' : 'n'") + `]`, `validationActions: [Warn]`,
			warning + budgetError},
	} {
		t.Run(name, func(t *testing.T) {
			f := policies(t, "validating", c.policy, c.binding)
			f.write.Object["spec"].(fields)["text"] = strings.Repeat("x", 9000)
			before := fmt.Sprint(f.write.Object)
			got := f.outcome(f.Validate(t.Context(), f.write))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if fmt.Sprint(f.write.Object) != before {
				t.Error("the object is changed")
			}
		})
	}
}

// Which policies and bindings are about a write, and the parameters that they
// are evaluated with.
func TestBindings(t *testing.T) {
	const (
		limited = `paramKind: {apiVersion: example.com/v1, kind: Limit}
validations: [{expression: "false", messageExpression: "string(params.limit)"}]`
		wide = `paramKind: {apiVersion: example.com/v2, kind: Wide}
validations: [{expression: "false", messageExpression: "params.apiVersion + string(params.limit)"}]`
		refuses  = `validations: [{expression: "false", message: m}]`
		warns    = `validationActions: [Warn]` + "\n"
		binding  = "failed to configure binding: "
		notFound = binding + "no params found for policy binding with `Deny` " +
			"parameterNotFoundAction"
		warning = "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': "
	)
	invalidKind := `ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: ` +
		`failed to find resource referenced by paramKind: 'example.com/v1, Kind=None'`
	wrongSelector := `{matchExpressions: [{key: a, operator: Wrong}]}`
	wrong := `"Wrong" is not a valid label selector operator`
	wrongPolicy := `ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: ` +
		`Internal error occurred: ` + wrong
	ofCluster := func(f *policyFixture) { f.write.Namespace = "" }
	inNone := func(f *policyFixture) { f.write.Namespace = "none" }
	none := func(*policyFixture) {}
	for name, c := range map[string]struct {
		policy, binding string
		change          func(*policyFixture)
		want            string
	}{
		"no paramRef": {`paramKind: {apiVersion: example.com/v1, kind: Limit}
validations: [{expression: "params != null", message: m}]`, `{}`, none, invalid("m")},
		"no paramKind": {refuses, `paramRef: {name: one}`, none, invalid("m")},
		"named":        {limited, `paramRef: {name: two}`, none, invalid("2")},
		"selected": {limited, warns + `paramRef: {selector: {matchLabels: {of: x}}}`, none,
			warning + "1\n" + warning + "2"},
		"all":             {limited, warns + `paramRef: {selector: {}}`, none, warning + "1\n" + warning + "2\n" + warning + "3"},
		"other namespace": {limited, `paramRef: {name: four, namespace: other}`, none, invalid("4")},
		"selected elsewhere": {limited, `paramRef: {selector: {matchLabels: {of: x}}, namespace: other}`,
			none, invalid("4")},
		"for the cluster":    {limited, `paramRef: {name: four, namespace: other}`, ofCluster, invalid("4")},
		"not found":          {limited, `paramRef: {name: four}`, none, ``},
		"not found, allowed": {limited, `paramRef: {name: four, parameterNotFoundAction: Allow}`, none, ``},
		"not found, denied": {limited, `paramRef: {name: four, parameterNotFoundAction: Deny}`, none,
			invalid(notFound)},
		"none selected": {limited,
			`paramRef: {selector: {matchLabels: {of: z}}, parameterNotFoundAction: Deny}`, none,
			invalid(notFound)},
		"not found, ignored": {"failurePolicy: Ignore\n" + limited,
			`paramRef: {name: four, parameterNotFoundAction: Deny}`, none, ``},
		"found, denied": {limited, `paramRef: {name: one, parameterNotFoundAction: Deny}`, none,
			invalid("1")},
		"no namespace": {limited, `paramRef: {name: one}`, ofCluster, invalid(binding +
			"cannot use namespaced paramRef in policy binding that matches cluster-scoped resources")},
		"wide":                 {wide, `paramRef: {name: wide}`, none, invalid("example.com/v25")},
		"wide selected":        {wide, `paramRef: {selector: {}}`, none, invalid("example.com/v25")},
		"wide for the cluster": {wide, `paramRef: {name: wide}`, ofCluster, invalid("example.com/v25")},
		"wide in a namespace": {wide, `paramRef: {name: wide, namespace: default}`, none, invalid(binding +
			"paramRef.namespace must not be provided for a cluster-scoped `paramKind`")},
		"both": {limited, `paramRef: {name: one, selector: {}}`, none,
			invalid(binding + "paramRef.name and paramRef.selector are mutually exclusive")},
		"neither": {limited, `paramRef: {}`, none,
			invalid(binding + "one of name or selector must be provided")},
		"wrong selector of parameters": {limited, `paramRef: {selector: ` + wrongSelector + `}`, none,
			invalid(binding + wrong)},
		"unknown kind": {`paramKind: {apiVersion: example.com/v1, kind: None}
validations: [{expression: "true"}]`, `{}`, none, refusal(422, "Invalid",
			`tabs.example.com "t" is forbidden: `+invalidKind, invalidKind)},
		"unknown kind, no match": {`paramKind: {apiVersion: example.com/v1, kind: None}
matchConstraints: {namespaceSelector: {}, objectSelector: {matchLabels: {a: none}}}
validations: [{expression: "true"}]`, `{}`, none, ``},
		"unknown kind, ignored": {`failurePolicy: Ignore
paramKind: {apiVersion: example.com/v1, kind: None}
validations: [{expression: "false"}]`, `{}`, none, ``},
		"wrong selector": {`matchConstraints: {namespaceSelector: {}, objectSelector: ` + wrongSelector +
			"}\n" + refuses, `{}`, none, refusal(422, "Invalid",
			`tabs.example.com "t" is forbidden: `+wrongPolicy, wrongPolicy)},
		"wrong selector of a binding": {refuses, `matchResources: {namespaceSelector: ` +
			wrongSelector + `, objectSelector: {}}`, none,
			invalid(binding + "Internal error occurred: " + wrong)},
		"other objects": {refuses,
			`matchResources: {namespaceSelector: {}, objectSelector: {matchLabels: {a: none}}}`, none, ``},
		"these objects": {refuses,
			`matchResources: {namespaceSelector: {}, objectSelector: {matchLabels: {app: x}}}`, none,
			invalid("m")},
		"no namespace for the selector": {refuses, `matchResources: {objectSelector: {}, ` +
			`namespaceSelector: {matchLabels: {a: b}}}`, inNone,
			invalid(binding + `namespaces "none" not found`)},
		"no such namespace": {refuses, `{}`, inNone, `{"code":404,"details":{"kind":"namespaces",` +
			`"name":"none"},"message":"namespaces \"none\" not found","reason":"NotFound",` +
			`"status":"Failure"}`},
		"no constraints": {"matchConstraints: null\n" + refuses, `{}`, none, ``},
		"other policy":   {refuses, `policyName: q`, none, ``},
		"other policy, unknown kind": {"paramKind: {apiVersion: example.com/v1, kind: None}\n" + refuses,
			`policyName: q`, none, ``},
		"of the cluster": {`validations: [{expression: "namespaceObject != null", message: m}]`, `{}`,
			ofCluster, invalid("m")},
		"a namespace": {`validations: [{expression: "namespaceObject != null", message: m}]`, `{}`,
			func(f *policyFixture) {
				f.write.Kind = schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}
			}, invalid("m")},
		"rule": {`matchConstraints: {namespaceSelector: {}, objectSelector: {}, resourceRules: [` +
			`{operations: [CREATE], apiGroups: [example.com], apiVersions: [v1], resources: [tabs], ` +
			`resourceNames: [s, t]}]}` + "\n" + refuses, `{}`, none, invalid("m")},
		"rule of other names": {`matchConstraints: {namespaceSelector: {}, objectSelector: {}, ` +
			`resourceRules: [{operations: [CREATE], apiGroups: [example.com], apiVersions: [v1], ` +
			`resources: [tabs], resourceNames: [s]}]}` + "\n" + refuses, `{}`, none, ``},
		"excluded": {`matchConstraints: {namespaceSelector: {}, objectSelector: {}, ` +
			`excludeResourceRules: [{operations: [CREATE], apiGroups: ["*"], apiVersions: ["*"], ` +
			`resources: [tabs]}]}` + "\n" + refuses, `{}`, none, ``},
		"not excluded": {`matchConstraints: {namespaceSelector: {}, objectSelector: {}, ` +
			`excludeResourceRules: [{operations: [UPDATE], apiGroups: ["*"], apiVersions: ["*"], ` +
			`resources: [tabs]}]}` + "\n" + refuses, `{}`, none, invalid("m")},
		"excluded by the binding": {refuses, `matchResources: {namespaceSelector: {}, ` +
			`objectSelector: {}, excludeResourceRules: [{operations: ["*"], apiGroups: ["*"], ` +
			`apiVersions: [v1], resources: ["*"]}]}`, none, ``},
		"part": {refuses, `{}`, func(f *policyFixture) { f.write.Subresource = "status" }, invalid("m")},
		"equivalent": {`matchConstraints: {matchPolicy: Equivalent, namespaceSelector: {}, ` +
			`objectSelector: {}, resourceRules: [{operations: ["*"], apiGroups: ["*"], apiVersions: ` +
			`[v2], resources: ["*"]}]}
matchConditions: [{name: a, expression: "request.resource.version == 'v1'"}]
validations: [{expression: "false", messageExpression: "object.apiVersion + request.resource.version"}]`,
			`{}`, none, invalid("example.com/v2v2")},
		"not convertible": {`matchConstraints: {matchPolicy: Equivalent, namespaceSelector: {}, ` +
			`objectSelector: {}, resourceRules: [{operations: ["*"], apiGroups: ["*"], apiVersions: ` +
			`[v2], resources: ["*"]}]}` + "\n" + refuses, `{}`, func(f *policyFixture) {
			f.write.Object["bad"] = true
		}, invalid(binding + "failed to convert object version: not converted")},
		"parameter not convertible": {wide, `paramRef: {name: wide}`, func(f *policyFixture) {
			f.objects.configurations["wides"][0]["bad"] = true
		}, invalid(binding + "not converted")},
		"of policies": {refuses, `{}`, func(f *policyFixture) {
			f.write.Resource = schema.GroupVersionResource{
				Group: "admissionregistration.k8s.io", Resource: "mutatingadmissionpolicybindings",
			}
		}, ``},
	} {
		t.Run(name, func(t *testing.T) {
			f := policies(t, "validating", c.policy, c.binding)
			f.addParams()
			c.change(f)
			got := f.outcome(f.Validate(t.Context(), f.write))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What policies make of an object, and the answers to those that cannot. The
// first is the message, and all are causes.
func TestMutations(t *testing.T) {
	config := func(expression string) string {
		return `{patchType: ApplyConfiguration, applyConfiguration: {expression: "` + expression + `"}}`
	}
	patch := func(expression string) string {
		return `{patchType: JSONPatch, jsonPatch: {expression: "` + expression + `"}}`
	}
	mutations := func(list ...string) string {
		return `mutations: [` + strings.Join(list, ", ") + "]\n"
	}
	set := func(field string) string { return config("Object{spec: Object.spec{" + field + "}}") }
	const (
		again = "reinvocationPolicy: IfNeeded\n"
		with  = "policy 'p' with binding 'b' denied request: "
		other = "policy 'q' with binding 'c' denied request: "
		fails = "expression 'object.none == 1' resulted in error: no such key: none"
		v2    = `matchConstraints: {matchPolicy: Equivalent, namespaceSelector: {}, objectSelector: {}, ` +
			`resourceRules: [{operations: ["*"], apiGroups: ["*"], apiVersions: [v2], resources: ["*"]}]}` + "\n"
		condition = `matchConditions: [{name: a, expression: "object.none == 1"}]` + "\n"
	)
	more := set("size: object.spec.size + 1")
	refused := func(causes ...string) string {
		return refusal(403, "Invalid", causes[0], causes...)
	}
	internal := func(text string) string {
		return `{"code":500,"details":{"causes":[{"message":"` + text + `"}]},"message":` +
			`"Internal error occurred: ` + text + `","reason":"InternalError","status":"Failure"}`
	}
	for name, c := range map[string]struct {
		policy, binding, second string // the second is that of policy q
		want                    string // the spec or the Status
	}{
		"configuration": {mutations(set("size: 2")), `{}`, ``, `{"size":2}`},
		"patch": {mutations(patch("[JSONPatch{op: 'add', path: '/spec/a', value: 'b'}]")), `{}`, ``,
			`{"a":"b","size":1}`},
		"patch of nothing": {mutations(patch("[JSONPatch{op: 'test', path: '/spec/size', value: 1}]")),
			`{}`, ``, `{"size":1}`},
		"patch that does not hold": {mutations(patch("[JSONPatch{op: 'remove', path: '/spec/size'}, "+
			"JSONPatch{op: 'test', path: '/spec', value: 'a'}]"), set("a: 1")), `{}`, ``, `{"a":1,"size":1}`},
		"one after the other": {mutations(more, patch("[JSONPatch{op: 'add', path: '/spec/a', value: "+
			"object.spec.size}]"), more), `{}`, ``, `{"a":2,"size":3}`},
		"two policies": {mutations(more), `{}`, mutations(set("a: object.spec.size")),
			`{"a":2,"size":2}`},
		"again by itself":  {again + mutations(more), `{}`, ``, `{"size":3}`},
		"again by another": {again + mutations(set("a: 2")), `{}`, mutations(more), `{"a":2,"size":2}`},
		"again before another": {again + mutations(more), `{}`, mutations(set("a: object.spec.size")),
			`{"a":2,"size":3}`},
		"variables": {`variables: [{name: a, expression: object.spec.size + 5}]` + "\n" +
			mutations(set("size: variables.a"), set("a: variables.a")), `{}`, ``, `{"a":11,"size":6}`},
		"parameters": {`paramKind: {apiVersion: example.com/v1, kind: Limit}` + "\n" +
			mutations(set("size: object.spec.size + params.limit")),
			`paramRef: {selector: {matchLabels: {of: x}}}`, ``, `{"size":4}`},
		"parameters again": {again + `paramKind: {apiVersion: example.com/v1, kind: Limit}` + "\n" +
			mutations(set("size: object.spec.size + params.limit")),
			`paramRef: {selector: {matchLabels: {of: x}}}`, ``, `{"size":7}`},
		"namespace": {mutations(set("a: namespaceObject.metadata.name")), `{}`, ``,
			`{"a":"default","size":1}`},
		"condition": {`matchConditions: [{name: a, expression: "object.spec.size == 1"}]` + "\n" +
			mutations(more), `{}`, mutations(more), `{"size":3}`},
		"false condition": {`matchConditions: [{name: a, expression: "false"}]` + "\n" +
			mutations(more), `{}`, mutations(set("a: 1")), `{"a":1,"size":1}`},
		"equivalent": {v2 + mutations(set("a: object.apiVersion")), `{}`, ``,
			`{"a":"example.com/v2","size":1}`},
		"condition fails": {condition + mutations(more), `{}`, ``, refused(with + fails)},
		"condition fails, ignored": {"failurePolicy: Ignore\n" + condition + mutations(more), `{}`,
			mutations(set("a: 1")), `{"a":1,"size":1}`},
		"mutation fails": {mutations(set("a: object.none"), set("a: 1")), `{}`,
			mutations(set("a: object.some")), refused(
				with+"expression 'Object{spec: Object.spec{a: object.none}}' resulted in error: no such key: none",
				other+"expression 'Object{spec: Object.spec{a: object.some}}' resulted in error: no such key: some")},
		"mutation fails, ignored": {"failurePolicy: Ignore\n" +
			mutations(set("a: object.none"), set("b: 1")), `{}`, ``, `{"b":1,"size":1}`},
		"wrong name": {mutations(config("Object{spec: Object.other{a: 1}}")), `{}`, ``,
			refused(with + `type mismatch: unexpected type name "Object.other", expected "Object.spec", ` +
				"which matches field name path from root Object type")},
		"not merged": {mutations(set("bad: 1")), `{}`, ``, refused(with + "error applying patch: not merged")},
		"no such path": {mutations(patch("[JSONPatch{op: 'remove', path: '/spec/none'}]")), `{}`, ``,
			refused(with + `JSON Patch: operation 0 (remove "/spec/none"): there is no such path`)},
		"no operation": {mutations(patch("[JSONPatch{op: 'none', path: '/spec'}]")), `{}`, ``,
			refused(with + `JSON Patch: operation 0 (none "/spec"): there is no such operation`)},
		"no object": {mutations(patch("[JSONPatch{op: 'replace', path: '', value: [1]}]")), `{}`, ``,
			internal("expected an object, got array")},
		"nothing to do": {`mutations: [{patchType: JSONPatch}]`, `{}`, ``,
			internal("expected 1 compiled evaluators for policy p, got 0")},
		"not a list": {mutations(patch("1")), `{}`, ``,
			refused(with + "must evaluate to list(JSONPatch) but got int")},
		"not convertible": {v2 + mutations(patch("[JSONPatch{op: 'add', path: '/bad', value: 1}]")), `{}`, ``,
			internal("failed to convert object: not converted")},
		"no parameter": {mutations(set("a: object.none")), `{}`,
			`paramKind: {apiVersion: example.com/v1, kind: None}` + "\n" + mutations(set("a: 1")),
			refusal(403, "Forbidden", `policy "q" denied request: failed to configure policy: failed to `+
				`find resource referenced by paramKind: 'example.com/v1, Kind=None'`,
				`policy "q" denied request: failed to configure policy: failed to find resource `+
					`referenced by paramKind: 'example.com/v1, Kind=None'`,
				with+"expression 'Object{spec: Object.spec{a: object.none}}' resulted in error: no such key: none")},
		"no parameter, ignored": {"failurePolicy: Ignore\nparamKind: {apiVersion: example.com/v1, " +
			"kind: None}\n" + mutations(set("a: 1")), `{}`, mutations(set("b: 2")), `{"b":2,"size":1}`},
		"no parameter of a binding": {`paramKind: {apiVersion: example.com/v1, kind: Limit}` + "\n" +
			mutations(set("a: 1")), `paramRef: {name: none, parameterNotFoundAction: Deny}`, ``,
			refusal(403, "Forbidden", with+"failed to configure binding: no params found for policy "+
				"binding with `Deny` parameterNotFoundAction", with+"failed to configure binding: no "+
				"params found for policy binding with `Deny` parameterNotFoundAction")},
	} {
		t.Run(name, func(t *testing.T) {
			f := policies(t, "mutating", c.policy, c.binding)
			f.addParams()
			if c.second != "" {
				f.add(t, "mutatingadmissionpolicies", "q", `{matchConstraints: {namespaceSelector: {}, `+
					`objectSelector: {}}}`, c.second)
				f.add(t, "mutatingadmissionpolicybindings", "c", `{policyName: q}`, `{}`)
			}
			got := f.outcome(admission.Plugins{f.Policies}.Mutate(t.Context(), f.write))
			if got == "" {
				text, _ := json.Marshal(f.write.Object["spec"])
				got = string(text)
				delete(f.write.Object, "spec")
				want := (&fixture{}).write().Object
				delete(want, "spec")
				if diff := cmp.Diff(want, f.write.Object); diff != "" {
					t.Error(diff)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Policies are read again if one of them or a binding changes. What cannot be
// read refuses every write but those that fix it.
func TestStoredPolicies(t *testing.T) {
	const refuses = `validations: [{expression: "false"}]`
	f := policies(t, "validating", `validations: [{expression: "true"}]`, `{}`)
	validate := func() string { return f.outcome(f.Validate(t.Context(), f.write)) }
	if got := validate(); got != "" || !f.Active() {
		t.Errorf("active %t, refused: %s", f.Active(), got)
	}
	delete(f.objects.configurations, "validatingadmissionpolicybindings")
	if f.Active() {
		t.Error("active without a binding")
	}
	f.add(t, "mutatingadmissionpolicybindings", "b", `{}`, `{}`)
	if !f.Active() {
		t.Error("not active with a binding that mutates")
	}
	f.add(t, "validatingadmissionpolicies", "q", `{matchConstraints: {namespaceSelector: {}, `+
		`objectSelector: {}}}`, refuses)
	f.add(t, "validatingadmissionpolicybindings", "c", `{policyName: none}`, `{}`)
	if got := validate(); got != "" {
		t.Errorf("a policy without a binding: %s", got)
	}
	f.add(t, "validatingadmissionpolicybindings", "d", `{policyName: q, validationActions: [Deny]}`, `{}`)
	if got := validate(); !strings.Contains(got, "'q' with binding 'd' denied request") {
		t.Errorf("a new binding: %s", got)
	}
	lists := f.objects.lists
	if got := validate(); got == "" || f.objects.lists != lists {
		t.Errorf("read again: %s", got)
	}
	f.objects.configurations["validatingadmissionpolicies"][1]["spec"] = 1
	f.objects.revision++
	for _, of := range []string{"validating", "mutating"} {
		for _, resource := range []string{"admissionpolicies", "admissionpolicybindings"} {
			f := policies(t, of, `{}`, `{}`)
			f.objects.configurations[of+resource][0]["spec"] = 1
			do := f.Validate
			if of == "mutating" {
				do = f.Mutate
			}
			if err := do(t.Context(), f.write); err == nil ||
				!strings.HasPrefix(err.Error(), "a policy: ") {
				t.Errorf("%s%s that cannot be read: %v", of, resource, err)
			}
			for _, plugin := range []string{"validating", "mutating"} {
				f.write.Resource = schema.GroupVersionResource{
					Group:    "admissionregistration.k8s.io",
					Version:  "v1",
					Resource: plugin + resource,
				}
				if err := do(t.Context(), f.write); err != nil {
					t.Errorf("%s: %v", f.write.Resource.Resource, err)
				}
			}
		}
	}
}

// A webhook that wants it is asked again if a policy changes the object after
// it.
func TestWebhooksBeforePolicies(t *testing.T) {
	for _, test := range [][3]string{
		{"IfNeeded", "true", "allow allow"}, {"IfNeeded", "false", "allow"},
		{"Never", "true", "allow"}, {"Never", "false", "allow"},
	} {
		f := policies(t, "mutating", `matchConditions: [{name: a, expression: "`+test[1]+`"}]
mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: `+
			`"Object{spec: Object.spec{a: 1}}"}}]`, `{}`)
		w := asking(t, mutating, fields{"name": "allow", "reinvocationPolicy": test[0]})
		err := admission.Plugins{w.Webhooks, f.Policies}.Mutate(t.Context(), f.write)
		if got := w.hooks.take(); got != test[2] || err != nil {
			t.Errorf("%v: asked %s (%v)", test, got, err)
		}
	}
}

// A deletion is not mutated, but validated.
func TestPoliciesOfDelete(t *testing.T) {
	f := policies(t, "mutating", `mutations: [{patchType: JSONPatch}]`, `{}`)
	f.write.Operation, f.write.Object, f.write.Old = admissionv1.Delete, nil, f.write.Object
	if err := f.Mutate(t.Context(), f.write); err != nil || f.write.Object != nil {
		t.Errorf("mutated to %v (%v)", f.write.Object, err)
	}
	g := policies(t, "validating", `validations: [{expression: "object != null", `+
		`messageExpression: "string(oldObject.spec.size)"}]`, `{}`)
	g.write = f.write
	if diff := cmp.Diff(invalid("1"), g.outcome(g.Validate(t.Context(), g.write))); diff != "" {
		t.Error(diff)
	}
}

// A refusal names the object by what is known of its name.
func TestRefusedNames(t *testing.T) {
	for want, metadata := range map[string]fields{
		"a": {"name": "a", "generateName": "g-"}, "g-": {"generateName": "g-"}, "Unknown": {},
	} {
		f := policies(t, "validating", `validations: [{expression: "false"}]`, `{}`)
		f.write.Name, f.write.Object["metadata"] = "", metadata
		err := f.Validate(t.Context(), f.write)
		if err == nil || !strings.HasPrefix(err.Error(), `tabs.example.com "`+want+`" is forbidden`) {
			t.Errorf("%v: %v", metadata, err)
		}
	}
}

// What a server refuses in policies and bindings. The texts are those of
// k8s.io/kubernetes, pkg/apis/admissionregistration/validation.
func TestCheck(t *testing.T) {
	const (
		vap           = "validatingadmissionpolicies"
		mutating      = "mutatingadmissionpolicies"
		binding       = "validatingadmissionpolicybindings"
		ofMutating    = "mutatingadmissionpolicybindings"
		undeclared    = "undeclared reference to "
		newer         = "[1].includes(1)" // since the newest minor
		conditionText = "spec.matchConditions[0].expression: "
		validation    = `validations: [{expression: "true"}]`
		needed        = "validations or auditAnnotations must contain at least one item"
	)
	mutation := func(text string) string { return "mutations: [" + text + "]" }
	const constraints = "matchConstraints: {}\n"
	const isNew = `Invalid value: "` + newer + `": compilation failed: ERROR: <input>:1:13: ` + undeclared
	const everywhere = `matchConditions: [{name: a, expression: " ` + newer + `"}]
variables: [{name: a, expression: "` + newer + `"}]
validations: [{expression: "` + newer + `", messageExpression: "` + newer + ` ? 'a' : 'b'"}]
auditAnnotations: [{key: a, valueExpression: " ` + newer + ` ? 'c' : 'd'"}]`
	mutated := mutation(`{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'test', path: ` +
		`'/a', value: ` + newer + `}]"}}, {patchType: ApplyConfiguration, applyConfiguration: ` +
		`{expression: "Object{spec: Object.spec{a: ` + newer + `}}"}}`)
	for name, c := range map[string]struct {
		resource, spec, old string
		want                []string // how the errors begin
	}{
		"policy":   {vap, validation, ``, nil},
		"resource": {"others", `{}`, ``, nil},
		"nothing": {vap, `{}`, ``, []string{
			"spec.validations: Required value: " + needed, "spec.auditAnnotations: Required value: " + needed}},
		"only annotations": {vap, `auditAnnotations: [{key: a, valueExpression: "'a'"}]`, ``, nil},
		"no rules": {vap, constraints + validation, ``, []string{
			"spec.matchConstraints.resourceRules: Required value"}},
		"rules": {vap, `matchConstraints: {resourceRules: [{}]}` + "\n" + validation, ``, nil},
		"empty expressions": {vap, `matchConditions: [{name: a, expression: " "}]
variables: [{name: a, expression: " "}]
validations: [{expression: " ", messageExpression: " "}]
auditAnnotations: [{key: a, valueExpression: ""}]`, ``, []string{
			"spec.matchConditions[0].expression: Required value",
			"spec.variables[0].expression: Required value: expression is not specified",
			"spec.validations[0].expression: Required value: expression is not specified",
			`spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified`,
			"spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified"}},
		"wrong types": {vap, `matchConditions: [{name: a, expression: " 1 "}, {name: b, expression: "true"}]
variables: [{name: a, expression: " 1 + 'a' "}]
validations: [{expression: " 1 ", messageExpression: " 2 "}, {expression: "true", messageExpression: "'a'"}]
auditAnnotations: [{key: a, valueExpression: " 3 "}, {key: b, valueExpression: "null"}]`, ``, []string{
			`spec.matchConditions[0].expression: Invalid value: "1": must evaluate to bool`,
			`spec.variables[0].expression: Invalid value: " 1 + 'a' ": compilation failed`,
			`spec.validations[0].expression: Invalid value: " 1 ": must evaluate to bool`,
			`spec.validations[0].messageExpression: Invalid value: " 2 ": must evaluate to string`,
			`spec.auditAnnotations[0].valueExpression: Invalid value: " 3 ": must evaluate to one of`}},
		"variables": {vap, `variables: [{name: a, expression: "1"}, {name: b, expression: "variables.a"}]
matchConditions: [{name: a, expression: "variables.a == 1"}]
validations: [{expression: "variables.b == 1", messageExpression: "string(variables.b)"}]`, ``, []string{
			conditionText + `Invalid value: "variables.a == 1": compilation failed: ERROR: <input>:1:1: ` + undeclared}},
		"no variables": {vap, `validations: [{expression: "variables.b == 1"}]`, ``, []string{
			`spec.validations[0].expression: Invalid value: "variables.b == 1": compilation failed: ` +
				`ERROR: <input>:1:1: ` + undeclared}},
		"params": {vap, `paramKind: {apiVersion: v1, kind: ConfigMap}
matchConditions: [{name: a, expression: "params.a == 1"}]
variables: [{name: a, expression: "params.a"}]
validations: [{expression: "params.a == 1", messageExpression: "string(params.a)"}]
auditAnnotations: [{key: a, valueExpression: "string(params.a)"}]`, ``, nil},
		"no params": {vap, `matchConditions: [{name: a, expression: "params.a == 1"}]
validations: [{expression: "params.b == 1"}]`, ``, []string{
			conditionText + `Invalid value: "params.a == 1": compilation failed: ERROR: <input>:1:1: ` + undeclared,
			`spec.validations[0].expression: Invalid value: "params.b == 1": compilation failed: ` +
				`ERROR: <input>:1:1: ` + undeclared}},
		"new functions": {vap, everywhere, ``, []string{
			conditionText + isNew, "spec.variables[0].expression: " + isNew,
			"spec.validations[0].expression: " + isNew,
			"spec.validations[0].messageExpression: Invalid value: ",
			"spec.auditAnnotations[0].valueExpression: Invalid value: "}},
		"old functions": {vap, everywhere, everywhere, nil},
		"old functions elsewhere": {vap, everywhere, `matchConditions: [{name: a, expression: "` + newer + `"}]
validations: [{expression: "` + newer + ` ? 'a' : 'b'"}]`, []string{
			"spec.variables[0].expression: " + isNew, "spec.validations[0].expression: " + isNew,
			"spec.validations[0].messageExpression: Invalid value: ",
			"spec.auditAnnotations[0].valueExpression: Invalid value: "}},
		"old conditions": {vap, `matchConditions: [{name: a, expression: "1"}]` + "\n" + validation,
			`matchConditions: [{name: a, expression: "1"}]`, nil},
		"old conditions, other params": {vap, `matchConditions: [{name: a, expression: "1"}]
paramKind: {apiVersion: v1, kind: ConfigMap}` + "\n" + validation,
			`matchConditions: [{name: a, expression: "1"}]`, []string{
				conditionText + `Invalid value: "1": must evaluate to bool`}},
		"no mutations": {mutating, `{}`, ``, []string{
			"spec.mutations: Required value: mutations must contain at least one item"}},
		"no patch type": {mutating, mutation(`{}`), ``, []string{"spec.mutations[0].patchType: Required value"}},
		"other patch type": {mutating, mutation(`{patchType: Other}`), ``, []string{`spec.mutations[0].patchType: ` +
			`Unsupported value: "Other": supported values: "ApplyConfiguration", "JSONPatch"`}},
		"no patch": {mutating, mutation(`{patchType: JSONPatch, applyConfiguration: {}}`), ``, []string{
			"spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch",
			`spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be ` +
				`specified when patchType is JSONPatch`}},
		"no configuration": {mutating, mutation(`{patchType: ApplyConfiguration, jsonPatch: {}}`), ``, []string{
			"spec.mutations[0].applyConfiguration: Required value: must be specified when patchType is ApplyConfiguration",
			`spec.mutations[0].jsonPatch: Invalid value: "{jsonPatch}": must not be ` +
				`specified when patchType is ApplyConfiguration`}},
		"empty mutations": {mutating, mutation(`{patchType: JSONPatch, jsonPatch: {}}, ` +
			`{patchType: ApplyConfiguration, applyConfiguration: {expression: " "}}`), ``, []string{
			"spec.mutations[0].jsonPatch.expression: Required value",
			"spec.mutations[1].applyConfiguration.expression: Required value"}},
		"mutations": {mutating, "variables: [{name: a, expression: object.spec}]\n" +
			"paramKind: {apiVersion: v1, kind: ConfigMap}\n" + mutation(`{patchType: JSONPatch, `+
			`jsonPatch: {expression: "[JSONPatch{op: 'remove', path: params.b}]"}}, {patchType: `+
			`ApplyConfiguration, applyConfiguration: {expression: "Object{spec: Object.spec{a: variables.a}}"}}`), ``, nil},
		"wrong mutations": {mutating, constraints + `matchConditions: [{name: a, expression: "1"}]` + "\n" +
			mutation(`{patchType: JSONPatch, jsonPatch: {expression: " 1 "}}, {patchType: `+
				`ApplyConfiguration, applyConfiguration: {expression: " variables.a "}}`), ``, []string{
			"spec.matchConstraints.resourceRules: Required value",
			conditionText + `Invalid value: "1": must evaluate to bool`,
			`spec.mutations[0].jsonPatch.expression: Invalid value: "1": must evaluate to `,
			`spec.mutations[1].applyConfiguration.expression: Invalid value: "variables.a": compilation ` +
				`failed: ERROR: <input>:1:10: undefined field 'a'`}},
		"new mutations": {mutating, mutated, ``, []string{
			"spec.mutations[0].jsonPatch.expression: Invalid value",
			"spec.mutations[1].applyConfiguration.expression: Invalid value"}},
		"old mutations": {mutating, mutated, mutated, []string{
			"spec.mutations[0].jsonPatch.expression: Invalid value"}},
		"binding": {binding, `{policyName: p, validationActions: [Deny, Audit], paramRef: {name: a}}`, ``, nil},
		"binding that selects": {binding,
			`{policyName: p, validationActions: [Warn, Audit], paramRef: {selector: {}}}`, ``, nil},
		"empty binding": {binding, `{paramRef: {}}`, ``, []string{"spec.policyName: Required value",
			"spec.paramRef: Required value: one of name or selector must be specified",
			"spec.validationActions: Required value: at least one validation action is required"}},
		"both": {binding, `{policyName: p, validationActions: [Audit], paramRef: {name: a, selector: {}}}`,
			``, []string{"spec.paramRef.name: Forbidden: name and selector are mutually exclusive",
				"spec.paramRef.selector: Forbidden: name and selector are mutually exclusive"}},
		"actions": {binding, `{policyName: p, validationActions: [Deny, Other, Warn, Deny]}`, ``, []string{
			`spec.validationActions[1]: Unsupported value: "Other": supported values: "Audit", "Deny", "Warn"`,
			`spec.validationActions[3]: Duplicate value: "Deny"`,
			`spec.validationActions: Invalid value: ["Deny","Other","Warn","Deny"]: must not contain both ` +
				`Deny and Warn (repeating the same validation failure information in the API response and ` +
				`headers serves no purpose)`}},
		"binding of mutations":       {ofMutating, `{policyName: p}`, ``, nil},
		"empty binding of mutations": {ofMutating, `{}`, ``, []string{"spec.policyName: Required value"}},
	} {
		t.Run(name, func(t *testing.T) {
			var old fields
			if c.old != "" {
				old = fields{"spec": parsed(t, c.old)}
			}
			errs, err := admission.Check(schema.GroupResource{
				Group: "admissionregistration.k8s.io", Resource: c.resource,
			}, fields{"spec": parsed(t, c.spec)}, old, minors.Newest())
			if err != nil {
				t.Fatal(err)
			}
			for i := range max(len(errs), len(c.want)) {
				got, want := "", ""
				if i < len(errs) {
					got = errs[i].Error()
				}
				if i < len(c.want) {
					want = c.want[i]
				}
				if !strings.HasPrefix(got, want) || want == "" {
					t.Errorf("%d: %s, want %s", i, got, want)
				}
			}
		})
	}
}

// What cannot be decoded is not checked.
func TestCheckOfOthers(t *testing.T) {
	right, wrong := fields{"spec": fields{}}, fields{"spec": 1}
	for _, resource := range []string{
		"validatingadmissionpolicies", "mutatingadmissionpolicies",
		"validatingadmissionpolicybindings", "mutatingadmissionpolicybindings",
	} {
		of := schema.GroupResource{Group: "admissionregistration.k8s.io", Resource: resource}
		_, err := admission.Check(of, wrong, nil, minors.Newest())
		if err == nil || !strings.HasPrefix(err.Error(), "a policy: ") {
			t.Errorf("%s: %v", resource, err)
		}
		_, err = admission.Check(of, right, wrong, minors.Newest())
		if (err != nil) == strings.HasSuffix(resource, "bindings") {
			t.Errorf("%s, old: %v", resource, err)
		}
	}
}
