package definition_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/minors"
)

func decoded(t *testing.T, plural, kind, versions, rest string) *definition.CRD {
	t.Helper()
	crd, _, err := definition.Parse(fmt.Appendf(nil, `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %s.example.com}
spec: {group: example.com, scope: Namespaced, names: {plural: %[1]s, kind: %s%s}, versions: [%s]}`,
		plural, kind, rest, versions))
	if err != nil {
		t.Fatal(err)
	}
	return crd
}

const (
	alpha  = `{name: v1alpha1, served: true, storage: false}`
	stable = `{name: v1, served: true, storage: true, subresources: {status: {}, scale: {` +
		`specReplicasPath: .spec.n, statusReplicasPath: .status.n}}}`
)

// The first of two definitions gets the names that both ask for. The oracle
// module compares with the controllers.
func TestInstall(t *testing.T) {
	cluster := definition.Install(
		decoded(t, "foos", "Foo", alpha+","+stable, ", shortNames: [fo], categories: [all]"),
		decoded(t, "bars", "Bar", stable, ", shortNames: [fo, foo]"),
	)
	const want = `[{"type":"NamesAccepted","status":"False","reason":"ShortNamesConflict",` +
		`"message":"[\"fo\" is already in use, \"foo\" is already in use]"},` +
		`{"type":"Established","status":"False","reason":"NotAccepted",` +
		`"message":"not all names are accepted"}]`
	got, err := json.Marshal(cluster.Conditions("bars.example.com"))
	if string(got) != want || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
	if c := cluster.Conditions("foos.example.com"); c[0].Status != "True" || c[1].Status != "True" {
		t.Errorf("got %v", c)
	}
	if n := cluster.AcceptedNames("bars.example.com"); n.Plural != "bars" || n.ShortNames != nil {
		t.Errorf("got %v", n)
	}
	if cluster.Conditions("x") != nil {
		t.Error("conditions of a definition that is not installed")
	}
}

// Minors before 1.31 do not read the CA bundle of a webhook before they serve a
// definition (CRD-603).
func TestInstallOfMinors(t *testing.T) {
	bad := decoded(t, "foos", "Foo", stable, "}, conversion: {strategy: Webhook, webhook: {"+
		"conversionReviewVersions: [v1], "+
		"clientConfig: {url: 'https://example.com/', caBundle: YmFk}}")
	for minor, want := range map[minors.Minor]string{
		"1.30": "InitialNamesAccepted", "1.31": "InvalidCABundle", "1.37": "InvalidCABundle",
	} {
		conditions := definition.Install(bad.In(minor)).Conditions("foos.example.com")
		if got := conditions[1].Reason; got != want {
			t.Errorf("%s: got %s, want %s", minor, got, want)
		}
	}
}

func TestDiscovery(t *testing.T) {
	cluster := definition.Install(
		decoded(t, "foos", "Foo", alpha+","+stable, ", shortNames: [fo], categories: [all]"))
	if got := fmt.Sprint(cluster.Groups()); got != "[{example.com [v1 v1alpha1]}]" {
		t.Errorf("got %s", got)
	}
	const verbs = `["delete","deletecollection","get","list","patch","create","update","watch"]`
	const foos = `{"name":"foos","singularName":"foo","namespaced":true,"kind":"Foo",` +
		`"verbs":` + verbs + `,"shortNames":["fo"],"categories":["all"],"storageVersionHash":"4XyhoHMtUhg="}`
	for version, want := range map[string]string{
		"v1alpha1": "[" + foos + "]",
		"v1": "[" + foos + `,{"name":"foos/status","singularName":"","namespaced":true,"kind":"Foo",` +
			`"verbs":["get","patch","update"]},{"name":"foos/scale","singularName":"","namespaced":true,` +
			`"group":"autoscaling","version":"v1","kind":"Scale","verbs":["get","patch","update"]}]`,
		"v2": "null",
	} {
		got, err := json.Marshal(cluster.Resources("example.com", version))
		if string(got) != want || err != nil {
			t.Errorf("%s: got %s, %v", version, got, err)
		}
	}
}

// A version has the subresources that it declares.
func TestSubresourcesOfVersions(t *testing.T) {
	model, err := definition.Compile(decoded(t, "foos", "Foo", alpha+","+stable, ""))
	if err != nil {
		t.Fatal(err)
	}
	want := definition.ScalePaths{SpecReplicasPath: ".spec.n", StatusReplicasPath: ".status.n"}
	if v := model.Version("v1"); v.Scale == nil || *v.Scale != want || !v.HasStatus {
		t.Errorf("v1: %+v, status %t", v.Scale, v.HasStatus)
	}
	if v := model.Version("v1alpha1"); v.Scale != nil || v.HasStatus {
		t.Errorf("v1alpha1: %+v, status %t", v.Scale, v.HasStatus)
	}
}
