package admission

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	"k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// update is the update of an object of the group example.com.
func update() *Write {
	return &Write{
		Operation: admissionv1.Update, Namespace: "default", Name: "a", DryRun: true,
		Kind: schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Tab"},
		Resource: schema.GroupVersionResource{
			Group: "example.com", Version: "v1", Resource: "tabs",
		},
		Object: map[string]any{"kind": "Tab"}, Old: map[string]any{"kind": "Old"},
		Options: map[string]any{"kind": "UpdateOptions"},
	}
}

// A webhook is asked by the first version of a review that the server has.
func TestReviewVersion(t *testing.T) {
	for versions, want := range map[string]string{
		"v1": "v1 <nil>", "v1beta1": "v1beta1 <nil>", "v2 v1beta1 v1": "v1beta1 <nil>",
		"": " webhook does not accept known AdmissionReview versions (v1, v1beta1)",
	} {
		h := &hook{MutatingWebhook: v1.MutatingWebhook{
			AdmissionReviewVersions: strings.Fields(versions),
		}}
		version, err := (&question{hook: h}).reviewVersion()
		if got := fmt.Sprint(version, " ", err); got != want {
			t.Errorf("%s: %s, want %s", versions, got, want)
		}
	}
}

// A review has the write as it was sent, and the objects in the version that
// the webhook knows.
func TestReview(t *testing.T) {
	q := &question{view: view{
		Write: update(), version: "v2", object: map[string]any{"a": "new"},
		old: map[string]any{"a": "old"},
	}}
	const want = `"uid":"u","kind":{"group":"example.com","version":"v2","kind":"Tab"},` +
		`"resource":{"group":"example.com","version":"v2","resource":"tabs"},` +
		`"requestKind":{"group":"example.com","version":"v1","kind":"Tab"},` +
		`"requestResource":{"group":"example.com","version":"v1","resource":"tabs"},` +
		`"name":"a","namespace":"default","operation":"UPDATE","userInfo":{},` +
		`"object":{"a":"new"},"oldObject":{"a":"old"},"dryRun":true,` +
		`"options":{"kind":"UpdateOptions"}`
	for version, answer := range map[string]runtime.Object{
		"v1": &admissionv1.AdmissionReview{}, "v1beta1": &admissionv1beta1.AdmissionReview{},
	} {
		sent, empty, err := q.review(version, "u")
		whole := `{"apiVersion":"admission.k8s.io/` + version +
			`","kind":"AdmissionReview","request":{` + want + `}}`
		if string(sent) != whole || err != nil {
			t.Errorf("%s: %s (%v), want %s", version, sent, err, whole)
		}
		if fmt.Sprintf("%T", empty) != fmt.Sprintf("%T", answer) {
			t.Errorf("%s: the answer is a %T", version, empty)
		}
	}
	q.Kind = schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
	if got := q.request("").Kind.Version; got != "v1" {
		t.Errorf("a Scale in version %s", got)
	}
	q.object = map[string]any{"a": func() {}}
	if _, _, err := q.review("v1", ""); err == nil {
		t.Error("an object that is not JSON was written")
	}
}

// Answers that are refused, and why. Those of v1beta1 are hardly checked.
func TestAnswer(t *testing.T) {
	const kind = `"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",`
	const beta = `"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview",`
	for _, test := range []struct{ answer, mutating, validating string }{
		{`{` + kind + `"response":{"uid":"u","allowed":true}}`, "", ""},
		{`{` + kind + `"response":{"uid":"v","allowed":true}}`,
			`expected response.uid="u", got "v"`, `expected response.uid="u", got "v"`},
		{`{` + kind + `"request":{}}`, "webhook response was absent", "webhook response was absent"},
		{`{` + beta + `"response":{"uid":"u"}}`, "", ""},
		{`{` + beta + `"response":{"patch":"W10="}}`, "", ""},
		{`{` + beta + `"request":{}}`, "webhook response was absent", "webhook response was absent"},
		{`{"response":{"uid":"u"}}`,
			"expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=",
			"expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind="},
		{`{` + kind + `"response":{"uid":"u","patch":"W10=","patchType":"JSONPatch"}}`, "",
			"validating webhook may not return response.patch"},
		{`{` + kind + `"response":{"uid":"u","patch":"W10="}}`,
			"webhook returned response.patch but not response.patchType",
			"validating webhook may not return response.patch"},
		{`{` + kind + `"response":{"uid":"u","patchType":"JSONPatch"}}`,
			"webhook returned response.patchType but not response.patch",
			"validating webhook may not return response.patchType"},
		{`{` + kind + `"response":{"uid":"u","patch":"W10=","patchType":""}}`,
			`webhook returned invalid response.patchType of ""`,
			"validating webhook may not return response.patch"},
	} {
		var review runtime.Object = &admissionv1.AdmissionReview{}
		if strings.Contains(test.answer, "v1beta1") {
			review = &admissionv1beta1.AdmissionReview{}
		}
		if err := json.Unmarshal([]byte(test.answer), review); err != nil {
			t.Fatal(err)
		}
		for mutates, want := range map[bool]string{true: test.mutating, false: test.validating} {
			got := ""
			if _, err := answerOf("u", review, mutates); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%s (mutating %t): %s, want %s", test.answer, mutates, got, want)
			}
		}
	}
	if _, err := answerOf("u", &metav1.Status{}, true); err == nil {
		t.Error("a Status is an answer")
	}
}

// The fields of an answer of v1beta1 are those of v1.
func TestAnswerOfBeta(t *testing.T) {
	got, err := answerOf("", &admissionv1beta1.AdmissionReview{
		Response: &admissionv1beta1.AdmissionResponse{
			Allowed: true, Patch: []byte("[]"), Warnings: []string{"w"},
			Result: &metav1.Status{Message: "m"},
		},
	}, true)
	if err != nil || !got.Allowed || string(got.Patch) != "[]" || got.Warnings[0] != "w" ||
		got.Result.Message != "m" || *got.PatchType != admissionv1.PatchTypeJSONPatch {
		t.Errorf("%+v (%v)", got, err)
	}
}

// A request that is denied has a status of a failure and the webhook's reason.
func TestDenial(t *testing.T) {
	const text = `admission webhook "w" denied the request`
	for _, test := range []struct {
		result *metav1.Status
		want   metav1.Status
	}{
		{nil, metav1.Status{Status: "Failure", Code: 400, Message: text + " without explanation"}},
		{&metav1.Status{Status: "Success", Code: 399, Reason: "R"},
			metav1.Status{Status: "Failure", Code: 400, Reason: "R", Message: text + ": R"}},
		{&metav1.Status{Status: "Other", Code: 422, Reason: "R", Message: "M"},
			metav1.Status{Status: "Other", Code: 422, Reason: "R", Message: text + ": M"}},
	} {
		if got := denial("w", test.result).ErrStatus; fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%v, want %v", got, test.want)
		}
	}
}
