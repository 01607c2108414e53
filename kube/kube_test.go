package kube_test

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kube"
)

// job is a custom resource as a Go type. It needs no generated code.
type job struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              jobSpec   `json:"spec"`
	Status            jobStatus `json:"status,omitempty"`
}

type jobSpec struct {
	Queue    string              `json:"queue,omitempty"`
	Memory   *resource.Quantity  `json:"memory,omitempty"`
	Port     *intstr.IntOrString `json:"port,omitempty"`
	Deadline *metav1.Time        `json:"deadline,omitempty"`
	Parallel int32               `json:"parallel,omitempty"`
}

type jobStatus struct {
	Phase string `json:"phase,omitempty"`
}

// jobs returns a definition of the API's Go types.
func jobs() *apiextensionsv1.CustomResourceDefinition {
	most := float64(8)
	str := apiextensionsv1.JSONSchemaProps{Type: "string"}
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "jobs.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "example.com", Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{
				Plural: "jobs", Kind: "Job",
			},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Subresources: &apiextensionsv1.CustomResourceSubresources{
					Status: &apiextensionsv1.CustomResourceSubresourceStatus{},
				},
				Schema: &apiextensionsv1.CustomResourceValidation{
					OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
						Type: "object",
						Properties: map[string]apiextensionsv1.JSONSchemaProps{
							"spec": {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
								"queue": {
									Type: "string", MaxLength: new(int64(20)),
									Default: &apiextensionsv1.JSON{Raw: []byte(`"main"`)},
									XValidations: apiextensionsv1.ValidationRules{{
										Rule: "self == oldSelf", Message: "the queue is fixed",
									}},
								},
								"memory": {
									XIntOrString: true,
									Pattern:      `^[0-9]+(Mi|Gi)$`,
								},
								"port":     {XIntOrString: true},
								"deadline": {Type: "string", Format: "date-time"},
								"parallel": {Type: "integer", Maximum: &most},
							}},
							"status": {
								Type:       "object",
								Properties: map[string]apiextensionsv1.JSONSchemaProps{"phase": str},
							},
						},
					},
				},
			}},
		},
	}
}

func version(t *testing.T) *kube.Version {
	t.Helper()
	def, err := kube.New(jobs())
	return v1Of(t, def, err)
}

// v1Of returns version v1 of a definition that was just read.
func v1Of(t *testing.T, def *kube.Definition, err error) *kube.Version {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A struct goes in as clients send it, and the object comes back into one.
func TestStruct(t *testing.T) {
	v := version(t)
	memory, port := resource.MustParse("512Mi"), intstr.FromString("http")
	sent := &job{
		ObjectMeta: metav1.ObjectMeta{Name: "one", UID: "mine"},
		Spec: jobSpec{
			Memory: &memory, Port: &port,
			Deadline: &metav1.Time{Time: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)},
		},
		Status: jobStatus{Phase: "done"},
	}
	before := *sent
	result := v.Create(t.Context(), sent)
	var got job
	if err := result.Into(&got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(*sent, before) {
		t.Error("the argument was changed")
	}
	if got.APIVersion != "example.com/v1" || got.Kind != "Job" || got.Namespace != "default" ||
		got.UID != "" || got.Generation != 1 || got.Status.Phase != "" {
		t.Errorf("got %+v", got)
	}
	if got.Spec.Queue != "main" || got.Spec.Memory.String() != "512Mi" ||
		*got.Spec.Port != port || !got.Spec.Deadline.Equal(sent.Spec.Deadline) {
		t.Errorf("got %+v", got.Spec)
	}
	if !reflect.DeepEqual(result.Defaulted, []string{"spec.queue"}) {
		t.Errorf("defaulted: %v", result.Defaulted)
	}
	var u unstructured.Unstructured
	if err := result.Into(&u); err != nil || u.GetName() != "one" {
		t.Errorf("got %v, %v", u.Object, err)
	}
}

// Refusals are errors of package apierrors.
func TestRefusals(t *testing.T) {
	v, ctx := version(t), t.Context()
	var stored job
	object := &job{ObjectMeta: metav1.ObjectMeta{Name: "one"}, Spec: jobSpec{Queue: "a"}}
	if err := v.Create(ctx, object).Into(&stored); err != nil {
		t.Fatal(err)
	}
	stored.ResourceVersion = "7"
	other := stored
	other.Spec.Queue, other.Spec.Parallel = "b", 9
	err := v.Update(ctx, &other, &stored).Err()
	if !apierrors.IsInvalid(err) {
		t.Fatalf("got %v", err)
	}
	var refused *apierrors.StatusError
	if !errors.As(err, &refused) || any(refused) != any(err) {
		t.Fatalf("got a %T, which is no StatusError itself", err)
	}
	status := refused.Status()
	if d := status.Details; status.Code != 422 || d.Name != "one" || d.Group != "example.com" ||
		d.Kind != "Job" || len(d.Causes) != 2 || d.Causes[0].Field != "spec.parallel" {
		t.Errorf("got %+v", status.Details)
	}
	if !apierrors.HasStatusCause(err, metav1.CauseTypeFieldValueInvalid) {
		t.Errorf("no cause FieldValueInvalid: %v", err)
	}
	if rule := v.Update(ctx, &other, &stored).Findings()[0].Rule; !strings.HasPrefix(rule, "VAL-") {
		t.Errorf("rule %q", rule)
	}
	other = stored
	other.ResourceVersion = "6"
	err = v.Update(ctx, &other, &stored, crdsem.Concurrency(crdsem.RequireResourceVersion)).Err()
	if status := apierrors.APIStatus(nil); !apierrors.IsConflict(err) ||
		!errors.As(err, &status) || status.Status().Details.Kind != "jobs" {
		t.Errorf("got %v", err)
	}
	wrong := &job{TypeMeta: metav1.TypeMeta{APIVersion: "example.com/v2", Kind: "Job"}}
	if err := v.Create(ctx, wrong).Err(); !apierrors.IsBadRequest(err) {
		t.Errorf("got %v", err)
	}
	patch := []byte(`{"status":{"phase":1}}`)
	err = v.PatchStatus(ctx, patch, types.MergePatchType, &stored).Err()
	if !apierrors.IsInvalid(err) {
		t.Errorf("got %v", err)
	}
	err = v.Patch(ctx, patch, types.StrategicMergePatchType, &stored).Err()
	if !apierrors.IsUnsupportedMediaType(err) {
		t.Errorf("got %v", err)
	}
}

// Every other verb, with values of each kind.
func TestVerbs(t *testing.T) {
	v, ctx := version(t), t.Context()
	var stored job
	config := map[string]any{"metadata": map[string]any{"name": "one"}, "spec": map[string]any{}}
	if err := v.Apply(ctx, config, nil, crdsem.FieldManager("m")).Into(&stored); err != nil {
		t.Fatal(err)
	}
	if len(stored.ManagedFields) != 1 || stored.ManagedFields[0].Manager != "m" {
		t.Errorf("managed fields: %v", stored.ManagedFields)
	}
	update := stored
	update.Status.Phase = "done"
	if err := v.UpdateStatus(ctx, &update, &stored).Into(&stored); err != nil ||
		stored.Status.Phase != "done" {
		t.Errorf("got %+v, %v", stored, err)
	}
	u := &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"name": "one"}, "status": map[string]any{"phase": "open"},
	}}
	by := crdsem.FieldManager("m")
	if err := v.ApplyStatus(ctx, u, &stored, by, crdsem.Force()).Err(); err != nil {
		t.Error(err)
	}
	if _, ok := u.Object["kind"]; ok {
		t.Error("the argument was changed")
	}
	patch := []byte(`[{"op":"add","path":"/spec/parallel","value":2}]`)
	var patched job
	err := v.Patch(ctx, patch, types.JSONPatchType, &stored).Into(&patched)
	if err != nil || patched.Spec.Parallel != 2 || patched.Generation != 2 {
		t.Errorf("got %+v, %v", patched, err)
	}
	if err := v.Read(ctx, &stored).Into(&patched); err != nil || patched.Spec.Parallel != 0 {
		t.Errorf("got %+v, %v", patched, err)
	}
}

// A patch with the media type of an apply is an error that names Apply. Other
// types that the server does not know are its own error.
func TestPatchTypes(t *testing.T) {
	v, ctx := version(t), t.Context()
	stored := &job{ObjectMeta: metav1.ObjectMeta{Name: "one"}}
	patch := []byte(`{}`)
	for name, result := range map[string]*kube.Result{
		"patch":  v.Patch(ctx, patch, types.ApplyYAMLPatchType, stored),
		"status": v.PatchStatus(ctx, patch, types.ApplyYAMLPatchType, stored),
	} {
		const want = "patch of type application/apply-patch+yaml: call Apply or ApplyStatus " +
			"with the configuration as an object"
		if err := result.Err(); err == nil || err.Error() != want {
			t.Errorf("%s: got %v", name, err)
		}
	}
	err := v.Patch(ctx, patch, types.StrategicMergePatchType, stored).Err()
	if !apierrors.IsUnsupportedMediaType(err) {
		t.Errorf("got %v", err)
	}
}

// A refusal has the code, the reason and the text of the server, and its
// details where the server has them. Any other error stays what it is.
func TestStatusError(t *testing.T) {
	other := errors.New("a")
	if err := kube.StatusError(other); err != other || kube.StatusError(nil) != nil {
		t.Errorf("got %v", err)
	}
	causes := []crdsem.Cause{
		{Reason: "FieldValueInvalid", Message: "m", Field: "spec.a"}, {Reason: "FieldValueRequired"},
	}
	named := &metav1.StatusDetails{Name: "one", Group: "g.io", Kind: "Thing"}
	detailed := named.DeepCopy()
	detailed.Causes = []metav1.StatusCause{
		{Type: "FieldValueInvalid", Message: "m", Field: "spec.a"}, {Type: "FieldValueRequired"},
	}
	for _, test := range []struct {
		code    int
		reason  string
		causes  []crdsem.Cause
		details *metav1.StatusDetails
	}{
		{400, "BadRequest", causes, nil},
		{413, "RequestEntityTooLarge", causes, nil},
		{415, "UnsupportedMediaType", causes, nil},
		{500, "", causes, nil},
		{500, "InternalError", nil, named},
		{404, "NotFound", nil, named},
		{422, "Invalid", causes, detailed},
	} {
		err := kube.StatusError(&crdsem.StatusError{
			Code: test.code, Reason: test.reason, Message: "text", Name: "one", Group: "g.io",
			Kind: "Thing", Causes: test.causes,
		})
		want := &apierrors.StatusError{ErrStatus: metav1.Status{
			Status: "Failure", Code: int32(test.code), Reason: metav1.StatusReason(test.reason),
			Message: "text", Details: test.details,
		}}
		if !reflect.DeepEqual(err, want) {
			t.Errorf("%d %s: got %+v, want %+v", test.code, test.reason, err, want)
		}
	}
}

// A definition is created as by a server.
func TestDefinitions(t *testing.T) {
	broken := jobs()
	broken.Spec.Names.Kind = "no kind"
	if _, err := kube.New(broken); !apierrors.IsInvalid(err) ||
		!strings.Contains(err.Error(), "spec.names.kind") {
		t.Errorf("got %v", err)
	}
	broken = jobs()
	spec := broken.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	spec.Default = &apiextensionsv1.JSON{Raw: []byte("{")}
	broken.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"] = spec
	const frame = "encoding the definition jobs.example.com: "
	if _, err := kube.New(broken); err == nil || !strings.HasPrefix(err.Error(), frame) {
		t.Errorf("a default that is no JSON: %v", err)
	}
	_, err := kube.New(nil)
	if err == nil || err.Error() != "no definition was given: the argument is nil" {
		t.Errorf("nil: %v", err)
	}
	const handled = `CustomResourceDefinition in version "v1" cannot be handled as a ` +
		"CustomResourceDefinition: "
	if _, err := kube.Parse([]byte("kind: [")); !apierrors.IsBadRequest(err) ||
		!strings.HasPrefix(err.Error(), handled) {
		t.Errorf("got %v", err)
	}
	_, err = kube.New(jobs(), crdsem.Kubernetes("1.1"))
	if _, ok := errors.AsType[*crdsem.OptionError](err); !ok ||
		!strings.HasPrefix(err.Error(), "definition jobs.example.com: ") {
		t.Errorf("an option that is wrong: %v", err)
	}
	given := jobs()
	given.Status.StoredVersions = []string{"v9"} // which does not count
	if _, err := kube.New(given); err != nil || given.Kind != "" || given.APIVersion != "" {
		t.Errorf("%v, the argument is %v", err, given.TypeMeta)
	}
	text, err := os.ReadFile("testdata/pools.yaml")
	if err != nil {
		t.Fatal(err)
	}
	def, err := kube.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := def.Version("v2"); err == nil {
		t.Error("a version that is not served is found")
	}
	if name := def.Untyped().Model().Name(); name != "pools.example.com" {
		t.Errorf("name %s", name)
	}
}

// Whatever is no object gets an error, not a panic.
func TestNoObjects(t *testing.T) {
	v, ctx := version(t), t.Context()
	var none *job
	for name, object := range map[string]any{
		"nil": nil, "a nil pointer": none, "a value": job{}, "a number": 7,
		"a Go value": map[string]any{"kind": "Job", "spec": map[string]any{"parallel": 7}},
		"a channel": &struct {
			Spec chan int `json:"spec"`
		}{make(chan int)},
		"a nil unstructured": (*unstructured.Unstructured)(nil),
	} {
		for verb, err := range map[string]error{
			"create": v.Create(ctx, object).Err(),
			"update": v.Update(ctx, object, object).Err(),
			"status": v.UpdateStatus(ctx, object, object).Err(),
			"patch":  v.Patch(ctx, []byte(`{}`), types.MergePatchType, object).Err(),
			"read":   v.Read(ctx, object).Err(),
		} {
			if err == nil {
				t.Errorf("%s: %s succeeds", name, verb)
			}
		}
	}
	result := v.Create(ctx, &job{ObjectMeta: metav1.ObjectMeta{Name: "one"}})
	for name, into := range map[string]any{
		"nil": nil, "a value": job{}, "a nil pointer": none, "another type": &struct {
			Spec string `json:"spec"`
		}{},
		"a nil unstructured": (*unstructured.Unstructured)(nil),
		"a nil map":          (*map[string]any)(nil),
	} {
		if result.Into(into) == nil {
			t.Errorf("into %s succeeds", name)
		}
	}
}

// A definition that a server has stored is not refused as a new one.
func TestStoredDefinitions(t *testing.T) {
	crd := jobs()
	spec := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	spec.Properties["untyped"] = apiextensionsv1.JSONSchemaProps{}
	spec.Properties["odd"] = apiextensionsv1.JSONSchemaProps{Type: "string", Format: "odd"}
	const refusal = "properties[untyped].type: Required value"
	if _, err := kube.New(crd); err == nil || !strings.Contains(err.Error(), refusal) {
		t.Fatal(err)
	}
	byOption, err := kube.New(crd, nil, crdsem.Stored())
	crd.Status.Conditions = []apiextensionsv1.CustomResourceDefinitionCondition{
		{Type: apiextensionsv1.Established, Status: apiextensionsv1.ConditionTrue},
	}
	byStatus, statusErr := kube.New(crd)
	for def, err := range map[*kube.Definition]error{byOption: err, byStatus: statusErr} {
		v := v1Of(t, def, err)
		all := def.Warnings()
		if len(all) != 2 || !strings.HasPrefix(all[0], `unrecognized format "odd"`) ||
			!strings.HasPrefix(all[1], "refused if it were new: spec.") ||
			!strings.Contains(all[1], refusal) {
			t.Errorf("%q", all)
		}
		if all[0] = ""; def.Warnings()[0] == "" {
			t.Error("the warnings are those of the definition")
		}
		r := v.Create(t.Context(), &job{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "d"}})
		if r.Err() != nil {
			t.Error(r.Err())
		}
	}
}
