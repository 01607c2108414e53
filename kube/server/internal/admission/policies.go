package admission

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"k8s.io/api/admissionregistration/v1"
	"k8s.io/api/admissionregistration/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem/celrules/policy"
	"github.com/crdsem/crdsem/minors"
)

// The resources of policies.
var (
	validatingPolicies = schema.GroupResource{
		Group: v1.GroupName, Resource: "validatingadmissionpolicies",
	}
	validatingBindings = schema.GroupResource{
		Group: v1.GroupName, Resource: "validatingadmissionpolicybindings",
	}
	mutatingPolicies = schema.GroupResource{
		Group: v1.GroupName, Resource: "mutatingadmissionpolicies",
	}
	mutatingBindings = schema.GroupResource{
		Group: v1.GroupName, Resource: "mutatingadmissionpolicybindings",
	}
)

// policySpec is the spec of a policy that validates or mutates.
type policySpec struct {
	v1.ValidatingAdmissionPolicySpec `json:",inline"`

	Mutations          []v1beta1.Mutation        `json:"mutations,omitempty"`
	ReinvocationPolicy v1.ReinvocationPolicyType `json:"reinvocationPolicy,omitempty"`
}

// bindingSpec is the spec of a binding.
type bindingSpec struct {
	v1.ValidatingAdmissionPolicyBindingSpec `json:",inline"`
}

// named is an object with its name and its spec.
type named[Spec any] struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec Spec `json:"spec"`
}

// admissionPolicy is a policy with its bindings, compiled.
type admissionPolicy struct {
	name string
	policySpec
	criteria
	conditions  matchConditions
	compiler    *policy.Compiler
	validations []validation
	mutations   []mutation
	annotations []*policy.Expression
	bindings    []*binding
}

// binding makes a policy count, nil for what concerns the policy itself.
type binding struct {
	name string
	bindingSpec
	criteria *criteria // nil for what its policy matches
}

// policyTable is what the stored policies say at some revisions.
type policyTable struct {
	revisions [2]uint64
	policies  []*admissionPolicy
}

// policySource are the stored policies of a kind.
type policySource struct {
	policies, bindings schema.GroupResource

	mu    sync.Mutex // guards known
	known *policyTable
}

// Policies evaluates the stored policies. It comes from [NewPolicies] and is
// safe for concurrent use. Policies count in the order of their names, and so
// do their bindings; a server takes any order.
type Policies struct {
	objects    Objects
	kubernetes minors.Minor

	validating, mutating policySource
}

var _ Plugin = (*Policies)(nil)

// NewPolicies returns a plugin that reads policies from objects.
func NewPolicies(objects Objects, kubernetes minors.Minor) *Policies {
	return &Policies{
		objects: objects, kubernetes: kubernetes,
		validating: policySource{policies: validatingPolicies, bindings: validatingBindings},
		mutating:   policySource{policies: mutatingPolicies, bindings: mutatingBindings},
	}
}

// Active implements Plugin.
func (p *Policies) Active() bool {
	return p.objects.Any(validatingBindings) || p.objects.Any(mutatingBindings)
}

// isOfPolicies reports whether a write is to a policy or a binding, which no
// policy is about, so that a wrong one can be fixed.
func (w *Write) isOfPolicies() bool {
	return slices.Contains([]schema.GroupResource{
		validatingPolicies, validatingBindings, mutatingPolicies, mutatingBindings,
	}, w.Resource.GroupResource())
}

// policiesOf returns the policies that have a binding. They are read again if
// one has changed.
func (p *Policies) policiesOf(s *policySource) ([]*admissionPolicy, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := [2]uint64{p.objects.Revision(s.policies), p.objects.Revision(s.bindings)}
	if s.known != nil && s.known.revisions == now {
		return s.known.policies, nil
	}
	bindings, err := p.bindings(s.bindings)
	if err != nil {
		return nil, err
	}
	next := &policyTable{revisions: now}
	for _, object := range p.objects.List(s.policies) {
		var of named[policySpec]
		if err := decode(object, &of); err != nil {
			return nil, err
		}
		if of.Spec.MatchConstraints == nil || len(bindings[of.Metadata.Name]) == 0 {
			continue
		}
		compiled, err := p.compiled(of.Metadata.Name, of.Spec)
		if err != nil {
			return nil, err
		}
		compiled.bindings = bindings[of.Metadata.Name]
		next.policies = append(next.policies, compiled)
	}
	s.known = next
	return next.policies, nil
}

func decode(object map[string]any, into any) error {
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, into); err != nil {
		return fmt.Errorf("a policy: %w", err)
	}
	return nil
}

// bindings returns the bindings by the names of their policies.
func (p *Policies) bindings(resource schema.GroupResource) (map[string][]*binding, error) {
	all := map[string][]*binding{}
	for _, object := range p.objects.List(resource) {
		var of named[bindingSpec]
		if err := decode(object, &of); err != nil {
			return nil, err
		}
		b := &binding{name: of.Metadata.Name, bindingSpec: of.Spec}
		if of.Spec.MatchResources != nil {
			b.criteria = new(ofPolicy(of.Spec.MatchResources))
		}
		all[of.Spec.PolicyName] = append(all[of.Spec.PolicyName], b)
	}
	return all, nil
}

// compiled compiles the expressions of a policy.
func (p *Policies) compiled(name string, spec policySpec) (*admissionPolicy, error) {
	options := []policy.Option{policy.Composed()}
	if spec.ParamKind != nil {
		options = append(options, policy.Params())
	}
	c, err := policy.NewCompiler(p.kubernetes, options...)
	if err != nil {
		return nil, err
	}
	for _, variable := range spec.Variables {
		c.Define(variable.Name, variable.Expression)
	}
	of := &admissionPolicy{
		name: name, policySpec: spec, compiler: c, criteria: ofPolicy(spec.MatchConstraints),
		conditions: newMatchConditions(c, spec.MatchConditions),
	}
	for _, v := range spec.Validations {
		of.validations = append(of.validations, newValidation(c, v))
	}
	of.mutations = newMutations(c, spec.Mutations)
	for _, annotation := range spec.AuditAnnotations {
		of.annotations = append(of.annotations,
			c.Compile(annotation.ValueExpression, policy.Annotation))
	}
	return of, nil
}

// ignores reports whether a policy that cannot be evaluated is left out.
func (a *admissionPolicy) ignores() bool {
	return a.FailurePolicy != nil && *a.FailurePolicy == v1.Ignore
}

// invocation is a policy that decides on a write, with one of its bindings and
// one of the parameters. err says why the policy or the binding cannot be used.
type invocation struct {
	*admissionPolicy
	binding   *binding
	params    map[string]any
	view      view
	namespace map[string]any
	err       error
}

// invocations returns what decides on a write.
func (p *Policies) invocations(
	ctx context.Context, s *policySource, w *Write,
) ([]invocation, error) {
	policies, err := p.policiesOf(s)
	if err != nil {
		return nil, err
	}
	var all []invocation
	for _, of := range policies {
		version, matches, err := of.match(p.objects, w)
		if matches && of.ParamKind != nil {
			_, _, err = p.paramResource(of.ParamKind)
		}
		switch {
		case err != nil:
			err = fmt.Errorf("failed to configure policy: %w", err)
			all = append(all, invocation{admissionPolicy: of, view: view{Write: w}, err: err})
			continue
		case !matches:
			continue
		}
		for _, b := range of.bindings {
			more, err := p.invocationsBy(ctx, invocation{
				admissionPolicy: of, binding: b, view: view{Write: w, version: version},
			})
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		}
	}
	return all, nil
}

// invocationsBy returns the invocations of a binding, one for each parameter.
func (p *Policies) invocationsBy(ctx context.Context, i invocation) ([]invocation, error) {
	w := i.view.Write
	failed := func(err error) ([]invocation, error) {
		i.err = fmt.Errorf("failed to configure binding: %w", err)
		return []invocation{i}, nil
	}
	if i.binding.criteria != nil {
		if _, matches, err := i.binding.criteria.match(p.objects, w); err != nil {
			return failed(err)
		} else if !matches {
			return nil, nil
		}
	}
	params, err := p.params(ctx, i.ParamKind, i.binding.ParamRef, w)
	if err != nil {
		return failed(err)
	}
	if i.view, err = viewOf(ctx, p.objects, w, i.view.version); err != nil {
		return failed(fmt.Errorf("failed to convert object version: %w", err))
	}
	if w.Namespace != "" && w.Kind != namespaceKind {
		if i.namespace, err = namespaceOf(p.objects, w.Namespace); err != nil {
			return nil, err
		}
	}
	all := make([]invocation, len(params))
	for n := range params {
		all[n] = i
		all[n].params = params[n]
	}
	return all, nil
}

var namespaceKind = schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}

// paramResource returns the resource of a paramKind, and whether its objects
// are in namespaces.
func (p *Policies) paramResource(
	kind *v1.ParamKind,
) (of schema.GroupResource, namespaced bool, err error) {
	gvk := schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind)
	of, namespaced, ok := p.objects.Resource(gvk)
	if !ok {
		err = fmt.Errorf("failed to find resource referenced by paramKind: '%v'", gvk)
	}
	return of, namespaced, err
}

// params returns the parameters that a binding refers to. A policy without a
// paramKind, or a binding without a paramRef, is evaluated once, without one.
func (p *Policies) params(
	ctx context.Context, kind *v1.ParamKind, ref *v1.ParamRef, w *Write,
) ([]map[string]any, error) {
	if kind == nil || ref == nil {
		return []map[string]any{nil}, nil
	}
	resource, namespaced, err := p.paramResource(kind)
	if err != nil {
		return nil, err
	}
	namespace := w.Namespace
	switch {
	case ref.Namespace != "" && !namespaced:
		return nil, errors.New(
			"paramRef.namespace must not be provided for a cluster-scoped `paramKind`")
	case ref.Namespace != "":
		namespace = ref.Namespace
	case !namespaced:
		namespace = ""
	case namespace == "":
		return nil, errors.New("cannot use namespaced paramRef in policy binding that matches " +
			"cluster-scoped resources")
	}
	found, err := p.selected(resource, namespace, ref)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 && ref.ParameterNotFoundAction != nil &&
		*ref.ParameterNotFoundAction == v1.DenyAction {
		return nil, errors.New(
			"no params found for policy binding with `Deny` parameterNotFoundAction")
	}
	version := schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind).Version
	for i := range found {
		if found[i], err = p.objects.Convert(ctx, found[i], version); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// selected returns the stored objects of a namespace that a paramRef means.
func (p *Policies) selected(
	resource schema.GroupResource, namespace string, ref *v1.ParamRef,
) ([]map[string]any, error) {
	switch {
	case ref.Name != "" && ref.Selector != nil:
		return nil, errors.New("paramRef.name and paramRef.selector are mutually exclusive")
	case ref.Name != "":
		if object := p.objects.Get(resource, namespace, ref.Name); object != nil {
			return []map[string]any{object}, nil
		}
		return nil, nil
	case ref.Selector == nil:
		return nil, errors.New("one of name or selector must be provided")
	}
	c := newCriteria(&v1.MatchResources{ObjectSelector: ref.Selector})
	if c.err != nil {
		return nil, c.err
	}
	return slices.DeleteFunc(p.objects.List(resource), func(object map[string]any) bool {
		metadata, _ := object["metadata"].(map[string]any)
		in, _ := metadata["namespace"].(string)
		return in != namespace || !c.objects.Matches(labelsOf(object))
	}), nil
}
