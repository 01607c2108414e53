package fake_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crdsem/crdsem/kube"
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
			want := `pools.example.com "none" not found`
			if name == "list" || name == "deletion of all" {
				want = "field label not supported: spec.none"
			}
			if err := do(c, none); err == nil || err.Error() != want {
				t.Errorf("%s of a pool: %v, want %s", name, err, want)
			}
			if err := do(c, cm); name != "deletion of all" &&
				(err == nil || strings.Contains(err.Error(), "example.com")) {
				t.Errorf("%s of a ConfigMap: %v", name, err)
			}
		}
	}
}

// In the lenient mode objects of other namespaces than default stay there.
func TestLenientKeepsNamespaces(t *testing.T) {
	ctx := t.Context()
	base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).Build()
	c, err := poolServer(t).Client(base, nil, fake.Lenient())
	must(t, err)
	p := pool("one")
	p.Namespace = "other"
	must(t, c.Create(ctx, p))
	must(t, c.Create(ctx, pool("one")))
	p.Spec.Replicas = 5
	must(t, c.Update(ctx, p))
	p.Status.Replicas = 5
	must(t, c.Status().Update(ctx, p))
	merge := func(text string) client.Patch {
		return client.RawPatch(types.MergePatchType, []byte(text))
	}
	must(t, c.Patch(ctx, p, merge(`{"spec":{"minReplicas":2}}`)))
	must(t, c.Status().Patch(ctx, p, merge(`{"status":{"replicas":6}}`)))
	var scale autoscalingv1.Scale
	must(t, c.SubResource("scale").Get(ctx, p, &scale))
	var got, here Pool
	must(t, c.Get(ctx, client.ObjectKeyFromObject(p), &got))
	must(t, c.Get(ctx, client.ObjectKey{Name: "one"}, &here))
	if got.Namespace != "other" || got.Spec.Replicas != 5 || got.Spec.MinReplicas != 2 ||
		got.Status.Replicas != 6 || scale.Spec.Replicas != 5 || here.Namespace != "default" ||
		here.Spec.Replicas != 3 || here.Status.Replicas != 0 {
		t.Errorf("%+v, %+v, %+v", got, scale, here)
	}
	must(t, c.Delete(ctx, p))
	must(t, c.Get(ctx, client.ObjectKey{Name: "one"}, &here))
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "c"}}
	must(t, c.Create(ctx, cm)) // as the client below does it
	if cm.Namespace != "" {
		t.Errorf("another kind is placed in %q", cm.Namespace)
	}
}

// In the lenient mode a watch begins now, or at the revision that it is given.
func TestLenientWatch(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).Build()
	c, err := poolServer(t).Client(base, nil, fake.Lenient())
	must(t, err)
	first, second := pool("first"), pool("second")
	must(t, c.Create(ctx, first))
	must(t, c.Create(ctx, second))
	labelled := &metav1.ListOptions{LabelSelector: "a=b"}
	for name, test := range map[string]struct {
		raw  *metav1.ListOptions
		want string
	}{
		"now":   {nil, "third"},
		"raw":   {&metav1.ListOptions{}, "third"},
		"since": {&metav1.ListOptions{ResourceVersion: first.ResourceVersion}, "second"},
		"some":  {labelled, "fourth"},
	} {
		var list PoolList
		given := &client.ListOptions{Raw: test.raw}
		w, err := c.Watch(ctx, &list, client.InNamespace("default"), given)
		must(t, err)
		elsewhere := pool("elsewhere")
		elsewhere.Namespace = "other"
		fourth := pool("fourth")
		fourth.Labels = map[string]string{"a": "b"}
		for _, p := range []*Pool{elsewhere, pool("third"), fourth} {
			must(t, c.Create(ctx, p))
		}
		event := <-w.ResultChan()
		if p, ok := event.Object.(*Pool); !ok || p.Name != test.want || len(list.Items) != 0 {
			t.Errorf("%s: %v, want %s; the list has %d", name, event, test.want, len(list.Items))
		}
		w.Stop()
		for _, p := range []*Pool{elsewhere, pool("third"), fourth} {
			must(t, c.Delete(ctx, p))
		}
	}
}

// poolConfig is an apply configuration of its own type.
type poolConfig struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Metadata   map[string]any `json:"metadata"`
	Spec       map[string]any `json:"spec,omitempty"`
	Status     map[string]any `json:"status,omitempty"`
}

// IsApplyConfiguration implements runtime.ApplyConfiguration. The others are
// those that controller-runtime asks for.
func (*poolConfig) IsApplyConfiguration() {}

func (c *poolConfig) GetName() *string       { return new(fmt.Sprint(c.Metadata["name"])) }
func (c *poolConfig) GetNamespace() *string  { return new(fmt.Sprint(c.Metadata["namespace"])) }
func (c *poolConfig) GetKind() *string       { return &c.Kind }
func (c *poolConfig) GetAPIVersion() *string { return &c.APIVersion }

// Configurations of any type are applied, to an object and to its status, by
// the server for its kinds and by the client for the others.
func TestApplyConfigurations(t *testing.T) {
	ctx := t.Context()
	for _, options := range [][]fake.Option{nil, {fake.Lenient()}} {
		base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).Build()
		c, err := poolServer(t).Client(base, nil, options...)
		must(t, err)
		of := func() *poolConfig {
			return &poolConfig{
				APIVersion: "example.com/v1", Kind: "Pool",
				Metadata: map[string]any{"name": "one", "namespace": "default"},
			}
		}
		spec, status := of(), of()
		spec.Spec, status.Status = map[string]any{"replicas": 4}, map[string]any{"replicas": 3}
		owner := client.FieldOwner("me")
		must(t, c.Apply(ctx, spec, owner))
		must(t, c.Status().Apply(ctx, status, owner))
		var p Pool
		must(t, c.Get(ctx, key("one"), &p))
		if p.Spec.Replicas != 4 || p.Status.Replicas != 3 {
			t.Errorf("%+v", p)
		}
		spec, status = of(), of()
		spec.Spec = map[string]any{"replicas": 11}
		status.Status = map[string]any{"replicas": "many"}
		for name, err := range map[string]error{
			"spec": c.Apply(ctx, spec, owner), "status": c.Status().Apply(ctx, status, owner),
		} {
			if err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	}
}

// unlisted is a client that lists nothing.
type unlisted struct{ client.WithWatch }

func (unlisted) List(context.Context, client.ObjectList, ...client.ListOption) error {
	return errors.New("no lists")
}

// A client that cannot list the server's kinds has no objects of them.
func TestUnlisted(t *testing.T) {
	base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).WithObjects(pool("a")).Build()
	c, err := poolServer(t).Client(unlisted{base}, nil)
	must(t, err)
	if err := c.Get(t.Context(), key("a"), &Pool{}); !apierrors.IsNotFound(err) {
		t.Errorf("got %v", err)
	}
}

// All kinds of a server are reached.
func TestSeveralKinds(t *testing.T) {
	ctx := t.Context()
	other, err := kube.Parse([]byte(widgets))
	must(t, err)
	pools := definition(t, "../testdata/pools.yaml")
	server, err := fake.NewServer(pools, other)
	must(t, err)
	base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).Build()
	c, err := server.Client(base, nil)
	must(t, err)
	w := widget("v1")
	for _, object := range []client.Object{pool("one"), w} {
		must(t, c.Create(ctx, object))
		if object.GetUID() == "" { // which the client below does not make
			t.Errorf("the server has not made %v", object)
		}
	}
}
