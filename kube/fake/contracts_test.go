package fake_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/crdsem/crdsem/kube/fake"
)

// contract is what tests rely on that were written for the fake client of
// controller-runtime.
type contract struct {
	name string
	// built are the settings of the fake client. Objects are its pools; the
	// first one is given to does.
	built   func(*clientfake.ClientBuilder)
	objects []client.Object
	does    func(ctx context.Context, c client.WithWatch, p *Pool) (outcome string, err error)
	// Outcomes with the fake client, with kube/fake, and in the lenient mode:
	// what does returns, or the reason of an error.
	fake, here, lenient string
}

// The table of docs/fake.md is what happens.
func TestContracts(t *testing.T) {
	const page = "../../docs/fake.md"
	document, err := os.ReadFile(page)
	must(t, err)
	contracts := slices.Concat(builderContracts, writeContracts, metaContracts, readContracts)
	for i := range contracts {
		c := &contracts[i]
		row := fmt.Sprintf("| %s | %s | %s | %s |", c.name, c.fake, c.here, c.lenient)
		if !strings.Contains(string(document), row+"\n") {
			t.Errorf("%s lacks the row\n%s", page, row)
		}
		for i, want := range []string{c.fake, c.here, c.lenient} {
			if got := c.outcome(t, i); got != want {
				t.Errorf("%s: client %d: got %q, want %q", c.name, i, got, want)
			}
		}
	}
	if rows := strings.Count(string(document), "\n| ") - 2; rows != len(contracts) {
		t.Errorf("%s has %d rows, there are %d contracts", page, rows, len(contracts))
	}
}

// outcome returns what happens with the fake client itself, with kube/fake
// around it, or in the lenient mode.
func (c *contract) outcome(t *testing.T, i int) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	builder := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).
		WithStatusSubresource(&Pool{})
	p := &Pool{}
	for i, object := range c.objects {
		object = object.DeepCopyObject().(client.Object)
		builder.WithObjects(object)
		if i == 0 {
			p.Name, p.Namespace = object.GetName(), object.GetNamespace()
		}
	}
	if c.built != nil {
		c.built(builder)
	}
	used := builder.Build()
	if i > 0 {
		options := [][]fake.Option{1: nil, 2: {fake.Lenient()}}[i]
		around, err := poolServer(t).Client(used, nil, options...)
		if err != nil {
			return "error of Client"
		}
		used = around
	}
	if len(c.objects) > 0 && p.Namespace != "" {
		must(t, used.Get(ctx, client.ObjectKeyFromObject(p), p))
	}
	outcome, err := c.does(ctx, used, p)
	if err == nil {
		return outcome
	}
	if reason := apierrors.ReasonForError(err); reason != metav1.StatusReasonUnknown {
		return string(reason)
	}
	return "error"
}

// with returns a pool after a change.
func with(p *Pool, changes ...func(*Pool)) *Pool {
	for _, change := range changes {
		change(p)
	}
	return p
}

func invalid(p *Pool)    { p.Spec.Replicas = 99 }
func finalized(p *Pool)  { p.Finalizers = []string{"example.com/a"} }
func homeless(p *Pool)   { p.Namespace = "" }
func replicated(p *Pool) { p.Status.Replicas = 7 }
func deleted(p *Pool)    { p.DeletionTimestamp = new(metav1.Now()) }

func is(condition bool, yes, no string) (string, error) {
	if condition {
		return yes, nil
	}
	return no, nil
}

var one = []client.Object{pool("one")}

// builderContracts are about what a client is built with.
var builderContracts = []contract{
	{
		name:    "`WithObjects` and `WithLists`: objects are there, with their status, valid or not",
		objects: []client.Object{with(pool("one"), replicated, invalid)},
		does: func(_ context.Context, _ client.WithWatch, p *Pool) (string, error) {
			return is(p.Status.Replicas == 7 && p.Spec.Replicas == 99, "kept", "other")
		},
		fake: "kept", here: "kept", lenient: "kept",
	},
	{
		name:    "an object of `WithObjects` has the resourceVersion 999",
		objects: one,
		does: func(_ context.Context, _ client.WithWatch, p *Pool) (string, error) {
			return is(p.ResourceVersion == "999", "999", "a revision")
		},
		fake: "999", here: "a revision", lenient: "a revision",
	},
	{
		name:    "an object of `WithObjects` is being deleted and has finalizers",
		objects: []client.Object{with(pool("one"), finalized, deleted)},
		does: func(_ context.Context, _ client.WithWatch, p *Pool) (string, error) {
			return is(!p.DeletionTimestamp.IsZero(), "kept", "other")
		},
		fake: "kept", here: "kept", lenient: "kept",
	},
	{
		name:    "an object of `WithObjects` has no namespace",
		objects: []client.Object{with(pool("one"), homeless)},
		does: func(ctx context.Context, c client.WithWatch, p *Pool) (string, error) {
			return "kept", c.Get(ctx, types.NamespacedName{Name: "one"}, p)
		},
		fake: "kept", here: "error of Client", lenient: "kept",
	},
	{
		name: "`WithScheme`: the scheme",
		does: func(_ context.Context, c client.WithWatch, _ *Pool) (string, error) {
			_, err := c.Scheme().New(corev1.SchemeGroupVersion.WithKind("Pod"))
			return "kept", err
		},
		fake: "kept", here: "kept", lenient: "kept",
	},
	{
		name: "`WithRESTMapper`: kinds that it maps",
		built: func(b *clientfake.ClientBuilder) {
			mapper := meta.NewDefaultRESTMapper(nil)
			mapper.Add(corev1.SchemeGroupVersion.WithKind("Pod"), meta.RESTScopeNamespace)
			b.WithRESTMapper(mapper)
		},
		does: func(_ context.Context, c client.WithWatch, _ *Pool) (string, error) {
			_, err := c.RESTMapper().RESTMapping(schema.GroupKind{Kind: "Pod"}, "v1")
			return "kept", err
		},
		fake: "kept", here: "kept", lenient: "kept",
	},
	{
		name: "`WithInterceptorFuncs`: functions are called",
		built: func(b *clientfake.ClientBuilder) {
			b.WithInterceptorFuncs(interceptor.Funcs{Get: func(context.Context, client.WithWatch,
				client.ObjectKey, client.Object, ...client.GetOption) error {
				return apierrors.NewTooManyRequestsError("intercepted")
			}})
		},
		does: func(ctx context.Context, c client.WithWatch, p *Pool) (string, error) {
			return is(apierrors.IsTooManyRequests(c.Get(ctx, key("one"), p)), "called", "dropped")
		},
		fake: "called", here: "error of Client", lenient: "error of Client",
	},
	{
		name:    "`WithIndex` of a kind with a definition",
		objects: one,
		built: func(b *clientfake.ClientBuilder) {
			b.WithIndex(&Pool{}, "spec.class", byClass)
		},
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			return "used", c.List(ctx, &PoolList{}, client.MatchingFields{"spec.class": ""})
		},
		fake: "used", here: "error of Client", lenient: "error of Client",
	},
	{
		name: "`WithIndex` of another kind",
		built: func(b *clientfake.ClientBuilder) {
			b.WithIndex(&corev1.Pod{}, "a", func(client.Object) []string { return nil })
		},
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			return "used", c.List(ctx, &corev1.PodList{}, client.MatchingFields{"a": ""})
		},
		fake: "used", here: "used", lenient: "used",
	},
	{
		name:    "`WithStatusSubresource`: an update of the status changes the status only",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, p *Pool) (string, error) {
			p.Status.Replicas, p.Spec.Replicas = 7, 4
			err := c.Status().Update(ctx, p)
			return fmt.Sprintf("status %d, spec %d", p.Status.Replicas, p.Spec.Replicas), err
		},
		fake: "status 7, spec 3", here: "status 7, spec 3", lenient: "status 7, spec 3",
	},
	{
		name:    "`WithTypeConverters` or none: an apply merges",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, p *Pool) (string, error) {
			err := c.Apply(ctx, client.ApplyConfigurationFromUnstructured(config("one", 5)),
				client.FieldOwner("a"), client.ForceOwnership)
			if err == nil {
				err = c.Get(ctx, key("one"), p)
			}
			return fmt.Sprintf("replicas %d", p.Spec.Replicas), err
		},
		fake: "replicas 5", here: "replicas 5", lenient: "replicas 5",
	},
	{
		name: "without `WithReturnManagedFields`, objects are returned without managedFields",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			p := pool("new")
			err := c.Create(ctx, p)
			s, _ := is(len(p.ManagedFields) == 1, "1 manager", "none")
			return s, err
		},
		fake: "none", here: "1 manager", lenient: "none",
	},
	{
		name: "requests for kinds without a definition",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
			return "answered by the fake client", c.Create(ctx, pod)
		},
		fake: "answered by the fake client", here: "answered by the fake client",
		lenient: "answered by the fake client",
	},
}

// writeContracts are about creates, updates, patches and deletes.
var writeContracts = []contract{
	{
		name: "a create without a name",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			return "created", c.Create(ctx, pool(""))
		},
		fake: "Invalid", here: "Invalid", lenient: "Invalid",
	},
	{
		name: "a create with a generateName",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			p := with(pool(""), func(p *Pool) { p.GenerateName = "made-" })
			err := c.Create(ctx, p)
			return fmt.Sprintf("%d letters more", len(p.Name)-len("made-")), err
		},
		fake: "5 letters more", here: "5 letters more", lenient: "5 letters more",
	},
	{
		name: "a create with a resourceVersion",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			p := with(pool("new"), func(p *Pool) { p.ResourceVersion = "5" })
			return "created", c.Create(ctx, p)
		},
		fake: "BadRequest", here: "error", lenient: "error",
	},
	{
		name:    "a create that is refused leaves the object as it is",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			p := pool("one")
			err := c.Create(ctx, p)
			return is(apierrors.IsAlreadyExists(err) && p.ResourceVersion == "" && p.UID == "",
				"unchanged", "changed")
		},
		fake: "unchanged", here: "unchanged", lenient: "unchanged",
	},
	{
		name: "a create with a deletionTimestamp",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			p := with(pool("new"), finalized, deleted)
			err := c.Create(ctx, p)
			_ = c.Get(ctx, key("new"), p)
			return fmt.Sprintf("ignored: %t", p.DeletionTimestamp.IsZero()), err
		},
		fake: "ignored: true", here: "ignored: true", lenient: "ignored: true",
	},
	{
		name: "a create with a status",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			p := with(pool("new"), replicated)
			err := c.Create(ctx, p)
			return fmt.Sprintf("replicas %d", p.Status.Replicas), err
		},
		fake: "replicas 7", here: "replicas 0", lenient: "replicas 0",
	},
	{
		name: "a create without a namespace",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			if err := c.Create(ctx, with(pool("new"), homeless)); err != nil {
				return "", err
			}
			return "created", c.Get(ctx, types.NamespacedName{Name: "new"}, &Pool{})
		},
		fake: "created", here: "error", lenient: "created",
	},
	{
		name:    "an update without a resourceVersion (an unconditional one)",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, p *Pool) (string, error) {
			p.ResourceVersion = ""
			return "updated", c.Update(ctx, p)
		},
		fake: "Conflict", here: "Invalid", lenient: "Invalid",
	},
	{
		name:    "an update with another resourceVersion",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, p *Pool) (string, error) {
			p.ResourceVersion = "1234"
			return "updated", c.Update(ctx, p)
		},
		fake: "Conflict", here: "Conflict", lenient: "Conflict",
	},
	{
		name:    "an update of the status with another resourceVersion",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, p *Pool) (string, error) {
			p.ResourceVersion = "1234"
			return "updated", c.Status().Update(ctx, p)
		},
		fake: "Conflict", here: "Conflict", lenient: "Conflict",
	},
	{
		name: "an update of an object that is not there",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			return "created", c.Update(ctx, pool("none"))
		},
		fake: "NotFound", here: "NotFound", lenient: "NotFound",
	},
	{
		name:    "an update that changes nothing",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, p *Pool) (string, error) {
			before := p.ResourceVersion
			err := c.Update(ctx, p)
			if err == nil {
				before = p.ResourceVersion
				err = c.Update(ctx, p)
			}
			if before == p.ResourceVersion {
				return "the same resourceVersion", err
			}
			return "another resourceVersion", err
		},
		fake: "another resourceVersion", here: "the same resourceVersion",
		lenient: "the same resourceVersion",
	},
	{
		name:    "an update that changes the status",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, p *Pool) (string, error) {
			p.Status.Replicas = 7
			err := c.Update(ctx, p)
			return fmt.Sprintf("replicas %d", p.Status.Replicas), err
		},
		fake: "replicas 0", here: "replicas 0", lenient: "replicas 0",
	},
	{
		name:    "an update that sets the deletionTimestamp",
		objects: []client.Object{with(pool("one"), finalized)},
		does: func(ctx context.Context, c client.WithWatch, p *Pool) (string, error) {
			deleted(p)
			return "updated", c.Update(ctx, p)
		},
		fake: "error", here: "Invalid", lenient: "Invalid",
	},
	{
		name:    "a delete of an object with finalizers, then an update without them",
		objects: []client.Object{with(pool("one"), finalized)},
		does: func(ctx context.Context, c client.WithWatch, p *Pool) (string, error) {
			if err := c.Delete(ctx, p); err != nil {
				return "", err
			}
			if err := c.Get(ctx, key("one"), p); err != nil || p.DeletionTimestamp.IsZero() {
				return "deleted at once", err
			}
			p.Finalizers = nil
			if err := c.Update(ctx, p); err != nil {
				return "", err
			}
			return is(apierrors.IsNotFound(c.Get(ctx, key("one"), p)), "deleted then", "kept")
		},
		fake: "deleted then", here: "deleted then", lenient: "deleted then",
	},
	{
		name:    "a delete with another resourceVersion as its condition",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, p *Pool) (string, error) {
			return "deleted", c.Delete(ctx, p, client.Preconditions{ResourceVersion: new("1234")})
		},
		fake: "Conflict", here: "Conflict", lenient: "Conflict",
	},
	{
		name: "a delete of a selection",
		objects: []client.Object{pool("one"), with(pool("two"), func(p *Pool) {
			p.Labels = map[string]string{"a": "b"}
		})},
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			err := c.DeleteAllOf(ctx, &Pool{}, client.InNamespace("default"),
				client.MatchingLabels{"a": "b"})
			var list PoolList
			if err == nil {
				err = c.List(ctx, &list)
			}
			return fmt.Sprintf("%d of 2 left", len(list.Items)), err
		},
		fake: "1 of 2 left", here: "1 of 2 left", lenient: "1 of 2 left",
	},
	{
		name: "a dry run",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			if err := c.Create(ctx, pool("dry"), client.DryRunAll); err != nil {
				return "", err
			}
			isMissing := apierrors.IsNotFound(c.Get(ctx, key("dry"), &Pool{}))
			return is(isMissing, "nothing stored", "stored")
		},
		fake: "nothing stored", here: "nothing stored", lenient: "nothing stored",
	},
	{
		name:    "a merge patch whose resourceVersion is null",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, p *Pool) (string, error) {
			patch := []byte(`{"metadata":{"resourceVersion":null},"spec":{"replicas":4}}`)
			return "patched", c.Patch(ctx, p, client.RawPatch(types.MergePatchType, patch))
		},
		fake: "patched", here: "Invalid", lenient: "Invalid",
	},
	{
		name:    "a strategic merge patch",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, p *Pool) (string, error) {
			patch := []byte(`{"spec":{"replicas":4}}`)
			return "patched", c.Patch(ctx, p, client.RawPatch(types.StrategicMergePatchType, patch))
		},
		fake: "patched", here: "UnsupportedMediaType", lenient: "UnsupportedMediaType",
	},
	{
		name: "an apply without an owner",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			return "applied", c.Apply(ctx, client.ApplyConfigurationFromUnstructured(config("one", 3)))
		},
		fake: "Invalid", here: "Invalid", lenient: "Invalid",
	},
	{
		name:    "an apply with managedFields",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			u := config("one", 3)
			u.SetManagedFields([]metav1.ManagedFieldsEntry{{Manager: "a"}})
			return "applied", c.Apply(ctx, client.ApplyConfigurationFromUnstructured(u),
				client.FieldOwner("a"))
		},
		fake: "BadRequest", here: "BadRequest", lenient: "BadRequest",
	},
	{
		name: "an apply with a uid of an object that is not there",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			u := config("none", 3)
			u.SetUID("u")
			return "applied", c.Apply(ctx, client.ApplyConfigurationFromUnstructured(u),
				client.FieldOwner("a"))
		},
		fake: "Conflict", here: "Conflict", lenient: "Conflict",
	},
	{
		name:    "a change of the scale",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, p *Pool) (string, error) {
			scale := &autoscalingv1.Scale{}
			if err := c.SubResource("scale").Get(ctx, p, scale); err != nil {
				return "", err
			}
			scale.Spec.Replicas = 5
			body := client.WithSubResourceBody(scale)
			return "scaled", c.SubResource("scale").Update(ctx, p, body)
		},
		fake: "error", here: "scaled", lenient: "scaled",
	},
}

// metaContracts are about what the server adds to a new object.
var metaContracts = []contract{
	{
		name: "a new object has a uid and a creationTimestamp",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			p := pool("new")
			err := c.Create(ctx, p)
			s, _ := is(p.UID != "" && !p.CreationTimestamp.IsZero(), "yes", "no")
			return s, err
		},
		fake: "no", here: "yes", lenient: "yes",
	},
	{
		name: "the generation of an object after a create and an update",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			p := pool("new")
			err := c.Create(ctx, p)
			if p.Spec.Replicas = 4; err == nil {
				err = c.Update(ctx, p)
			}
			return fmt.Sprint(p.Generation), err
		},
		fake: "0", here: "2", lenient: "2",
	},
	{
		name: "a new object that the definition refuses",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			return "created", c.Create(ctx, with(pool("new"), invalid))
		},
		fake: "created", here: "Invalid", lenient: "Invalid",
	},
	{
		name: "a field with a default, and one that is not in the schema",
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			p := with(pool("new"), func(p *Pool) { p.Spec.Unknown = "x" })
			err := c.Create(ctx, p)
			s, _ := is(p.Spec.Class != "" && p.Spec.Unknown == "", "filled in, removed", "left")
			return s, err
		},
		fake: "left", here: "filled in, removed", lenient: "filled in, removed",
	},
}

// readContracts are about reads.
var readContracts = []contract{
	{
		name:    "the apiVersion and kind of a typed object",
		objects: one,
		does: func(_ context.Context, _ client.WithWatch, p *Pool) (string, error) {
			return is(p.Kind == "" && p.APIVersion == "", "empty", p.Kind)
		},
		fake: "empty", here: "empty", lenient: "empty",
	},
	{
		name:    "an untyped list whose kind is that of its items",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			list := &unstructured.UnstructuredList{}
			list.SetAPIVersion("example.com/v1")
			list.SetKind("Pool")
			err := c.List(ctx, list)
			return fmt.Sprintf("%d object", len(list.Items)), err
		},
		fake: "1 object", here: "1 object", lenient: "1 object",
	},
	{
		name:    "metadata alone (`PartialObjectMetadata`)",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			p := &metav1.PartialObjectMetadata{}
			p.SetGroupVersionKind(config("one", 3).GroupVersionKind())
			return "returned", c.Get(ctx, key("one"), p)
		},
		fake: "returned", here: "returned", lenient: "returned",
	},
	{
		name: "a list of a namespace and of labels",
		objects: []client.Object{pool("one"), with(pool("two"), func(p *Pool) {
			p.Namespace, p.Labels = "other", map[string]string{"a": "b"}
		})},
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			var list PoolList
			err := c.List(ctx, &list, client.InNamespace("other"), client.MatchingLabels{"a": "b"})
			return fmt.Sprintf("%d of 2 objects", len(list.Items)), err
		},
		fake: "1 of 2 objects", here: "1 of 2 objects", lenient: "1 of 2 objects",
	},
	{
		name:    "a list by `metadata.name` without an index",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			return "returned", c.List(ctx, &PoolList{}, client.MatchingFields{"metadata.name": "one"})
		},
		fake: "error", here: "returned", lenient: "returned",
	},
	{
		name:    "a list by a field without an index",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			return "returned", c.List(ctx, &PoolList{}, client.MatchingFields{"spec.class": ""})
		},
		fake: "error", here: "BadRequest", lenient: "BadRequest",
	},
	{
		name: "a list with a limit of 1", objects: []client.Object{pool("one"), pool("two")},
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			var list PoolList
			err := c.List(ctx, &list, client.Limit(1))
			return fmt.Sprintf("%d of 2 objects", len(list.Items)), err
		},
		fake: "2 of 2 objects", here: "1 of 2 objects", lenient: "1 of 2 objects",
	},
	{
		name:    "the first event of a watch where `one` exists and `two` is created",
		objects: one,
		does: func(ctx context.Context, c client.WithWatch, _ *Pool) (string, error) {
			w, err := c.Watch(ctx, &PoolList{})
			if err != nil {
				return "", err
			}
			defer w.Stop()
			if err := c.Create(ctx, pool("two")); err != nil {
				return "", err
			}
			return "`" + (<-w.ResultChan()).Object.(*Pool).Name + "`", nil
		},
		fake: "`two`", here: "`one`", lenient: "`two`",
	},
}
