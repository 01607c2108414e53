package admission

import (
	"context"
	"errors"
	"slices"
	"strings"

	"k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/crdsem/crdsem/celrules/condition"
)

var namespaces = schema.GroupResource{Resource: "namespaces"}

// question is what a webhook is asked: a write, with its objects in the version
// that the webhook knows.
type question struct {
	*Write
	hook    *hook
	version string
	object  map[string]any
	old     map[string]any
}

// isExempt reports whether no webhook is asked: about webhooks and policies
// themselves, so that a wrong one can be mended.
func (w *Write) isExempt() bool { return w.Resource.Group == v1.GroupName }

// questionFor returns what a webhook is asked about a write, nil if it is not
// asked.
func (p *Webhooks) questionFor(ctx context.Context, h *hook, w *Write) (*question, error) {
	if h.selectorErr != nil {
		return nil, apierrors.NewInternalError(h.selectorErr)
	}
	inNamespace, missing := p.isInNamespace(h, w)
	if !inNamespace && missing == nil || !h.matchesObject(w) {
		return nil, nil
	}
	version, ok := p.versionFor(h, w)
	switch {
	case !ok:
		return nil, nil
	case missing != nil:
		return nil, missing
	}
	q := &question{Write: w, hook: h, version: version}
	var err error
	if q.object, err = p.as(ctx, w, w.Object, version); err == nil {
		q.old, err = p.as(ctx, w, w.Old, version)
	}
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	matches, err := q.matchesConditions(ctx)
	if err != nil && !h.ignores() {
		return nil, apierrors.NewForbidden(w.Resource.GroupResource(), w.Name, err)
	}
	if !matches {
		return nil, nil
	}
	return q, nil
}

// as returns an object of a write in another version, as matchPolicy Equivalent
// needs it.
func (p *Webhooks) as(
	ctx context.Context, w *Write, object map[string]any, version string,
) (map[string]any, error) {
	ofPart := w.Kind.GroupVersion() != w.Resource.GroupVersion() // e.g. a Scale
	if object == nil || version == w.Resource.Version || ofPart {
		return object, nil
	}
	return p.objects.Convert(ctx, object, version)
}

// isInNamespace reports whether the namespace selector of a webhook matches a
// write. Objects of the cluster other than namespaces always match.
func (p *Webhooks) isInNamespace(h *hook, w *Write) (bool, error) {
	isNamespace := w.Resource.GroupResource() == namespaces
	switch {
	case w.Namespace == "" && !isNamespace, h.namespaces.Empty():
		return true, nil
	case isNamespace && w.Subresource == "" && w.Object != nil:
		return h.namespaces.Matches(labelsOf(w.Object)), nil
	}
	namespace := p.objects.Get(namespaces, "", w.Namespace)
	if namespace == nil {
		return false, apierrors.NewNotFound(namespaces, w.Namespace)
	}
	return h.namespaces.Matches(labelsOf(namespace)), nil
}

// matchesObject reports whether the object selector matches the object or the
// old one.
func (h *hook) matchesObject(w *Write) bool {
	return h.objects.Empty() || w.Object != nil && h.objects.Matches(labelsOf(w.Object)) ||
		w.Old != nil && h.objects.Matches(labelsOf(w.Old))
}

func labelsOf(object map[string]any) labels.Set {
	return (&unstructured.Unstructured{Object: object}).GetLabels()
}

// versionFor returns the version in which a webhook wants the object: that of
// the request if a rule has it, otherwise another one of the kind if the
// webhook takes equivalents.
func (p *Webhooks) versionFor(h *hook, w *Write) (string, bool) {
	if slices.ContainsFunc(h.Rules, func(r v1.RuleWithOperations) bool {
		return matches(&r, w, w.Resource.Version)
	}) {
		return w.Resource.Version, true
	}
	if h.MatchPolicy == nil || *h.MatchPolicy != v1.Equivalent {
		return "", false
	}
	versions := p.objects.Versions(w.Resource.GroupResource())
	for _, rule := range h.Rules {
		for _, version := range versions {
			if matches(&rule, w, version) {
				return version, true
			}
		}
	}
	return "", false
}

// matches reports whether a rule is about a write in a version.
func matches(rule *v1.RuleWithOperations, w *Write, version string) bool {
	return isInScope(rule, w) &&
		has(rule.Operations, v1.OperationType(w.Operation)) &&
		has(rule.APIGroups, w.Resource.Group) && has(rule.APIVersions, version) &&
		slices.ContainsFunc(rule.Resources, func(resource string) bool {
			name, part, _ := strings.Cut(resource, "/")
			return (name == "*" || name == w.Resource.Resource) &&
				(part == "*" || part == w.Subresource)
		})
}

// has reports whether a list has a value, or the * that stands for all.
func has[T ~string](list []T, value T) bool {
	return slices.Contains(list, "*") || slices.Contains(list, value)
}

func isInScope(rule *v1.RuleWithOperations, w *Write) bool {
	if rule.Scope == nil || *rule.Scope == v1.AllScopes {
		return true
	}
	ofCluster := w.Namespace == "" || w.Resource.GroupResource() == namespaces
	return (*rule.Scope == v1.ClusterScope) == ofCluster
}

// matchesConditions evaluates the match conditions.
func (q *question) matchesConditions(ctx context.Context) (bool, error) {
	if len(q.hook.MatchConditions) == 0 {
		return true, nil
	}
	request, err := runtime.DefaultUnstructuredConverter.ToUnstructured(q.request(""))
	if err != nil {
		return false, err
	}
	request["options"] = q.Options
	matches, err := q.hook.conditions.Match(ctx, condition.Request{
		Request: request, Object: q.object, OldObject: q.old,
	})
	if several, ok := errors.AsType[interface {
		error
		Unwrap() []error
	}](err); ok {
		err = utilerrors.NewAggregate(several.Unwrap())
	}
	return matches, err
}
