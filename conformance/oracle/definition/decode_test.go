package definition_test

import (
	"fmt"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver"
)

// Every kind that the server knows, in every version, is rejected with the same
// text unless it is a definition.
func TestOtherKinds(t *testing.T) {
	seen := 0
	for kind := range apiserver.Scheme.AllKnownTypes() {
		for _, version := range []string{
			kind.GroupVersion().String(), "apiextensions.k8s.io/v1",
			"apiextensions.k8s.io/__internal", "v1", "any.group/v7",
		} {
			doc := fmt.Sprintf(`{"apiVersion":%q,"kind":%q}`, version, kind.Kind)
			if seen++; !sameDefinition(doc, "") {
				t.Error(report(realDefinition(doc, ""), ourDefinition(doc, ""), doc))
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d documents", seen)
	}
}

// Documents that are almost not definitions are rejected with the same texts,
// or decoded to the same value.
func TestOddDocuments(t *testing.T) {
	spec := `"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","kind":"K"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}`
	for _, doc := range []string{
		``, ` `, `{`, ` {`, "\t{", `{}`, ` {}`, `null`, `[]`, `5`, `"x"`, "a: [", "a: b\nc", "- a", "---\n{}",
		`{"kind":"X"}`, `{"kind":5}`, `{"apiVersion":5}`, `{"apiVersion":"a/b/c"}`, `{"apiVersion":"a/"}`, `{"apiVersion":"/"}`, `{"apiVersion":"/v1"}`,
		`{"apiVersion":"apiextensions.k8s.io/"}`, `{"apiVersion":"apiextensions.k8s.io/v2"}`,
		`{"apiVersion":"v1"}`, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition"}`, `{"KIND":"X"}`, `{"Kind":"CustomResourceDefinition","ApiVersion":"apiextensions.k8s.io/v1beta1"}`,
		`{"metadata":5}`, `{"metadata":{"name":5}}`, `{"metadata":{"labels":{"a":1}}}`, `{"metadata":{"creationTimestamp":"x"}}`, `{"metadata":{"uid":1}}`,
		`{"metadata":{"ownerReferences":[{"uid":1}]}}`, `{"metadata":{"managedFields":[{"fieldsV1":5,"operation":5}]}}`, `{"metadata":{"bogus":1,"name":"a","name":"b"}}`,
		`{"status":{"conditions":[{"lastTransitionTime":"x"}]}}`, `{"status":{"conditions":[{"lastTransitionTime":5}]}}`, `{"status":{"conditions":5}}`,
		`{"spec":{"versions":{}}}`, `{"spec":{"versions":[5]}}`, `{"spec":{"versions":[null]}}`, `{"spec":{"preserveUnknownFields":"x"}}`, `{"spec":null}`,
		`{"spec":{"conversion":{"webhook":{"clientConfig":{"caBundle":"%"}}}}}`, `{"spec":{"conversion":{"webhook":{"clientConfig":{"caBundle":[1,2]}}}}}`,
		`{"spec":{"conversion":{"webhook":{"clientConfig":{"service":{"port":99999999999}}}}}}`, `{"spec":{"conversion":{"webhookClientConfig":{}}}}`,
		`{"spec":{"names":{"kind":"A","kind":"B"},"bogus":1,"versions":[{"bogus":2,"schema":{"openAPIV3Schema":{"bogus":3,"items":{"bogus":4},"properties":{"a":{"bogus":5}}}}}]}}`,
		`{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"default":1e400}}}]}}`, `{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"maximum":1e400}}}]}}`,
		`{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"properties":{"a":{"type":"x"}},"properties":{"a":{"format":"y"},"b":{}}}}}]}}`,
		`{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"type":["x"]}}}]}}`, `{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"items":{"type":["x"]}}}}]}}`,
		`{"spec":{"versions":[{"name":"a","name":"b","additionalPrinterColumns":[{"JSONPath":".a","jsonPath":".b","priority":1.5}]}]}}`,
		`{"metadata":{"name":"ks.g.io"},` + spec + `}`, `{"metadata":{"name":"ks.g.io"},` + spec + `,` + spec + `}`,
		"kind: X", "kind: CustomResourceDefinition\nkind: CustomResourceDefinition\nspec: {group: a, group: b}", "spec: {bogus: 1}", "apiVersion: a/",
		`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},"spec":{"group":"g.io","version":"v1","names":{"plural":"ks","kind":"K"},"validation":{"openAPIV3Schema":{"type":"object","properties":{"a":{"type":"string","default":"x"}}}}}}`,
		`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},"spec":{"group":"g.io","preserveUnknownFields":false,"names":{"plural":"ks","kind":"K"},"validation":{"openAPIV3Schema":{"type":"object"}},"subresources":{"status":{}},"additionalPrinterColumns":[{"name":"a","type":"string","JSONPath":".a"}],"versions":[{"name":"v2","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}},"additionalPrinterColumns":[{"name":"a","type":"string","jsonPath":".a"}]},{"name":"v3","schema":{"openAPIV3Schema":{"type":"object"}},"subresources":{"status":{}}}]}}`,
		`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","spec":{"version":5}}`, `{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","spec":{"names":5,"conversion":{"strategy":"Webhook"}}}`,
		`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","spec":{"versions":5}}`, `{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","spec":{"validation":{"openAPIV3Schema":5}}}`,
		`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","metadata":5}`, `{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","spec":{"conversion":{"strategy":"Webhook","webhook":{}}}}`,
	} {
		if !sameDefinition(doc, "") {
			t.Error(report(realDefinition(doc, ""), ourDefinition(doc, ""), doc))
		}
	}
}
