package upgrade_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// twoVersions returns a definition with the versions v1 and v2, each given as
// the properties of spec. An empty string leaves a version out. The conversion
// may be empty.
func twoVersions(v1, v2, conversion string) []byte {
	var versions []string
	for i, properties := range []string{v1, v2} {
		if properties != "" {
			versions = append(versions, fmt.Sprintf(`{"name": "v%d", "served": true, "storage": %t,
"schema": {"openAPIV3Schema": {"type": "object", "properties":
{"spec": {"type": "object", "properties": %s}}}}}`, i+1, len(versions) == 0, properties))
		}
	}
	if conversion != "" {
		conversion = `"conversion": ` + conversion + `,`
	}
	return []byte(`{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "foos.example.com"},
"spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "foos", "kind": "Foo"},` +
		conversion + `"versions": [` + strings.Join(versions, ",") + `]}}`)
}

// Without conversion, served versions are compared with each other, as far as
// the old definition did not have the difference.
func TestAcross(t *testing.T) {
	const (
		plain   = `{"a": {"type": "string"}}`
		more    = `{"a": {"type": "string"}, "b": {"type": "string"}}`
		shorter = `{"a": {"type": "string", "maxLength": 3}}`
		longer  = `{"a": {"type": "string", "maxLength": 5}}`
		ruled   = `{"a": {"type": "string", "x-kubernetes-validations": [{"rule": "self.size() >= 2"}]}}`
		reword  = `{"a": {"type": "string", "x-kubernetes-validations": [{"rule": "self.size() > 1"}]}}`
		webhook = `{"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://example.com"}}}`
	)
	for _, c := range []struct {
		name         string
		old, changed []byte
		want         []string
	}{
		{"equal versions", twoVersions(plain, "", ""), twoVersions(plain, plain, ""), nil},
		{"a field of one version", twoVersions(plain, "", ""), twoVersions(plain, more, ""), []string{
			`v2 to v1 spec.b: properties "string" -> absent: changes storage; breaking`}},
		{"a shorter field", twoVersions(plain, "", ""), twoVersions(plain, shorter, ""), []string{
			`v1 to v2 spec.a: maxLength absent -> 3: stricter; breaking`}},
		{"as before", twoVersions(plain, more, ""), twoVersions(plain, more, ""), nil},
		{"a rule in other words", twoVersions(plain, ruled, ""), twoVersions(plain, reword, ""), nil},
		{"the other version takes more", twoVersions(shorter, shorter, ""), twoVersions(shorter, longer, ""), []string{
			`v2 to v1 spec.a: maxLength 5 -> 3: stricter; breaking`}},
		{"a field that only the other version had", twoVersions(more, plain, ""),
			twoVersions(more, `{"a": {"type": "string"}, "b": {"type": "integer"}}`, ""), []string{
				`v1 to v2 spec.b: type "string" -> "integer": stricter; breaking`,
				`v2 to v1 spec.b: type "integer" -> "string": stricter; breaking`}},
		{"a rule on a field that only the other version had", twoVersions(more, plain, ""), twoVersions(more,
			`{"a": {"type": "string"}, "b": {"type": "string", "x-kubernetes-validations": [{"rule": "self.size() > 1"}]}}`, ""), []string{
			`v1 to v2 spec.b: x-kubernetes-validations absent -> "self.size() > 1": stricter; breaking`}},
		{"the version goes", twoVersions(more, "", ""), twoVersions("", plain, ""), []string{
			`v1 to v2 spec.b: properties "string" -> absent: changes storage; breaking`}},
		{"a webhook converts", twoVersions(plain, "", webhook), twoVersions(plain, more, webhook), nil},
	} {
		var got []string
		for _, change := range compare(t, c.old, c.changed).Changes {
			if change.From == "" {
				continue
			}
			got = append(got, fmt.Sprintf("%v; %s", &change, change.Severity))
			sent := change.Witness
			if sent == nil || sent.Object["apiVersion"] != "example.com/"+change.From {
				t.Errorf("%s: %v: witness %+v", c.name, &change, sent)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// What happens to versions, and to fields that one of them lacks, has words.
func TestWordsOfVersions(t *testing.T) {
	const plain, more = `{"a": {"type": "string"}}`, `{"a": {"type": "string"}, "b": {"type": "string"}}`
	for _, c := range []struct {
		name         string
		old, changed []byte
		want         []string
	}{
		{"a new version with a field", twoVersions(plain, "", ""), twoVersions(plain, more, ""),
			[]string{"the version is served now", "v1 lacks it: a value is lost on the next write"}},
		{"a version goes", twoVersions(plain, plain, ""), twoVersions(plain, "", ""),
			[]string{"the version is gone"}},
		{"a version is not served", twoVersions(plain, plain, ""),
			[]byte(strings.Replace(string(twoVersions(plain, plain, "")), `"v2", "served": true`, `"v2", "served": false`, 1)),
			[]string{"the version is not served any more"}},
	} {
		var got []string
		for _, change := range compare(t, c.old, c.changed).Changes {
			got = append(got, change.Words())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}
