package admission

import (
	"context"
	"errors"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/crdsem/crdsem/celrules/policy"
)

var namespaces = schema.GroupResource{Resource: "namespaces"}

// criteria say which writes a webhook, a policy or a binding is about.
type criteria struct {
	namespaces, objects labels.Selector
	err                 error // of a selector
	equivalent          bool
	rules, excluded     []v1.NamedRuleWithOperations
}

func newCriteria(of *v1.MatchResources) criteria {
	c := criteria{rules: of.ResourceRules, excluded: of.ExcludeResourceRules}
	c.equivalent = of.MatchPolicy != nil && *of.MatchPolicy == v1.Equivalent
	c.namespaces, c.err = metav1.LabelSelectorAsSelector(of.NamespaceSelector)
	if c.err == nil {
		c.objects, c.err = metav1.LabelSelectorAsSelector(of.ObjectSelector)
	}
	return c
}

// everything is the rule of a policy or a binding that has none.
var everything = []v1.NamedRuleWithOperations{{RuleWithOperations: v1.RuleWithOperations{
	Operations: []v1.OperationType{v1.OperationAll},
	Rule: v1.Rule{
		APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"},
	},
}}}

// ofPolicy returns criteria that match every resource without rules.
func ofPolicy(of *v1.MatchResources) criteria {
	c := newCriteria(of)
	if len(c.rules) == 0 {
		c.rules = everything
	}
	return c
}

// match reports whether a write is one of those, and in which version its
// objects are wanted.
func (c *criteria) match(objects Objects, w *Write) (version string, matches bool, err error) {
	if c.err != nil {
		return "", false, apierrors.NewInternalError(c.err)
	}
	inNamespace, missing := c.isInNamespace(objects, w)
	if !inNamespace && missing == nil || !c.matchesObject(w) {
		return "", false, nil
	}
	if _, excluded := c.versionOf(c.excluded, objects, w); excluded {
		return "", false, nil
	}
	version, matches = c.versionOf(c.rules, objects, w)
	switch {
	case !matches:
		return "", false, nil
	case missing != nil:
		return "", false, missing
	}
	return version, true, nil
}

// isInNamespace reports whether the namespace selector matches a write. Objects
// of the cluster other than namespaces always match.
func (c *criteria) isInNamespace(objects Objects, w *Write) (bool, error) {
	isNamespace := w.Resource.GroupResource() == namespaces
	switch {
	case w.Namespace == "" && !isNamespace, c.namespaces.Empty():
		return true, nil
	case isNamespace && w.Subresource == "" && w.Object != nil:
		return c.namespaces.Matches(labelsOf(w.Object)), nil
	}
	namespace, err := namespaceOf(objects, w.Namespace)
	return err == nil && c.namespaces.Matches(labelsOf(namespace)), err
}

// namespaceOf returns a namespace, or the error that it is not found.
func namespaceOf(objects Objects, name string) (map[string]any, error) {
	if namespace := objects.Get(namespaces, "", name); namespace != nil {
		return namespace, nil
	}
	return nil, apierrors.NewNotFound(namespaces, name)
}

// matchesObject reports whether the object selector matches the object or the
// old one.
func (c *criteria) matchesObject(w *Write) bool {
	return c.objects.Empty() || w.Object != nil && c.objects.Matches(labelsOf(w.Object)) ||
		w.Old != nil && c.objects.Matches(labelsOf(w.Old))
}

func labelsOf(object map[string]any) labels.Set {
	return (&unstructured.Unstructured{Object: object}).GetLabels()
}

// versionOf returns the version in which rules want the object: that of the
// request if a rule has it, otherwise another one of the kind if equivalents
// are taken.
func (c *criteria) versionOf(
	rules []v1.NamedRuleWithOperations, objects Objects, w *Write,
) (string, bool) {
	if slices.ContainsFunc(rules, func(r v1.NamedRuleWithOperations) bool {
		return matches(&r, w, w.Resource.Version)
	}) {
		return w.Resource.Version, true
	}
	if !c.equivalent || len(rules) == 0 {
		return "", false
	}
	versions := objects.Versions(w.Resource.GroupResource())
	for _, rule := range rules {
		for _, version := range versions {
			if matches(&rule, w, version) {
				return version, true
			}
		}
	}
	return "", false
}

// matches reports whether a rule is about a write in a version.
func matches(rule *v1.NamedRuleWithOperations, w *Write, version string) bool {
	return isInScope(rule.Scope, w) &&
		has(rule.Operations, v1.OperationType(w.Operation)) &&
		has(rule.APIGroups, w.Resource.Group) && has(rule.APIVersions, version) &&
		slices.ContainsFunc(rule.Resources, func(resource string) bool {
			name, part, _ := strings.Cut(resource, "/")
			return (name == "*" || name == w.Resource.Resource) &&
				(part == "*" || part == w.Subresource)
		}) &&
		(len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, w.Name))
}

// has reports whether a list has a value, or the * that stands for all.
func has[T ~string](list []T, value T) bool {
	return slices.Contains(list, "*") || slices.Contains(list, value)
}

func isInScope(scope *v1.ScopeType, w *Write) bool {
	if scope == nil || *scope == v1.AllScopes {
		return true
	}
	ofCluster := w.Namespace == "" || w.Resource.GroupResource() == namespaces
	return (*scope == v1.ClusterScope) == ofCluster
}

// view is a write with its objects in the version that a webhook or a policy
// knows.
type view struct {
	*Write
	version     string
	object, old map[string]any
}

func viewOf(ctx context.Context, objects Objects, w *Write, version string) (view, error) {
	v := view{Write: w, version: version}
	var err error
	if v.object, err = as(ctx, objects, w, w.Object, version); err == nil {
		v.old, err = as(ctx, objects, w, w.Old, version)
	}
	return v, err
}

// as returns an object of a write in another version, as matchPolicy Equivalent
// needs it.
func as(
	ctx context.Context, objects Objects, w *Write, object map[string]any, version string,
) (map[string]any, error) {
	ofPart := w.Kind.GroupVersion() != w.Resource.GroupVersion() // e.g. a Scale
	if object == nil || version == w.Resource.Version || ofPart {
		return object, nil
	}
	return objects.Convert(ctx, object, version)
}

// request returns the request of a review.
func (v *view) request(uid types.UID) *admissionv1.AdmissionRequest {
	kind, resource := v.Kind, v.Resource
	resource.Version = v.version
	if kind.Group == resource.Group {
		kind.Version = v.version
	}
	return &admissionv1.AdmissionRequest{
		UID:  uid,
		Kind: metav1.GroupVersionKind(kind), RequestKind: new(metav1.GroupVersionKind(v.Kind)),
		Resource:        metav1.GroupVersionResource(resource),
		RequestResource: new(metav1.GroupVersionResource(v.Resource)),
		SubResource:     v.Subresource, RequestSubResource: v.Subresource,
		Name: v.Name, Namespace: v.Namespace, Operation: v.Operation,
		UserInfo: v.User, DryRun: new(v.DryRun),
	}
}

// expressionRequest returns what expressions are about.
func (v *view) expressionRequest(r *admissionv1.AdmissionRequest) policy.Request {
	// a request has only fields that convert
	request, _ := runtime.DefaultUnstructuredConverter.ToUnstructured(r)
	request["options"] = v.Options
	return policy.Request{Request: request, Object: v.object, OldObject: v.old}
}

// matchConditions are those of a webhook or a policy.
type matchConditions struct {
	compiler *policy.Compiler
	all      []*policy.Expression
}

func newMatchConditions(c *policy.Compiler, of []v1.MatchCondition) matchConditions {
	conditions := matchConditions{compiler: c}
	for _, condition := range of {
		conditions.all = append(conditions.all, c.Compile(condition.Expression, policy.Condition))
	}
	return conditions
}

// match evaluates the conditions. They see the resource of the request, and the
// kind of the version that is wanted.
func (m *matchConditions) match(
	ctx context.Context, v *view, params map[string]any,
) (bool, error) {
	if len(m.all) == 0 {
		return true, nil
	}
	request := v.request("")
	request.Resource = metav1.GroupVersionResource(v.Resource)
	about := v.expressionRequest(request)
	about.Params = params
	matches, err := m.compiler.Start(about, policy.ConditionsBudget).Match(ctx, m.all)
	if several, ok := errors.AsType[interface {
		error
		Unwrap() []error
	}](err); ok {
		err = utilerrors.NewAggregate(several.Unwrap())
	}
	return matches, err
}
