//go:build !older

package kube

import (
	"context"
	"errors"
	"time"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/fake"
	"k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions"
	crds "k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/apiapproval"
	"k8s.io/apiextensions-apiserver/pkg/controller/nonstructuralschema"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
)

// newestKinds are the kinds that ask controllers and field managers. Only the
// newest minor answers them.
func newestKinds() map[string]kind {
	return map[string]kind{
		"approvalCondition":   of(approvalCondition),
		"structuralCondition": of(structuralCondition),
		"installation":        of(installation),
		"managedObject":       of(managedObject),
	}
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

// controller writes the status of definitions.
type controller interface {
	RunWithContext(workers int, ctx context.Context)
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
	client := fake.NewClientset(crd)
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
	go controller.RunWithContext(1, ctx)
	select {
	case crd := <-written:
		return crd, nil
	case <-ctx.Done():
		return nil, errors.New("the controller wrote nothing")
	}
}
