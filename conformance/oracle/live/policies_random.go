package live

import (
	"fmt"
	"math/rand/v2"
)

// Parts of random policies. Some expressions fail, some do not compile.
var (
	randomConditions = []string{
		"true", "false", "object.spec.size < 5", "object == null", "oldObject != null",
		"object.spec.size > oldObject.spec.size", "variables.a > 3", "variables.b", "variables.c",
		"has(object.spec) && variables.a != 1", "request.operation in ['CREATE', 'DELETE']",
		"params == null", "params.spec.size >= object.spec.size", "object.spec.none", "1 + 1", "1 +",
		"namespaceObject.metadata.name == request.namespace", "size(object) == 4",
		"request.subResource == 'status'", "authorizer.path('/a').check('get').allowed()",
		"object.metadata.labels.all(k, v, k != v)", "object.?spec.?size.orValue(0) == 1",
		"object.spec == oldObject.spec", "variables.a == params.spec.size || variables.b",
		"object.spec.list.exists(x, x == 'a')", "object.spec.name.matches('^[a-z]+$')",
		"quantity(object.spec.name).isLessThan(quantity('2'))", "dyn(object).spec.size == 9u",
		"type(object) == map", "object.spec.map['a'] == 'b'", "int(object.spec.name) > 1",
	}
	randomTexts = []string{
		"'text'", "string(object.spec.size)", "request.name", "''", "'a\\nb'", "object.spec.name",
		"string(variables.a)", "'size ' + string(params.spec.size)", "null", "1",
		"namespaceObject.metadata.name", "'%d of %s'.format([variables.a, object.spec])",
		"authorizer.path('/').check('get').reason()", "string(variables.c)", "string(object.spec.none)",
	}
	randomVariables = []string{
		"object.spec.size", "1", "'a' == 'b'", "object.spec.none", "[1, 2]", "params", "variables.a",
		"oldObject", "has(object.spec.name)", "1 +", "object.?spec.size",
	}
	randomObjects = []map[string]any{
		{"spec": map[string]any{"size": 1}}, {"spec": map[string]any{"size": 9, "name": "a"}},
		{"spec": map[string]any{"name": "1500m", "list": []any{"a", "b"}}}, {},
		{"spec": map[string]any{"size": 4, "map": map[string]any{"a": "b"}, "name": "2"}},
		{"spec": map[string]any{"size": 4}, "status": map[string]any{"size": 1}},
	}
)

// randomPolicy returns a policy of random parts.
func randomPolicy(rng *rand.Rand, n int) *policyCase {
	c := &policyCase{Name: fmt.Sprintf("random-%d", n), Stored: true}
	sometimes := func(in int) bool { return rng.IntN(in) == 0 }
	one := func(of []string) string { return of[rng.IntN(len(of))] }
	spec := map[string]any{}
	if sometimes(3) {
		spec["failurePolicy"] = "Ignore"
	}
	for _, name := range []string{"a", "b", "c"}[:rng.IntN(4)] {
		list, _ := spec["variables"].([]any)
		spec["variables"] = append(list,
			map[string]any{"name": name, "expression": one(randomVariables)})
	}
	if sometimes(3) {
		spec["matchConditions"] = []any{
			map[string]any{"name": "a", "expression": one(randomConditions)},
			map[string]any{"name": "b", "expression": one(randomConditions)},
		}
	}
	var validations, annotations []any
	for range 1 + rng.IntN(3) {
		validation := map[string]any{"expression": one(randomConditions)}
		if sometimes(2) {
			validation["messageExpression"] = one(randomTexts)
		}
		if sometimes(3) {
			validation["message"] = "message"
		}
		if sometimes(4) {
			validation["reason"] = one([]string{"Forbidden", "Invalid", "RequestEntityTooLarge"})
		}
		validations = append(validations, validation)
	}
	if sometimes(4) {
		annotations = append(annotations, map[string]any{
			"key": "a", "valueExpression": one(randomTexts),
		})
	}
	spec["validations"], spec["auditAnnotations"] = validations, annotations
	c.Policy, c.Binding = spec, map[string]any{}
	if sometimes(3) {
		c.Binding["validationActions"] = []any{one([]string{"Warn", "Audit"})}
	}
	c.randomParams(rng)
	c.randomRules(rng)
	if sometimes(3) {
		c.randomMutating(rng)
	}
	for range 2 {
		object := randomObjects[rng.IntN(len(randomObjects))]
		c.Objects = append(c.Objects, copyValue(object).(map[string]any))
	}
	return c
}

// randomMutations are expressions of mutations by the types of their patches.
var randomMutations = map[string][]string{
	"applyConfiguration": {
		"Object{}", "Object{spec: Object.spec{size: 3}}", "Object{spec: Object.spec{size: 'a'}}",
		"Object{spec: Object.spec{size: object.spec.size + 1, made: request.name}}",
		"Object{metadata: Object.metadata{labels: {'a': 'b'}, finalizers: ['a.b/c']}}",
		"Object{metadata: Object.metadata{ownerReferences: [Object.metadata.ownerReferences{uid: 'a'}]}}",
		"Object{spec: Object.spec{map: Object.spec.map{a: variables.a}}}", "Object{spec: params.spec}",
		"Object{spec: Object.spec{list: ['a', 1, null, [1], {'a': 1}]}}", "Object{spec: object}",
		"Object{metadata: Object.metadata{managedFields: []}}", "Object{status: Object.status{a: 1}}",
		"Object{spec: Object.none{}}", "Object{spec: Object.spec{a: Object.spec.b{}}}", "1", "Object{1}",
		"has(object.spec.size) ? Object{spec: Object.spec{size: 1}} : Object{}", "Object",
	},
	"jsonPatch": {
		"[]", "[JSONPatch{op: 'add', path: '/spec/made', value: 1}]", "[1]", "[JSONPatch{}]",
		"[JSONPatch{op: 'test', path: '/spec/size', value: 9}, JSONPatch{op: 'remove', path: '/spec/size'}]",
		"[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: 'c'}]",
		"[JSONPatch{op: 'add', path: '/spec/made', value: Object.spec{size: variables.a}}]",
		"[JSONPatch{op: 'add', path: '/spec/made', value: [params.spec, object.spec]}]",
		"object.spec.list.map(x, JSONPatch{op: 'add', path: '/spec/' + x, value: x})",
		"[JSONPatch{op: 'add', path: '/spec/size', value: object.spec.size + 1}]",
		"[JSONPatch{op: 'add', path: '/spec/size', value: 'a'}]", "JSONPatch{op: 'add'}",
	},
}

// randomMutating makes a policy one that mutates.
func (c *policyCase) randomMutating(rng *rand.Rand) {
	c.Mutating = true
	delete(c.Policy, "validations")
	delete(c.Policy, "auditAnnotations")
	delete(c.Binding, "validationActions")
	if rng.IntN(2) == 0 {
		c.Policy["reinvocationPolicy"] = "IfNeeded"
	}
	var mutations []any
	for range 1 + rng.IntN(3) {
		field, patchType := "applyConfiguration", "ApplyConfiguration"
		if rng.IntN(3) == 0 {
			field, patchType = "jsonPatch", "JSONPatch"
		}
		of := randomMutations[field]
		mutations = append(mutations, map[string]any{
			"patchType": patchType, field: map[string]any{"expression": of[rng.IntN(len(of))]},
		})
	}
	c.Policy["mutations"] = mutations
}

// randomParams gives a policy parameters, sometimes.
func (c *policyCase) randomParams(rng *rand.Rand) {
	if rng.IntN(2) == 0 {
		return
	}
	c.Policy["paramKind"] = map[string]any{
		"apiVersion": policyGroup + "/v" + fmt.Sprint(1+rng.IntN(2)), "kind": "Thing",
	}
	if rng.IntN(5) == 0 {
		return
	}
	ref := map[string]any{
		"parameterNotFoundAction": []string{"Deny", "Allow"}[rng.IntN(2)],
	}
	c.Binding["paramRef"] = ref
	if rng.IntN(2) == 0 {
		ref["name"] = []string{"limit", "limit", "none"}[rng.IntN(3)]
	} else {
		ref["selector"] = map[string]any{
			"matchLabels": map[string]any{"limit": []string{"a", "b"}[rng.IntN(2)]},
		}
	}
	c.Params = []map[string]any{{
		"apiVersion": policyGroup + "/v1", "kind": "Thing",
		"metadata": map[string]any{"name": "limit", "labels": map[string]any{"limit": "a"}},
		"spec":     map[string]any{"size": 5},
	}}
}

// randomRules limits a policy to some requests, sometimes.
func (c *policyCase) randomRules(rng *rand.Rand) {
	rule := func() []any {
		r := map[string]any{
			"resources":   []any{[]string{"*", "things", "things/status", "*/*"}[rng.IntN(4)]},
			"apiVersions": []any{[]string{"v1", "v2"}[rng.IntN(2)]},
		}
		if rng.IntN(2) == 0 {
			r["operations"] = []any{[]string{"CREATE", "UPDATE", "DELETE"}[rng.IntN(3)]}
		}
		return []any{r}
	}
	constraints := map[string]any{"resourceRules": rule()}
	if rng.IntN(4) == 0 {
		constraints["excludeResourceRules"] = rule()
	}
	if rng.IntN(4) == 0 {
		constraints["matchPolicy"] = "Exact"
	}
	c.Policy["matchConstraints"] = constraints
	if rng.IntN(4) == 0 {
		c.Binding["matchResources"] = map[string]any{"resourceRules": rule()}
	}
	c.Version = []string{"v1", "v1", "v2"}[rng.IntN(3)]
}
