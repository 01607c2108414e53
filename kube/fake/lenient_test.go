package fake_test

import (
	"testing"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crdsem/crdsem/kube/fake"
)

// In the lenient mode each request finds a pool without a namespace in default,
// and returns it without managedFields. Errors are returned.
func TestLenientRequests(t *testing.T) {
	ctx := t.Context()
	merge := client.RawPatch(types.MergePatchType, []byte(`{"spec":{"replicas":2}}`))
	applied := func(c client.WithWatch, p *Pool) error {
		u := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "example.com/v1", "kind": "Pool",
			"metadata": map[string]any{"name": p.Name},
			"spec":     map[string]any{"replicas": int64(2)},
		}}
		err := c.Apply(ctx, client.ApplyConfigurationFromUnstructured(u),
			client.FieldOwner("me"), client.ForceOwnership)
		p.Namespace, p.ManagedFields = u.GetNamespace(), u.GetManagedFields()
		return err
	}
	for name, do := range map[string]func(client.WithWatch, *Pool) error{
		"get": func(c client.WithWatch, p *Pool) error {
			return c.Get(ctx, client.ObjectKey{Name: p.Name}, p)
		},
		"update": func(c client.WithWatch, p *Pool) error { return c.Update(ctx, p) },
		"patch":  func(c client.WithWatch, p *Pool) error { return c.Patch(ctx, p, merge) },
		"delete": func(c client.WithWatch, p *Pool) error { return c.Delete(ctx, p) },
		"apply":  applied,
		"scale": func(c client.WithWatch, p *Pool) error {
			return c.SubResource("scale").Get(ctx, p, &autoscalingv1.Scale{})
		},
		"status":          func(c client.WithWatch, p *Pool) error { return c.Status().Update(ctx, p) },
		"patch of status": func(c client.WithWatch, p *Pool) error { return c.Status().Patch(ctx, p, merge) },
	} {
		base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).Build()
		c, err := poolServer(t).Client(base, nil, fake.Lenient())
		must(t, err)
		created := with(pool("one"), homeless)
		must(t, c.Create(ctx, created))
		if created.Namespace != "default" || created.ManagedFields != nil {
			t.Errorf("created in %q with %v", created.Namespace, created.ManagedFields)
		}
		if err := c.Create(ctx, with(pool("one"), homeless)); !apierrors.IsAlreadyExists(err) {
			t.Errorf("created again: %v", err)
		}
		p := with(pool("one"), homeless)
		p.ResourceVersion, p.ManagedFields = created.ResourceVersion, []metav1.ManagedFieldsEntry{}
		if err := do(c, p); err != nil || p.Namespace != "default" || len(p.ManagedFields) > 0 {
			t.Errorf("%s: %v in %q with %v", name, err, p.Namespace, p.ManagedFields)
		}
		none := with(pool("none"), homeless)
		none.ResourceVersion = "1"
		if err := do(c, none); !apierrors.IsNotFound(err) && name != "apply" {
			t.Errorf("%s of what is not there: %v", name, err)
		}
	}
}

// Lists of the lenient mode have no managedFields either. The errors of lists,
// of watches and of applies are returned. A nil option chooses nothing.
func TestLenientLists(t *testing.T) {
	ctx := t.Context()
	base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).Build()
	c, err := poolServer(t).Client(base, nil, nil, fake.Lenient())
	must(t, err)
	must(t, c.Create(ctx, pool("one")))
	must(t, c.Create(ctx, pool("two")))
	var list PoolList
	must(t, c.List(ctx, &list))
	for i := range list.Items {
		if list.Items[i].ManagedFields != nil {
			t.Errorf("%s is listed with managedFields", list.Items[i].Name)
		}
	}
	if len(list.Items) != 2 {
		t.Errorf("%d pools", len(list.Items))
	}
	wrong := client.MatchingFields{"spec.none": "1"}
	if err := c.List(ctx, &list, wrong); err == nil {
		t.Error("a list by an unknown field")
	}
	if _, err := c.Watch(ctx, &list, wrong); err == nil {
		t.Error("a watch by an unknown field")
	}
	u := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Pool", "metadata": map[string]any{"name": "one"},
		"spec": map[string]any{"replicas": "many"},
	}}
	if err := c.Apply(ctx, client.ApplyConfigurationFromUnstructured(u),
		client.FieldOwner("me")); err == nil {
		t.Error("an apply of what is not valid")
	}
	if _, err := fake.NewServer(nil); err == nil {
		t.Error("a server of no definition")
	}
}

// The error of each request is returned, by the server for its kinds and by the
// client for the others.
func TestErrorsOfRequests(t *testing.T) {
	ctx := t.Context()
	merge := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"a":"b"}}}`))
	unknown := client.MatchingFields{"spec.none": "1"}
	for name, do := range map[string]func(client.WithWatch, client.Object) error{
		"get": func(c client.WithWatch, o client.Object) error {
			return c.Get(ctx, client.ObjectKeyFromObject(o), o)
		},
		"update": func(c client.WithWatch, o client.Object) error { return c.Update(ctx, o) },
		"patch":  func(c client.WithWatch, o client.Object) error { return c.Patch(ctx, o, merge) },
		"delete": func(c client.WithWatch, o client.Object) error { return c.Delete(ctx, o) },
		"status": func(c client.WithWatch, o client.Object) error { return c.Status().Update(ctx, o) },
		"patch of status": func(c client.WithWatch, o client.Object) error {
			return c.Status().Patch(ctx, o, merge)
		},
		"deletion of all": func(c client.WithWatch, o client.Object) error {
			return c.DeleteAllOf(ctx, o, client.InNamespace("default"), client.MatchingFieldsSelector{
				Selector: fields.OneTermEqualSelector("spec.none", "1"),
			})
		},
		"get of a part": func(c client.WithWatch, o client.Object) error {
			return c.SubResource("scale").Get(ctx, o, &autoscalingv1.Scale{})
		},
		"creation of a part": func(c client.WithWatch, o client.Object) error {
			return c.SubResource("token").Create(ctx, o, &autoscalingv1.Scale{})
		},
		"list": func(c client.WithWatch, o client.Object) error {
			if _, ok := o.(*Pool); ok {
				return c.List(ctx, &PoolList{}, unknown)
			}
			return c.List(ctx, &corev1.ConfigMapList{}, unknown)
		},
	} {
		for _, options := range [][]fake.Option{nil, {fake.Lenient()}} {
			base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).Build()
			c, err := poolServer(t).Client(base, nil, options...)
			must(t, err)
			none := pool("none")
			none.ResourceVersion = "1"
			cm := &corev1.ConfigMap{
				ObjectMeta: metav1.ObjectMeta{Name: "none", Namespace: "default"},
			}
			for _, object := range []client.Object{none, cm} {
				_, isPool := object.(*Pool)
				if err := do(c, object); err == nil && (isPool || name != "deletion of all") {
					t.Errorf("%s of a %T: no error", name, object)
				}
			}
		}
	}
}
