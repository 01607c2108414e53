package validate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/vectors"
)

// crds is the input of a case: a definition, and the definition that it
// replaces.
type crds struct {
	CRD protocol.Input `json:"crd"`
	Old protocol.Input `json:"old"`
}

// The status of a definition is validated (CRD-112).
func TestDefinitionStatus(t *testing.T) {
	type answer struct {
		Errors []protocol.FieldError `json:"errors"`
	}
	for _, c := range vectors.Cases[crds, answer](t, "definitionStatus") {
		crd, old := decode(t, document(c.Input.CRD)), decode(t, document(c.Input.Old))
		errs := validate.StatusUpdate(crd, old)
		vectors.CheckErrors(t, c.ID, c.Want.Errors, errs)
	}
}

// Errors come in the server's order (CRD-003, CRD-047, CRD-140).
func TestDefinitionOrder(t *testing.T) {
	type answer struct {
		Texts []string `json:"texts"`
	}
	for _, c := range vectors.Cases[crds, answer](t, "definitionOrder") {
		var got []string
		for _, err := range judged(t, decode(t, document(c.Input.CRD)), nil, c.Input.Old).Errors {
			got = append(got, err.Text)
		}
		if diff := cmp.Diff(c.Want.Texts, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s %s: %s", c.ID, c.Rule, diff)
		}
	}
}

// The server's conditions NonStructuralSchema and
// KubernetesAPIApprovalPolicyConformant (CRD-600, CRD-601).
func TestConditions(t *testing.T) {
	structural := vectors.Cases[crds, conditionAnswer](t, "structuralCondition")
	checkConditions(t, structural, definition.NonStructuralSchema)
	approval := vectors.Cases[crds, conditionAnswer](t, "approvalCondition")
	checkConditions(t, approval, definition.APIApproval)
}

type conditionAnswer struct {
	Condition *condition `json:"condition"`
}

type condition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func checkConditions(
	t *testing.T, cases []vectors.Case[crds, conditionAnswer],
	conditionOf func(*definition.CRD) *definition.Condition,
) {
	t.Helper()
	for _, c := range cases {
		var got conditionAnswer
		if found := conditionOf(decode(t, document(c.Input.CRD))); found != nil {
			got.Condition = &condition{found.Type, found.Status, found.Reason, found.Message}
		}
		if diff := cmp.Diff(c.Want, got); diff != "" {
			t.Errorf("%s: %s", c.ID, diff)
		}
	}
}

// Definitions in one cluster get names, conditions and discovery (CRD-602 to
// CRD-612).
func TestInstallation(t *testing.T) {
	type input struct {
		CRDs []protocol.Input `json:"crds"`
	}
	for _, c := range vectors.Cases[input, installation](t, "installation") {
		var crds []*definition.CRD
		for _, doc := range c.Input.CRDs {
			crds = append(crds, decode(t, document(doc)))
		}
		if diff := cmp.Diff(c.Want, installed(crds), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", c.ID, diff)
		}
	}
}

// installation is the answer of a case.
type installation struct {
	Definitions []installedDefinition `json:"definitions"`
	Groups      []installedGroup      `json:"groups"`
}

type installedDefinition struct {
	Name          string                 `json:"name"`
	AcceptedNames definition.Names       `json:"acceptedNames"`
	Conditions    []definition.Condition `json:"conditions"`
}

type installedGroup struct {
	Name     string             `json:"name"`
	Versions []installedVersion `json:"versions"`
}

type installedVersion struct {
	Name      string                   `json:"name"`
	Resources []definition.APIResource `json:"resources"`
}

// installed returns the answer of this package. The conditions of other
// controllers have their own cases.
func installed(crds []*definition.CRD) installation {
	var answer installation
	cluster := definition.Install(crds...)
	slices.SortFunc(crds, func(a, b *definition.CRD) int {
		return strings.Compare(a.Name(), b.Name())
	})
	for _, crd := range crds {
		conditions := slices.DeleteFunc(cluster.Conditions(crd.Name()),
			func(c definition.Condition) bool {
				return c.Type == "NonStructuralSchema" ||
					c.Type == "KubernetesAPIApprovalPolicyConformant"
			})
		answer.Definitions = append(answer.Definitions, installedDefinition{
			crd.Name(), cluster.AcceptedNames(crd.Name()), conditions,
		})
	}
	for _, group := range cluster.Groups() {
		served := installedGroup{Name: group.Name}
		for _, version := range group.Versions {
			served.Versions = append(served.Versions,
				installedVersion{version, cluster.Resources(group.Name, version)})
		}
		answer.Groups = append(answer.Groups, served)
	}
	return answer
}
