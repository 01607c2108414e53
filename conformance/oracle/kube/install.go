//go:build !older

package kube

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/fake"
	typed "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions"
	"k8s.io/apiextensions-apiserver/pkg/controller/establish"
	"k8s.io/apiextensions-apiserver/pkg/controller/finalizer"
	"k8s.io/apiextensions-apiserver/pkg/controller/status"
	metainternal "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
)

// Settled reports whether definitions have the status that is waited for.
type Settled func([]v1.CustomResourceDefinition) bool

// Quiet waits until nothing is written any more. It never reports true.
func Quiet([]v1.CustomResourceDefinition) bool { return false }

// Installed creates definitions one by one in an empty cluster and returns them
// with the status that the naming, establishing and finalizing controllers
// write. The wait ends when settled reports true, or when every definition has
// its conditions and nothing was written for a while.
//
// A definition that is being deleted had the finalizer of the cleanup. One that
// still has it has an object that stays.
func Installed(
	ctx context.Context, crds []*v1.CustomResourceDefinition, settled Settled,
) ([]v1.CustomResourceDefinition, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := startCluster(ctx)
	for _, crd := range crds {
		if _, err := c.definitions.Create(ctx, crd, metav1.CreateOptions{}); err != nil {
			return nil, err
		}
		hasNames := func(all []v1.CustomResourceDefinition) bool { return !c.isNaming(all) }
		if _, err := c.wait(ctx, hasNames); err != nil {
			return nil, err
		}
	}
	all, err := c.wait(ctx, settled)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].DeletionTimestamp == nil {
			continue
		}
		if err := c.finalize(ctx, &all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// cluster is the controllers of definitions above a store in memory.
type cluster struct {
	definitions  typed.CustomResourceDefinitionInterface
	establishing *establish.EstablishingController
	writes       *atomic.Int64
}

func startCluster(ctx context.Context) *cluster {
	client := fake.NewClientset()
	c := &cluster{client.ApiextensionsV1().CustomResourceDefinitions(), nil, &atomic.Int64{}}
	client.PrependReactor("*", "customresourcedefinitions", c.numbered)
	factory := externalversions.NewSharedInformerFactory(client, 0)
	informer := factory.Apiextensions().V1().CustomResourceDefinitions()
	naming := status.NewNamingConditionController(
		klog.Background(), informer, client.ApiextensionsV1())
	c.establishing = establish.NewEstablishingController(informer, client.ApiextensionsV1())
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	go naming.RunWithContext(ctx)
	go c.establishing.RunWithContext(ctx)
	return c
}

// numbered gives every object that is written a resourceVersion, by which the
// naming controller knows its own writes.
func (c *cluster) numbered(action clienttesting.Action) (bool, runtime.Object, error) {
	if write, ok := action.(interface{ GetObject() runtime.Object }); ok {
		if crd, ok := write.GetObject().(*v1.CustomResourceDefinition); ok {
			crd.ResourceVersion = strconv.FormatInt(c.writes.Add(1), 10)
		}
	}
	return false, nil, nil
}

// isNaming reports whether a definition has no conditions yet.
func (*cluster) isNaming(all []v1.CustomResourceDefinition) bool {
	for _, crd := range all {
		if len(crd.Status.Conditions) == 0 {
			return true
		}
	}
	return false
}

// wait queues the definitions for the establishing controller, as the handler
// of custom resources does, until the wait is over.
func (c *cluster) wait(
	ctx context.Context, settled Settled,
) ([]v1.CustomResourceDefinition, error) {
	const (
		step     = 10 * time.Millisecond
		quiet    = 100 // steps
		patience = 3000
	)
	last, since := int64(0), 0
	for range patience {
		list, err := c.definitions.List(ctx, metav1.ListOptions{})
		if err != nil {
			return nil, err
		}
		for _, crd := range list.Items {
			established := apihelpers.FindCRDCondition(&crd, v1.Established)
			if established != nil && established.Reason == "Installing" {
				c.establishing.QueueCRD(crd.Name, 0)
			}
		}
		if writes := c.writes.Load(); writes != last {
			last, since = writes, 0
		}
		since++
		if settled(list.Items) || since > quiet && !c.isNaming(list.Items) {
			return list.Items, nil
		}
		time.Sleep(step)
	}
	return nil, errors.New("the controllers do not settle")
}

// finalize sets the condition that the finalizing controller leaves in the
// status of a definition that is being deleted.
func (c *cluster) finalize(ctx context.Context, crd *v1.CustomResourceDefinition) error {
	objects := instances{}
	switch {
	case !apihelpers.CRDHasFinalizer(crd, v1.CustomResourceCleanupFinalizer):
		crd.Finalizers = append(crd.Finalizers, v1.CustomResourceCleanupFinalizer)
	case apihelpers.IsCRDConditionTrue(crd, v1.Established) && !isOverlapping(crd):
		objects.left = 1
	}
	written, err := settledBy(ctx, crd,
		func(definitions informer, c *fake.Clientset) controller {
			return finalizer.NewCRDFinalizer(definitions, c.ApiextensionsV1(), objects)
		},
		func(crd *v1.CustomResourceDefinition) bool {
			terminating := apihelpers.IsCRDConditionTrue(crd, v1.Terminating)
			return terminating == (objects.left > 0)
		})
	if err != nil {
		return err
	}
	crd.Status = written.Status
	return nil
}

// isOverlapping reports whether the controller does not look for objects.
func isOverlapping(crd *v1.CustomResourceDefinition) bool {
	return finalizer.OverlappingBuiltInResources()[schema.GroupResource{
		Group: crd.Spec.Group, Resource: crd.Spec.Names.Plural,
	}]
}

// instances are the objects of a definition. They cannot be deleted.
type instances struct {
	finalizer.ListerCollectionDeleter
	left int
}

func (i instances) GetCustomResourceListerCollectionDeleter(
	*v1.CustomResourceDefinition,
) (finalizer.ListerCollectionDeleter, error) {
	return i, nil
}

func (i instances) List(context.Context, *metainternal.ListOptions) (runtime.Object, error) {
	return &unstructured.UnstructuredList{Items: make([]unstructured.Unstructured, i.left)}, nil
}

func (i instances) DeleteCollection(
	context.Context, rest.ValidateObjectFunc, *metav1.DeleteOptions, *metainternal.ListOptions,
) (runtime.Object, error) {
	return nil, nil
}
