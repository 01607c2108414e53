package server

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem/kube/server/internal/builtin"
	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

// Subresources of one kind each.
const (
	eviction = "eviction" // deletes a Pod
	approval = "approval" // writes the status of a request for a certificate
	binding  = "binding"  // gives a Pod a node
	token    = "token"    // makes a token of a ServiceAccount
)

// special returns how a request for a subresource that is no part of the object
// is done, nil for other requests.
func (r *request) special() func() (*answer, error) {
	if r.builtin == nil || r.http.Method != http.MethodPost || r.name == "" {
		return nil
	}
	do := map[string]func(body map[string]any) (*answer, error){
		"Pod/" + eviction: r.evict, "Pod/" + binding: r.bind, "ServiceAccount/" + token: r.makeToken,
	}[r.names.Kind+"/"+r.subresource]
	if do == nil {
		return nil
	}
	return func() (*answer, error) {
		body, err := r.partOf()
		if err != nil {
			return nil, err
		}
		if body, err = r.admitPart(body, nil); err != nil {
			return nil, err
		}
		return do(body)
	}
}

// partOf decodes the body of a subresource of another kind.
func (r *request) partOf() (map[string]any, error) {
	media := r.media()
	if media == "" {
		media = runtime.ContentTypeJSON
	}
	object, _, err := builtin.Decode(r.body, media, r.kindOfPart())
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return object, nil
}

// kindOfPart returns the kind of the subresource.
func (r *request) kindOfPart() schema.GroupVersionKind {
	if r.subresource == scaleName {
		return autoscalingv1.SchemeGroupVersion.WithKind("Scale")
	}
	of := schema.GroupVersionKind{}
	for _, s := range r.builtin.Resource.Subresources {
		if s.Name == r.subresource {
			of = s.Of
		}
	}
	if of.Version == "" {
		of.Group, of.Version = r.resource.Group, r.model.Name
	}
	return of
}

// evict answers the eviction of a Pod, which its budgets may refuse.
func (r *request) evict(body map[string]any) (*answer, error) {
	live, err := r.live()
	if err != nil {
		return nil, err
	}
	if r.isBudgeted(live.Content()) {
		return nil, apierrors.NewTooManyRequests(
			"Cannot evict pod as it would violate the pod's disruption budget.", 10)
	}
	options := &metav1.DeleteOptions{}
	if sent, ok := body["deleteOptions"].(map[string]any); ok {
		err := runtime.DefaultUnstructuredConverter.FromUnstructured(sent, options)
		if err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
	}
	if _, err := r.remove(options); err != nil {
		return nil, err
	}
	return &answer{http.StatusCreated, success()}, nil
}

func success() *metav1.Status {
	return &metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusSuccess, Code: http.StatusCreated,
	}
}

// isBudgeted reports whether a budget allows no disruption of a Pod.
func (r *request) isBudgeted(pod map[string]any) bool {
	budgets := schema.GroupResource{Group: "policy", Resource: "poddisruptionbudgets"}
	k, _ := r.server.kinds.Resource(budgets.Group, budgets.Resource)
	all, _ := k.objects.List(k.prefix(r.namespace))
	set := labels.Set((&unstructured.Unstructured{Object: pod}).GetLabels())
	phase, _, _ := unstructured.NestedString(pod, "status", "phase")
	if phase == "Succeeded" || phase == "Failed" || phase == "Pending" {
		return false
	}
	for budget := range all.All() {
		spec, _ := budget.Content()["spec"].(map[string]any)
		fields, _ := spec["selector"].(map[string]any)
		matches, err := selectorOf(fields)
		if err != nil || fields == nil || !matches.Matches(set) {
			continue
		}
		allowed, _, _ := unstructured.NestedInt64(budget.Content(), "status", "disruptionsAllowed")
		if allowed <= 0 {
			return true
		}
	}
	return false
}

// selectorOf returns the selector that fields describe.
func selectorOf(fields map[string]any) (labels.Selector, error) {
	selector := &metav1.LabelSelector{}
	err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, selector)
	if err != nil {
		return nil, err
	}
	return metav1.LabelSelectorAsSelector(selector)
}

// bind answers the binding of a Pod to a node.
func (r *request) bind(body map[string]any) (*answer, error) {
	old, err := r.live()
	if err != nil {
		return nil, err
	}
	node, _, _ := unstructured.NestedString(body, "target", "name")
	spec, _ := old.Content()["spec"].(map[string]any)
	if at, _ := spec["nodeName"].(string); at != "" {
		return nil, apierrors.NewConflict(schema.GroupResource{Resource: "pods/binding"}, r.name,
			fmt.Errorf("pod %s is already assigned to node %q", r.name, at))
	}
	next := maps.Clone(old.Content())
	spec = maps.Clone(spec)
	spec["nodeName"], next["spec"] = node, spec
	status, _ := next["status"].(map[string]any)
	status = maps.Clone(status)
	if status == nil {
		status = map[string]any{}
	}
	conditions, _ := status["conditions"].([]any)
	status["conditions"] = append(conditions[:len(conditions):len(conditions)], map[string]any{
		"type": "PodScheduled", "status": "True", "lastTransitionTime": r.server.timestamp(),
	})
	next["status"] = status
	if _, err := r.put(old, storage.NewObject(r.key(), next, next)); err != nil {
		return nil, err
	}
	return &answer{http.StatusCreated, success()}, nil
}

// makeToken answers the request for a token of a ServiceAccount. The token has
// the form of the server's, and the server takes no token but its own.
func (r *request) makeToken(body map[string]any) (*answer, error) {
	account, err := r.live()
	if err != nil {
		return nil, err
	}
	spec, ok := body["spec"].(map[string]any)
	if !ok {
		spec = map[string]any{}
		body["spec"] = spec
	}
	seconds, _ := spec["expirationSeconds"].(int64)
	if seconds == 0 {
		seconds = 3600
		spec["expirationSeconds"] = seconds
	}
	until := r.server.now().Add(time.Duration(seconds) * time.Second)
	part := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	claims := fmt.Sprintf(`{"sub":"system:serviceaccount:%s:%s","exp":%d,"jti":%q}`,
		r.namespace, metaText(account.Content(), "name"), until.Unix(), r.server.uid())
	body["status"] = map[string]any{
		"expirationTimestamp": until.Format(time.RFC3339),
		"token": strings.Join([]string{
			part(`{"alg":"none","typ":"JWT"}`), part(claims), part(r.server.uid())}, "."),
	}
	return &answer{http.StatusCreated, body}, nil
}

// gracePeriod returns how long a Pod may take to end: not at all if it is on no
// node or has ended.
func gracePeriod(pod map[string]any, options *metav1.DeleteOptions) int64 {
	spec, _ := pod["spec"].(map[string]any)
	phase, _, _ := unstructured.NestedString(pod, "status", "phase")
	if node, _ := spec["nodeName"].(string); node == "" || phase == "Succeeded" ||
		phase == "Failed" {
		return 0
	}
	if options.GracePeriodSeconds != nil {
		return *options.GracePeriodSeconds
	}
	if own, ok := spec["terminationGracePeriodSeconds"].(int64); ok {
		return own
	}
	return 30
}
