package server

import (
	"maps"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
)

// review answers a POST of a kind that is not stored: who the client is, and
// what it may do, which is everything.
func (r *request) review() (*answer, error) {
	if r.http.Method != http.MethodPost || r.name != "" {
		return nil, generic(http.StatusMethodNotAllowed)
	}
	object, err := r.decoded(r.body, r.media(), choices{})
	if err != nil {
		return nil, err
	}
	all := []any{"*"}
	switch r.names.Kind {
	case "Binding":
		to := *r
		k, _ := r.server.kinds.Resource("", "pods")
		to.version, to.name, to.subresource = k.versions["v1"], metaText(object, "name"), binding
		if object, err = to.admitPart(object, nil); err != nil {
			return nil, err
		}
		return to.bind(object)
	case "SelfSubjectReview":
		info, err := runtime.DefaultUnstructuredConverter.ToUnstructured(new(user()))
		if err != nil {
			return nil, apierrors.NewInternalError(err)
		}
		object["metadata"] = map[string]any{"creationTimestamp": r.server.timestamp()}
		object["status"] = map[string]any{"userInfo": info}
	case "TokenReview":
		object["status"] = map[string]any{"authenticated": false, "user": map[string]any{}}
	case "SelfSubjectRulesReview":
		object["status"] = map[string]any{
			"resourceRules": []any{map[string]any{
				"verbs": all, "apiGroups": all, "resources": all,
			}},
			"nonResourceRules": []any{map[string]any{"verbs": all, "nonResourceURLs": all}},
			"incomplete":       false,
		}
	default:
		object["status"] = map[string]any{"allowed": true}
	}
	return &answer{http.StatusCreated, maps.Clone(object)}, nil
}
