package definition_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/crdsem/crdsem/conformance/vectors"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/protocol"
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
		errs := definition.ValidateStatusUpdate(crd, old)
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
