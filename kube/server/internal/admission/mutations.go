package admission

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/api/admissionregistration/v1"
	"k8s.io/api/admissionregistration/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules/policy"
)

// mutation is a mutation of a policy, compiled.
type mutation struct {
	configuration, patch *policy.Expression // one of them
}

// newMutations compiles mutations. Those without their expression are left out.
func newMutations(c *policy.Compiler, of []v1beta1.Mutation) (all []mutation) {
	for _, m := range of {
		switch {
		case m.PatchType == v1beta1.PatchTypeApplyConfiguration && m.ApplyConfiguration != nil:
			all = append(all, mutation{
				configuration: c.Compile(m.ApplyConfiguration.Expression, policy.Configuration),
			})
		case m.PatchType == v1beta1.PatchTypeJSONPatch && m.JSONPatch != nil:
			all = append(all, mutation{patch: c.Compile(m.JSONPatch.Expression, policy.Patch)})
		}
	}
	return all
}

// Mutate implements Plugin. The policies change the object one after the other.
func (p *Policies) Mutate(ctx context.Context, w *Write) error {
	if w.isOfPolicies() || w.Operation == admissionv1.Delete {
		return nil
	}
	invocations, err := p.invocations(ctx, &p.mutating, w)
	if err != nil {
		return err
	}
	turn := w.turnOf(p)
	defer turn.end()
	var unusable, refused []policyError
	for _, i := range invocations {
		if i.err != nil {
			unusable = append(unusable, policyError{&i, i.err, ""})
			continue
		}
		errs, err := p.mutate(ctx, &i, turn)
		if err != nil {
			return err
		}
		for _, err := range errs {
			refused = append(refused, policyError{&i, err, metav1.StatusReasonInvalid})
		}
	}
	if turn.applied { // a policy is asked again about its own change, too
		turn.changes()
	}
	return refusal(w, append(unusable, refused...))
}

// policyError is why a policy could not change an object.
type policyError struct {
	*invocation
	err    error
	reason metav1.StatusReason
}

// Error has the server's text.
func (e policyError) Error() string {
	if e.binding == nil {
		return fmt.Sprintf("policy %q denied request: %v", e.name, e.err)
	}
	return fmt.Sprintf("policy '%s' with binding '%s' denied request: %v", e.name, e.binding.name,
		e.err)
}

// refusal is the answer to a write that policies could not change. Those that
// fail and are ignored do not count.
func refusal(w *Write, errs []policyError) error {
	var status *apierrors.StatusError
	for _, err := range errs {
		if err.ignores() {
			continue
		}
		if status == nil {
			status = apierrors.NewForbidden(w.Resource.GroupResource(), w.title(), err)
			status.ErrStatus.Message = err.Error()
			if err.reason != "" {
				status.ErrStatus.Reason = err.reason
			}
		}
		status.ErrStatus.Details.Causes = append(status.ErrStatus.Details.Causes,
			metav1.StatusCause{Message: err.Error()})
	}
	if status == nil {
		return nil
	}
	return status
}

// mutate does the mutations of one invocation. It returns why some could not be
// done, or the error that refuses the write.
func (p *Policies) mutate(ctx context.Context, i *invocation, turn *turn) ([]error, error) {
	if len(i.mutations) != len(i.Mutations) {
		return nil, apierrors.NewInternalError(fmt.Errorf("expected %d compiled evaluators for "+
			"policy %s, got %d", len(i.Mutations), i.name, len(i.mutations)))
	}
	w, before := i.view.Write, i.view.Write.Object
	var err error
	if i.view, err = viewOf(ctx, p.objects, w, i.view.version); err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	matches, err := i.conditions.match(ctx, &i.view, i.params)
	switch {
	case err != nil:
		return []error{err}, nil
	case !matches:
		return nil, nil
	}
	param, _ := i.params["metadata"].(map[string]any)
	key := fmt.Sprint(i.name, "/", i.binding.name, "/", param["namespace"], "/", param["name"])
	if !turn.due(key) {
		return nil, nil
	}
	var errs []error
	for _, m := range i.mutations {
		object, err := p.mutated(ctx, i, m)
		if _, ok := errors.AsType[*apierrors.StatusError](err); ok {
			return nil, err
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		i.view.object, turn.applied = object, true
	}
	if w.Object, err = back(ctx, p.objects, w, i.view.object); err != nil {
		return nil, apierrors.NewInternalError(fmt.Errorf("failed to convert object: %w", err))
	}
	if !reflect.DeepEqual(before, w.Object) {
		turn.changes()
	}
	if i.ReinvocationPolicy == v1.IfNeededReinvocationPolicy {
		turn.remember(key)
	}
	return errs, nil
}

// mutated returns the object after a mutation.
func (p *Policies) mutated(
	ctx context.Context, i *invocation, m mutation,
) (map[string]any, error) {
	about := i.view.expressionRequest(i.view.request(""))
	about.Params, about.Namespace = i.params, shownNamespace(i.namespace)
	run := i.compiler.Start(about, policy.Budget)
	if m.configuration != nil {
		config, err := run.Configuration(ctx, m.configuration)
		if err != nil {
			return nil, err
		}
		config["apiVersion"], config["kind"] = i.view.object["apiVersion"], i.view.object["kind"]
		merged, err := p.objects.Merge(i.view.object, config)
		if err != nil {
			return nil, fmt.Errorf("error applying patch: %w", err)
		}
		return merged, nil
	}
	patch, err := run.Patch(ctx, m.patch)
	if err != nil {
		return nil, err
	}
	return patched(ctx, i.view.object, patch)
}

// patched returns an object after a JSON patch. A test that fails leaves the
// object as it is.
func patched(ctx context.Context, object map[string]any, patch []byte) (map[string]any, error) {
	next, err := crdsem.JSONPatch.Apply(ctx, object, patch)
	if errors.Is(err, crdsem.ErrPatchTest) {
		return object, nil
	}
	if value, ok := errors.AsType[*crdsem.ValueError](err); ok {
		return nil, apierrors.NewInternalError(value.Err)
	}
	if err != nil {
		return nil, fmt.Errorf("JSON Patch: %w", err)
	}
	return next, nil
}
