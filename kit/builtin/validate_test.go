package builtin_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
)

// decode decodes a manifest.
func decode(t *testing.T, text string) (object map[string]any) {
	t.Helper()
	for doc, err := range manifest.Read("a.yaml", strings.NewReader(text)) {
		if err == nil {
			object, _, err = doc.Object()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return object
}

const (
	head       = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n"
	selector   = "  selector: {matchLabels: {app: a}}\n"
	pod        = "  template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a}]}}\n"
	deployment = head + "spec:\n" + selector + pod
)

// cronJob returns a CronJob.
func cronJob(schedule, zone string) string {
	const spec = "spec: {schedule: SCHEDULE, timeZone: ZONE, jobTemplate: {spec: {template: " +
		"{spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}}}\n"
	return "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\n" +
		strings.NewReplacer("SCHEDULE", schedule, "ZONE", zone).Replace(spec)
}

var validations = []struct {
	name, text      string
	minor           minors.Minor
	unknown, errors []string
}{
	{name: "a deployment", text: deployment},
	{name: "unknown fields", text: strings.NewReplacer("{name: d}", "{name: d, lables: {}}",
		"{name: a}", "{name: a, livenessProbe: {httpGet: {port: 1, periodSeconds: 1}}}").Replace(deployment),
		unknown: []string{"metadata.lables",
			"spec.template.spec.containers[0].livenessProbe.httpGet.periodSeconds"}},
	{name: "ports out of range", text: strings.Replace(deployment, "{name: a}",
		"{name: a, ports: [{containerPort: 80800, hostPort: 0}, {containerPort: 80, hostPort: -1}]}", 1),
		errors: []string{
			"spec.template.spec.containers[0].ports[0].containerPort: Invalid value: 80800: " +
				"must be between 1 and 65535, inclusive",
			"spec.template.spec.containers[0].ports[1].hostPort: Invalid value: -1: " +
				"must be between 1 and 65535, inclusive"}},
	{name: "ports of a Service", text: "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n" +
		"spec: {ports: [{port: 70000, targetPort: web}, {port: 1, name: b, targetPort: 70001}]}\n",
		errors: []string{
			"spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive",
			"spec.ports[1].targetPort: Invalid value: 70001: must be between 1 and 65535, inclusive"}},
	{name: "an enum does not hide what else is wrong with a Deployment",
		text: strings.Replace(deployment, "{app: a}}, spec: {containers: [{name: a}]}",
			"{app: b}}, spec: {containers: [{name: a, imagePullPolicy: always, "+
				"ports: [{containerPort: 99999}], volumeMounts: [{name: v, mountPath: /v}]}]}", 1),
		errors: []string{
			"spec.template.spec.containers[0].imagePullPolicy: Unsupported value: \"always\": " +
				"supported values: \"Always\", \"IfNotPresent\", \"Never\"",
			"spec.template.metadata.labels: Invalid value: {\"app\":\"b\"}: " +
				"`selector` does not match template `labels`",
			"spec.template.spec.containers[0].volumeMounts[0].name: Not found: \"v\"",
			"spec.template.spec.containers[0].ports[0].containerPort: Invalid value: 99999: " +
				"must be between 1 and 65535, inclusive"}},
	{name: "an enum does not hide the range of a port", text: "apiVersion: v1\nkind: Service\n" +
		"metadata: {name: s}\nspec: {ports: [{port: 70000, protocol: tcp}]}\n", errors: []string{
		`spec.ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"`,
		"spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive"}},
	{name: "a value of a wrong type ends the validation", text: "apiVersion: v1\nkind: Service\n" +
		"metadata: {name: s}\nspec: {publishNotReadyAddresses: 1, ports: [{port: 70000}]}\n",
		errors: []string{"spec.publishNotReadyAddresses: Invalid value: \"integer\": " +
			"spec.publishNotReadyAddresses in body must be of type boolean: \"integer\""}},
	{name: "types", text: deployment + "  replicas: many\n  paused: 1\n", errors: []string{
		`spec.paused: Invalid value: "integer": spec.paused in body must be of type boolean: "integer"`,
		`spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"`}},
	{name: "required fields", text: head + "spec: {selector: {}, template: {spec: {containers: [{}]}}}\n",
		errors: []string{"spec.template.spec.containers[0].name: Required value"}},
	{name: "fields that have a default are not required", text: "apiVersion: rbac.authorization.k8s.io/v1\n" +
		"kind: RoleBinding\nmetadata: {name: 'system:a'}\nroleRef: {kind: Role, name: a}\n", minor: "1.30"},
	{name: "nulls are absent fields", text: deployment + "  replicas: null\n  strategy: null\n" +
		"status: null\n"},
	{name: "a null instead of an object that is required", text: head + "spec:\n" + selector +
		"  template: null\n", errors: []string{"spec.template: Required value"}},
	{name: "an empty string in place of one that is required", text: strings.Replace(deployment,
		"{name: a}", "{name: ''}", 1), errors: []string{
		"spec.template.spec.containers[0].name: Required value"}},
	{name: "an enum", text: strings.Replace(deployment, "{name: a}",
		"{name: a, imagePullPolicy: Sometimes, terminationMessagePolicy: ''}", 1), errors: []string{
		"spec.template.spec.containers[0].imagePullPolicy: Unsupported value: \"Sometimes\": " +
			`supported values: "Always", "IfNotPresent", "Never"`}},
	{name: "duplicates that a server refuses", text: strings.Replace(deployment, "[{name: a}]",
		"[{name: a}, {name: a}]", 1),
		errors: []string{`spec.template.spec.containers[1]: Duplicate value: {"name":"a"}`}},
	{name: "duplicates that a server accepts", text: strings.Replace(deployment, "{name: a}",
		"{name: a, env: [{name: A}, {name: A}]}", 1)},
	{name: "the status of a new object is dropped", text: deployment + "status: {conditions: [{}]}\n"},
	{name: "the type of the status", text: deployment + "status: {replicas: a}\n", errors: []string{
		`status.replicas: Invalid value: "string": status.replicas in body must be of type integer: "string"`}},
	{name: "quantities", text: strings.Replace(deployment, "{name: a}",
		"{name: a, resources: {limits: {cpu: 0.5, memory: 1Gb}, requests: {cpu: true}}}", 1), errors: []string{
		`spec.template.spec.containers[0].resources.limits[memory]: Invalid value: "1Gb": quantities ` +
			"must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
		"spec.template.spec.containers[0].resources.requests[cpu]: Invalid value: true: must be a " +
			"quantity, e.g. 500m or 1Gi: a string or a number"}},
	{name: "a selector", text: strings.Replace(deployment, "labels: {app: a}", "labels: {app: b}", 1),
		errors: []string{"spec.template.metadata.labels: Invalid value: {\"app\":\"b\"}: `selector` " +
			"does not match template `labels`"}},
	{name: "expressions of a selector", text: strings.Replace(deployment, "matchLabels: {app: a}",
		"matchExpressions: [{key: app, operator: In, values: [a]}, {key: app, operator: Exists}, "+
			"{key: b, operator: DoesNotExist}, {key: app, operator: NotIn, values: [b]}]", 1)},
	{name: "an expression that does not match", text: strings.Replace(deployment,
		"matchLabels: {app: a}", "matchExpressions: [{key: app, operator: NotIn, values: [a]}]", 1),
		errors: []string{"spec.template.metadata.labels: Invalid value: {\"app\":\"a\"}: `selector` " +
			"does not match template `labels`"}},
	{name: "labels below", text: strings.NewReplacer("{app: a}", "{'a b': a}").Replace(deployment),
		errors: []string{
			"spec.selector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric " +
				"characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
				"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
				"'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
			"spec.template.metadata.labels: Invalid value: \"a b\": name part must consist of " +
				"alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
				"character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
				"'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"}},
	{name: "a name", text: "apiVersion: v1\nkind: Namespace\nmetadata: {name: a.b}\n", errors: []string{
		"metadata.name: Invalid value: \"a.b\": must not contain dots"}},
	{name: "no name", text: "apiVersion: v1\nkind: ConfigMap\n",
		errors: []string{"metadata.name: Required value: name or generateName is required"}},
	{name: "a generated name", text: "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: a-}\n"},
	{name: "a kind that needs no name", text: "apiVersion: authorization.k8s.io/v1\n" +
		"kind: SelfSubjectAccessReview\nspec: {}\n"},
	{name: "a namespace of a cluster's object", text: "apiVersion: v1\nkind: Namespace\n" +
		"metadata: {name: a, namespace: b}\n"},
	{name: "bytes", text: "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: YQ==, b: 'no'}\n",
		errors: []string{"data[b]: Invalid value: \"no\": must be encoded in base64: illegal base64 " +
			"data at input byte 0"}},
	{name: "a time", text: "apiVersion: v1\nkind: Event\nmetadata: {name: e}\ninvolvedObject: {}\n" +
		"firstTimestamp: yesterday\n", errors: []string{"firstTimestamp: Invalid value: " +
		"\"yesterday\": must be a time like 2006-01-02T15:04:05Z"}},
	{name: "an integer or a string", text: "apiVersion: policy/v1\nkind: PodDisruptionBudget\n" +
		"metadata: {name: b}\nspec: {minAvailable: 3000000000}\n",
		errors: []string{"spec.minAvailable: Invalid value: 3000000000: must fit into 32 bits"}},
	{name: "a field of a newer minor", text: strings.Replace(deployment, "containers:",
		"hostnameOverride: a, containers:", 1), minor: "1.33",
		unknown: []string{"spec.template.spec.hostnameOverride"}},
	{name: "a field of this minor", text: strings.Replace(deployment, "containers:",
		"hostnameOverride: a, containers:", 1), minor: "1.34"},
	{name: "a schedule", text: cronJob("'*/5 1-3 * jan mon'", "Europe/Berlin")},
	{name: "a name of a schedule", text: cronJob("'@hourly'", "Etc/GMT+1")},
	{name: "a text that is no schedule", text: cronJob("nonsense", "a b"), errors: []string{
		`spec.schedule: Invalid value: "nonsense": expected exactly 5 fields, found 1: [nonsense]`,
		`spec.timeZone: Invalid value: "a b": unknown time zone a b`}},
	{name: "a minute that there is not", text: cronJob("60 * * * *", "../zone"), errors: []string{
		`spec.schedule: Invalid value: "60 * * * *": end of range (60) above maximum (59): 60`,
		`spec.timeZone: Invalid value: "../zone": unknown time zone ../zone`}},
	{name: "a zone within a schedule", text: cronJob("TZ=Europe/Berlin 1 * * * *", "local"),
		errors: []string{
			`spec.schedule: Invalid value: "TZ=Europe/Berlin 1 * * * *": cannot use TZ or CRON_TZ in ` +
				"schedule, use timeZone field instead",
			`spec.timeZone: Invalid value: "local": timeZone must be an explicit time zone as ` +
				"defined in https://www.iana.org/time-zones"}},
	{name: "a zone without a schedule", text: cronJob("TZ=0", "''"), errors: []string{
		`spec.schedule: Invalid value: "TZ=0": cannot use TZ or CRON_TZ in schedule, use timeZone ` +
			"field instead",
		`spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string`}},
	{name: "an empty schedule", text: cronJob("''", "UTC"), errors: []string{
		"spec.schedule: Required value"}},
	{name: "a definition", text: "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n" +
		"metadata: {name: as.example.com}\nspec: {group: example.com, scope: Cluster, names: " +
		"{kind: A, plural: as}, versions: [{name: v1, served: true, storage: true, schema: " +
		"{openAPIV3Schema: {type: object, anything: 1}}}]}\n"},
}

// An object has the findings on its fields, and no others. It is not changed.
func TestValidate(t *testing.T) {
	for _, c := range validations {
		t.Run(c.name, func(t *testing.T) {
			object := decode(t, c.text)
			before := jsonvalue.DeepCopyMap(object)
			k, err := builtin.Find(manifest.TypeOf(object), c.minor)
			if err != nil {
				t.Fatal(err)
			}
			r := k.Validate(context.Background(), object)
			var errs []string
			for _, err := range r.Errors {
				errs = append(errs, err.Error())
			}
			if diff := cmp.Diff(c.unknown, r.Unknown); diff != "" {
				t.Errorf("unknown fields (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.errors, errs); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, object); diff != "" {
				t.Errorf("the object was changed:\n%s", diff)
			}
		})
	}
}

// A context that has ended is no verdict.
func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	object := decode(t, deployment)
	k, err := builtin.Find(manifest.TypeOf(object), "")
	if err != nil {
		t.Fatal(err)
	}
	if r := k.Validate(ctx, object); len(r.Errors) == 0 {
		t.Error("no error")
	}
}
