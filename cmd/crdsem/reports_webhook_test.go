package main

import (
	"strings"
	"testing"
)

// A stricter version behind a conversion webhook (cluster-api#12605,
// cluster-api#13648, cluster-api-provider-azurestackhci#308).
func TestR02UpgradeWebhook(t *testing.T) {
	const (
		loose = `{type: object, properties: {cfg: {type: object, properties: {a: {type: string}}}, reason: {type: string}}}`
		tight = `{type: object, required: [reason], properties: {cfg: {type: object, minProperties: 1, properties: {a: {type: string}}}, reason: {type: string, minLength: 1}}}`
		kinds = `{type: object, properties: {mode: {type: string}}}`
		modes = `{type: object, properties: {mode: {type: string, enum: [a, b]}}}`
		ruled = `{type: object, properties: {mode: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: "self != 'x'"}]}}}`
		fills = `{type: object, required: [mode], properties: {mode: {type: string, default: a}}}`
	)
	decides := "a webhook decides"
	one := func(schema string) string { return boxes(byWebhook, [2]string{"v1beta1", schema}) }
	both := func(v1, v1beta1 string) string {
		return boxes(byWebhook, [2]string{"v1", v1}, [2]string{"v1beta1", v1beta1})
	}
	object := boxOf("v1beta1", "cfg: {}")
	runReports(t, map[string]string{
		"old.yaml": boxes("", [2]string{"v1beta1", loose}), "webhook.yaml": both(tight, loose),
		"none.yaml":   boxes("", [2]string{"v1", tight}, [2]string{"v1beta1", loose}),
		"stored.yaml": object, "new.yaml": boxOf("v1", "cfg: {a: b}, reason: r"),
		"case.crdtest.yaml": "crds: webhook.yaml\ncases:\n- name: read\n  stored: {apiVersion: ex.io/v1beta1, kind: Box, metadata: {name: a, namespace: default}, spec: {cfg: {}}}\n  read: v1\n",
	}, []reportCase{
		{name: "upgrade", command: "upgrade old.yaml webhook.yaml stored.yaml",
			want: []string{decides, "spec.reason", "1 object: 1 a webhook decides"}, not: []string{"1 unaffected"}},
		{name: "upgrade without a webhook", command: "upgrade old.yaml none.yaml stored.yaml", code: exitRefused,
			not: []string{"1 unaffected"}, want: []string{"through v1"}},
		{name: "admit", command: "admit --crd webhook.yaml --old stored.yaml new.yaml", code: exitNotJudged,
			want: []string{"a conversion webhook decides", "1 ex.io/v1 Box; --webhook URL asks it"}, not: []string{"would not answer"}},
		{name: "test", command: "test case.crdtest.yaml", code: exitRefused, want: []string{"not judged: a conversion webhook decides; --webhook URL asks it"},
			not: []string{"would not answer", "no webhook was given"}},
		{name: "convert", command: "convert --crd webhook.yaml --to v1 stored.yaml", code: exitNotJudged, want: []string{"--webhook URL asks it"}},
		{name: "validate counts", command: "validate --crd webhook.yaml stored.yaml",
			want: []string{"not judged, a conversion webhook decides what is stored: 1 object; --webhook URL asks it"}},
		{name: "validate of the storage version", command: "validate --crd webhook.yaml new.yaml", not: []string{"decides what is stored"}},
		{name: "an enum behind a webhook", command: "upgrade o.yaml n.yaml s.yaml",
			files: map[string]string{"o.yaml": one(kinds), "n.yaml": both(modes, kinds), "s.yaml": boxOf("v1beta1", "mode: c")},
			want:  []string{"spec.mode", decides}, not: []string{"1 unaffected"}},
		{name: "a rule behind a webhook", command: "upgrade o.yaml n.yaml s.yaml",
			files: map[string]string{"o.yaml": one(kinds), "n.yaml": both(ruled, kinds), "s.yaml": boxOf("v1beta1", "mode: x")},
			want:  []string{"spec.mode", decides}, not: []string{"1 unaffected"}},
		{name: "a default behind a webhook meets what it requires", command: "upgrade o.yaml n.yaml s.yaml",
			files: map[string]string{"o.yaml": one(kinds), "n.yaml": both(fills, kinds), "s.yaml": boxOf("v1beta1", "mode: c")},
			want:  []string{"1 object: 1 a webhook decides"}, not: []string{"1 unaffected"}},
		{name: "a looser version behind a webhook", command: "upgrade o.yaml n.yaml s.yaml",
			files: map[string]string{"o.yaml": one(modes), "n.yaml": both(kinds, modes), "s.yaml": boxOf("v1beta1", "mode: a")},
			want:  []string{decides}, not: []string{"1 unaffected"}},
		{name: "the storage version stays", command: "upgrade o.yaml n.yaml s.yaml",
			files: map[string]string{"o.yaml": one(kinds),
				"n.yaml": boxes(byWebhook, [2]string{"v1beta1", kinds}, [2]string{"v1", modes}), "s.yaml": boxOf("v1beta1", "mode: c")},
			want: []string{decides}, not: []string{"1 unaffected"}},
		{name: "fewer items behind a webhook", command: "upgrade o.yaml n.yaml s.yaml",
			files: map[string]string{"o.yaml": one(`{type: object, properties: {l: {type: array, items: {type: string}}}}`), "s.yaml": boxOf("v1beta1", "l: [a, b]"),
				"n.yaml": both(`{type: object, properties: {l: {type: array, maxItems: 1, items: {type: string}}}}`, `{type: object, properties: {l: {type: array, items: {type: string}}}}`)},
			want: []string{"spec.l: at most 1 items", "1 object: 1 a webhook decides"}},
		{name: "another type behind a webhook", command: "upgrade o.yaml n.yaml s.yaml",
			files: map[string]string{"o.yaml": one(kinds), "n.yaml": both(`{type: object, properties: {mode: {type: object}}}`, kinds), "s.yaml": boxOf("v1beta1", "mode: c")},
			want:  []string{`spec.mode: another type ("object", was "string")`, `another type ("string", was "object")`, "1 a webhook decides"}},
		{name: "a field with another name", command: "upgrade o.yaml n.yaml s.yaml",
			files: map[string]string{"o.yaml": one(`{type: object, required: [was], properties: {was: {type: string}}}`), "s.yaml": boxOf("v1beta1", "was: x"),
				"n.yaml": both(`{type: object, required: [is], properties: {is: {type: string}}}`, `{type: object, required: [was], properties: {was: {type: string}}}`)},
			want: []string{"v1 to v1beta1: the conversion webhook has to meet what every write does: spec.was: required", "v1beta1 to v1: the conversion webhook has to meet what every write does: spec.is: required"}},
		{name: "values of a map behind a webhook", command: "upgrade o.yaml n.yaml s.yaml",
			files: map[string]string{"o.yaml": one(`{type: object, properties: {m: {type: object, additionalProperties: {type: string}}}}`), "s.yaml": boxOf("v1beta1", "m: {k: b}"),
				"n.yaml": both(`{type: object, properties: {m: {type: object, additionalProperties: {type: string, pattern: "^a"}}}}`, `{type: object, properties: {m: {type: object, additionalProperties: {type: string}}}}`)},
			want: []string{"spec.m[*]: pattern admits less", "1 a webhook decides"}},
		{name: "a stricter version that is not stored", command: "upgrade o.yaml n.yaml s.yaml",
			files: map[string]string{"o.yaml": one(kinds), "s.yaml": boxOf("v1beta1", "mode: c"),
				"n.yaml": boxes(byWebhook, [2]string{"v1beta1", kinds}, [2]string{"v1", `{type: object, required: [id], properties: {id: {type: string}}}`})},
			want: []string{"spec.id: required", "a webhook decides through v1"}, not: []string{"1 unaffected"}},
		{name: "the webhook goes", command: "upgrade o.yaml n.yaml s.yaml", code: exitRefused,
			files: map[string]string{"o.yaml": boxes(byWebhook, [2]string{"v1beta1", kinds}, [2]string{"v1", kinds}), "s.yaml": boxOf("v1beta1", "mode: c"),
				"n.yaml": boxes("", [2]string{"v1beta1", kinds}, [2]string{"v1", modes})},
			want: []string{`conversion.strategy differs ("None", was "Webhook")`, "ratcheted through v1"}, not: []string{"1 unaffected"}},
		{name: "a list of which some objects need it", command: "convert --crd webhook.yaml --to v1 l.yaml", code: exitNotJudged,
			files: map[string]string{"l.yaml": "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: ex.io/v1beta1, kind: Box, metadata: {name: a}, spec: {}}\n- {apiVersion: ex.io/v1, kind: Box, metadata: {name: b}, spec: {reason: r}}\n"},
			want:  []string{"  name: b\n", "l.yaml:4:16: not judged: a conversion webhook decides"}},
		{name: "drift for GitOps", command: "diff --gitops --crd webhook.yaml stored.yaml", code: exitFailed, want: []string{"not judged: a conversion webhook decides"}},
		{name: "several objects are counted", command: "upgrade old.yaml webhook.yaml stored.yaml b.yaml",
			files: map[string]string{"b.yaml": named(object, "b")}, want: []string{"2 objects: 2 a webhook decides"}},
		{name: "JSON", command: "upgrade -o json old.yaml webhook.yaml stored.yaml",
			want: []string{`"webhookDecides"`}},
		{name: "a build that fails on it", command: "upgrade --fail-on notable old.yaml webhook.yaml stored.yaml", code: exitRefused,
			want: []string{decides}},
		{name: "Markdown", command: "upgrade -o markdown old.yaml webhook.yaml stored.yaml",
			want: []string{decides}},
		{name: "an apply", command: "admit --apply me --crd webhook.yaml --old stored.yaml new.yaml", code: exitNotJudged,
			want: []string{"a conversion webhook decides"}},
		{name: "a patch", command: "admit --patch p.yaml --version v1 --crd webhook.yaml stored.yaml", code: exitNotJudged,
			files: map[string]string{"p.yaml": "spec: {reason: r}\n"}, want: []string{"a conversion webhook decides"}},
		{name: "drift", command: "diff --server stored.yaml --crd webhook.yaml new.yaml",
			code: exitFailed, want: []string{"not judged: a conversion webhook decides"}},
		{name: "a webhook that is not there", command: "admit --webhook http://127.0.0.1:1/ --crd webhook.yaml stored.yaml", code: exitRefused,
			want: []string{"conversion webhook for ex.io/v1beta1, Kind=Box failed", "[CONV-027]", "the error is of the conversion webhook"}},
		{name: "a suite wants the error of a webhook that cannot be asked", command: "test --webhook http://127.0.0.1:1/ s.crdtest.yaml",
			files: map[string]string{"s.crdtest.yaml": "crds: webhook.yaml\ncases:\n- name: c\n  stored: {apiVersion: ex.io/v1beta1, kind: Box, metadata: {name: a}, spec: {}}\n  patch: {spec: {reason: r}}\n  version: v1\n" +
				"  want: {error: 'conversion webhook for ex.io/v1beta1, Kind=Box failed'}\n"},
			want: []string{"1 passed"}},
		{name: "a CA that is no certificate", command: "admit --webhook https://127.0.0.1:1/ --ca old.yaml --crd webhook.yaml stored.yaml", code: exitFailed,
			want: []string{"--webhook"}},
	})
}

// A webhook of the user converts: what it changes is judged by the schemas of
// both sides, by every command that has it.
func TestR02AsksTheWebhook(t *testing.T) {
	url := converting(t, func(uid, to string, objects []map[string]any) string {
		for _, o := range objects {
			o["apiVersion"] = to
			spec := o["spec"].(map[string]any)
			if spec["mode"] == "lies" {
				o["kind"] = "Other"
			}
			if strings.HasSuffix(to, "/v1") {
				spec["more"] = "added" // which the schema lacks
				if spec["mode"] == nil {
					spec["mode"] = "from the webhook"
				}
			}
		}
		return reviewOf(uid, objects...)
	})
	const (
		old = `{type: object, properties: {mode: {type: string}}}`
		now = `{type: object, required: [mode], properties: {mode: {type: string, maxLength: 16}}}`
	)
	runReports(t, map[string]string{
		"old.yaml":  boxes(byWebhook, [2]string{"v1beta1", old}),
		"crd.yaml":  boxes(byWebhook, [2]string{"v1", now}, [2]string{"v1beta1", old}),
		"obj.yaml":  boxOf("v1beta1", ""),
		"long.yaml": boxOf("v1beta1", "mode: much longer than that"),
		"lies.yaml": named(boxOf("v1beta1", "mode: lies"), "b"),
		"s.crdtest.yaml": "crds: crd.yaml\ncases:\n- name: c\n  convert: {apiVersion: ex.io/v1beta1, kind: Box, spec: {}}\n" +
			"  want:\n    versions: {v1: {apiVersion: ex.io/v1, kind: Box, spec: {mode: from the webhook}}}\n    mayLose: [spec.mode]\n",
		"c.yaml": "validate:\n  webhook: " + url + "\nupgrade:\n  webhook: " + url + "\n",
	}, []reportCase{
		{name: "admit", command: "admit --webhook " + url + " --crd crd.yaml obj.yaml",
			want: []string{"mode: from the webhook", "accepted: Box default/a"}, not: []string{"more: added"}},
		{name: "validate", command: "validate --webhook " + url + " --crd crd.yaml obj.yaml", not: []string{"not judged, a conversion"}},
		{name: "the configuration names it", command: "validate --config c.yaml --crd crd.yaml obj.yaml", not: []string{"not judged, a conversion"}},
		{name: "convert", command: "convert --webhook " + url + " --crd crd.yaml --to v1 obj.yaml",
			want: []string{"mode: from the webhook", "spec.more is lost"}, not: []string{"more: added"}},
		{name: "convert to what is invalid", command: "convert --webhook " + url + " --crd crd.yaml --to v1 long.yaml", code: exitRefused,
			want: []string{"as a new object of v1 it is refused: spec.mode: Too long"}},
		{name: "upgrade", command: "upgrade --webhook " + url + " old.yaml crd.yaml obj.yaml", not: []string{"a webhook decides what", "1 a webhook decides"}},
		{name: "upgrade finds what is invalid", command: "upgrade --webhook " + url + " old.yaml crd.yaml long.yaml",
			want: []string{"ratcheted through v1", "spec.mode: Too long"}, not: []string{"1 unaffected", "1 a webhook decides"}},
		{name: "test", command: "test --webhook " + url + " s.crdtest.yaml", want: []string{"1 passed"}},
		{name: "one that lies does not stop the others", command: "admit --webhook " + url + " --crd crd.yaml lies.yaml obj.yaml", code: exitRefused,
			want: []string{"refused: Box default/b", "accepted: Box default/a", "invalid kind (expected Box, received Other)"}},
	})
}
