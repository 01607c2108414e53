package fake_test

import (
	"os"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kube"
	"github.com/crdsem/crdsem/kube/fake"
)

// Pool is the resource of examples/rules as a Go type.
type Pool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              PoolSpec   `json:"spec"`
	Status            PoolStatus `json:"status,omitempty"`
}

// PoolSpec is what a user asks for.
type PoolSpec struct {
	MinReplicas int32  `json:"minReplicas,omitempty"`
	MaxReplicas int32  `json:"maxReplicas,omitempty"`
	Replicas    int32  `json:"replicas"`
	Class       string `json:"class,omitempty"`
	Unknown     string `json:"unknown,omitempty"` // not in the schema
}

// PoolStatus is what there is.
type PoolStatus struct {
	Replicas int32 `json:"replicas,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (p *Pool) DeepCopyObject() runtime.Object {
	out := *p
	p.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// PoolList is a list of pools.
type PoolList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Pool `json:"items"`
}

// DeepCopyObject implements runtime.Object.
func (l *PoolList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*Pool))
	}
	return &out
}

// poolScheme knows pools, and the types of the core group.
func poolScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	gv := schema.GroupVersion{Group: "example.com", Version: "v1"}
	scheme.AddKnownTypes(gv, &Pool{}, &PoolList{})
	metav1.AddToGroupVersion(scheme, gv)
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	return scheme
}

func definition(
	t *testing.T, file string, options ...crdsem.DefinitionOption,
) *kube.Definition {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	def, err := kube.Parse(text, options...)
	if err != nil {
		t.Fatal(err)
	}
	return def
}

// poolServer returns a server of pools.
func poolServer(t *testing.T) *fake.Server {
	t.Helper()
	server, err := fake.NewServer(definition(t, "../testdata/pools.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// poolClient returns a client of a new server, with some objects.
func poolClient(t *testing.T, objects ...client.Object) client.WithWatch {
	t.Helper()
	base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).WithObjects(objects...).Build()
	c, err := poolServer(t).Client(base, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// pool returns a pool that the server admits.
func pool(name string) *Pool {
	return &Pool{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
		Spec:       PoolSpec{Replicas: 3},
	}
}
