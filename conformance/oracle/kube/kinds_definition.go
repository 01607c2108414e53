package kube

import (
	"context"
	"errors"
	"time"

	"github.com/crdsem/crdsem/internal/protocol"
	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/fake"
	"k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions"
	crds "k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/apiapproval"
	"k8s.io/apiextensions-apiserver/pkg/controller/nonstructuralschema"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	clienttesting "k8s.io/client-go/testing"
)

// definitionStatus answers with the registry's strategy for the status of
// definitions.
func definitionStatus(ctx context.Context, in definitionInput) (map[string]any, error) {
	crd, _, err := internalDefinition(in.CRD)
	if err != nil {
		return nil, err
	}
	old, _, err := internalDefinition(in.Old)
	if err != nil {
		return nil, err
	}
	strategy := customresourcedefinition.NewStatusStrategy(scheme())
	strategy.PrepareForUpdate(ctx, crd, old)
	return found(strategy.ValidateUpdate(ctx, crd, old)), nil
}

// definitionOrder answers like the op crd, with the texts of the errors in
// their order.
func definitionOrder(ctx context.Context, in definitionInput) (map[string]any, error) {
	crd, _, err := internalDefinition(in.CRD)
	if err != nil {
		return nil, err
	}
	strategy := customresourcedefinition.NewStrategy(scheme())
	var errs field.ErrorList
	if in.Old.Given() {
		old, _, err := internalDefinition(in.Old)
		if err != nil {
			return nil, err
		}
		strategy.PrepareForUpdate(ctx, crd, old)
		errs = strategy.ValidateUpdate(ctx, crd, old)
	} else {
		strategy.PrepareForCreate(ctx, crd)
		errs = strategy.Validate(ctx, crd)
	}
	var texts []string
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	return map[string]any{"texts": stringList(texts)}, nil
}

type crdInput struct {
	CRD protocol.Input `json:"crd"`
}

// stale is the reason of a condition that the controller must replace or
// remove.
const stale = "Stale"

// structuralCondition answers with the controller that writes the condition
// NonStructuralSchema. It starts with a stale condition, so that the controller
// always writes.
func structuralCondition(ctx context.Context, in crdInput) (map[string]any, error) {
	crd, err := servedDefinition(in.CRD)
	if err != nil {
		return nil, err
	}
	crd.Generation = 1
	crd.Status.Conditions = []v1.CustomResourceDefinitionCondition{
		{Type: v1.NonStructuralSchema, Status: v1.ConditionFalse, Reason: stale}}
	return conditionBy(ctx, crd, func(definitions informer, c *fake.Clientset) controller {
		return nonstructuralschema.NewConditionController(definitions, c.ApiextensionsV1())
	})
}

// approvalCondition answers with the controller that writes the condition
// KubernetesAPIApprovalPolicyConformant. It writes nothing for unprotected
// groups.
func approvalCondition(ctx context.Context, in crdInput) (map[string]any, error) {
	crd, err := servedDefinition(in.CRD)
	if err != nil {
		return nil, err
	}
	if !apihelpers.IsProtectedCommunityGroup(crd.Spec.Group) {
		return map[string]any{}, nil
	}
	return conditionBy(ctx, crd, func(definitions informer, c *fake.Clientset) controller {
		return apiapproval.NewKubernetesAPIApprovalPolicyConformantConditionController(
			definitions, c.ApiextensionsV1())
	})
}

type (
	informer      = crds.CustomResourceDefinitionInformer
	newController func(informer, *fake.Clientset) controller
)

// conditionBy returns the condition that a controller leaves in a definition's
// status, if any.
func conditionBy(
	ctx context.Context, crd *v1.CustomResourceDefinition, by newController,
) (map[string]any, error) {
	anything := func(*v1.CustomResourceDefinition) bool { return true }
	written, err := settledBy(ctx, crd, by, anything)
	if err != nil {
		return nil, err
	}
	answer := map[string]any{}
	for _, c := range written.Status.Conditions {
		answer["condition"] = conditionMembers(c)
	}
	return answer, nil
}

func conditionMembers(c v1.CustomResourceDefinitionCondition) map[string]any {
	return map[string]any{
		"type": string(c.Type), "status": string(c.Status), "reason": c.Reason, "message": c.Message,
	}
}

// settledBy runs a controller until it has written the status of a definition
// that settled accepts. It returns the definition.
func settledBy(
	ctx context.Context, crd *v1.CustomResourceDefinition, by newController,
	settled func(*v1.CustomResourceDefinition) bool,
) (*v1.CustomResourceDefinition, error) {
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client := newClient(crd)
	written := make(chan *v1.CustomResourceDefinition, 1)
	watch := func(action clienttesting.Action) (bool, runtime.Object, error) {
		update, ok := action.(clienttesting.UpdateAction)
		if ok && action.GetSubresource() == "status" {
			if crd, ok := update.GetObject().(*v1.CustomResourceDefinition); ok && settled(crd) {
				select {
				case written <- crd.DeepCopy():
				default: // it has settled already
				}
			}
		}
		return false, nil, nil
	}
	client.PrependReactor("update", "customresourcedefinitions", watch)
	factory := externalversions.NewSharedInformerFactory(client, 0)
	controller := by(factory.Apiextensions().V1().CustomResourceDefinitions(), client)
	factory.Start(ctx.Done())
	go runController(ctx, controller)
	select {
	case crd := <-written:
		return crd, nil
	case <-ctx.Done():
		return nil, errors.New("the controller wrote nothing")
	}
}
