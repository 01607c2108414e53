package admission

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crdsem/crdsem/celrules/policy"
)

// maxMessage is the greatest length of the value of a messageExpression in
// bytes (MaxEvaluatedMessageExpressionSizeBytes of
// k8s.io/apiserver/pkg/apis/cel).
const maxMessage = 5 * 1024

// validation is a validation of a policy, compiled.
type validation struct {
	v1.Validation
	condition *policy.Expression
	message   *policy.Expression // nil without one
}

func newValidation(c *policy.Compiler, of v1.Validation) validation {
	v := validation{Validation: of, condition: c.Compile(of.Expression, policy.Condition)}
	if of.MessageExpression != "" {
		v.message = c.Compile(of.MessageExpression, policy.Message)
	}
	return v
}

// failure is why a policy refuses a write.
type failure struct {
	message string
	reason  metav1.StatusReason
}

// Validate implements Plugin. Every policy is evaluated; the first failure that
// denies is the answer.
func (p *Policies) Validate(ctx context.Context, w *Write) error {
	if w.isOfPolicies() {
		return nil
	}
	invocations, err := p.invocations(ctx, &p.validating, w)
	if err != nil {
		return err
	}
	var denied error
	deny := func(i *invocation, f failure) {
		if denied == nil {
			denied = i.denial(f)
		}
	}
	for _, i := range invocations {
		if i.err != nil {
			if !i.ignores() {
				deny(&i, failure{message: i.err.Error()})
			}
			continue
		}
		failures, faults := i.validate(ctx)
		for _, f := range failures {
			for _, action := range i.binding.ValidationActions {
				switch action {
				case v1.Deny:
					deny(&i, f)
				case v1.Warn:
					w.Warn(fmt.Sprintf("Validation failed for %s: %s", i.title(), f.message))
				}
			}
		}
		for _, f := range faults {
			deny(&i, f)
		}
	}
	return denied
}

// title returns the name of the policy with that of the binding.
func (i *invocation) title() string {
	text := fmt.Sprintf("ValidatingAdmissionPolicy '%s'", i.name)
	if i.binding != nil {
		text += fmt.Sprintf(" with binding '%s'", i.binding.name)
	}
	return text
}

// denial is the answer to a write that is denied.
func (i *invocation) denial(f failure) error {
	message := fmt.Sprintf("%s denied request: %s", i.title(), f.message)
	w := i.view.Write
	err := apierrors.NewForbidden(w.Resource.GroupResource(), w.title(), errors.New(message))
	err.ErrStatus.Reason = cmp.Or(f.reason, metav1.StatusReasonInvalid)
	err.ErrStatus.Code = codeOf(err.ErrStatus.Reason)
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes,
		metav1.StatusCause{Message: message})
	return err
}

// title returns the name of the object of a write as refusals have it.
func (w *Write) title() string {
	object := unstructured.Unstructured{Object: w.Object}
	return cmp.Or(w.Name, object.GetName(), object.GetGenerateName(), "Unknown")
}

func codeOf(reason metav1.StatusReason) int32 {
	switch reason {
	case metav1.StatusReasonForbidden:
		return http.StatusForbidden
	case metav1.StatusReasonUnauthorized:
		return http.StatusUnauthorized
	case metav1.StatusReasonRequestEntityTooLarge:
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusUnprocessableEntity
}

// validate evaluates a policy. The actions of the binding are for failures;
// faults, of audit annotations, deny whatever they are.
func (i *invocation) validate(ctx context.Context) (failures, faults []failure) {
	fails := func(err error) []failure {
		if i.ignores() {
			return nil
		}
		return []failure{{message: err.Error()}}
	}
	matches, err := i.conditions.match(ctx, &i.view, i.params)
	if err != nil {
		return fails(err), nil
	}
	if !matches {
		return nil, nil
	}
	about := i.view.expressionRequest(i.view.request(""))
	about.Params, about.Namespace = i.params, shownNamespace(i.namespace)
	results, left, err := evaluate(ctx, i.compiler.Start(about, policy.Budget), i.validations,
		func(v validation) *policy.Expression { return v.condition })
	if err != nil {
		return fails(err), nil
	}
	about.WithoutAuthorizer = true
	messages, _, err := evaluate(ctx, i.compiler.Start(about, left), i.validations,
		func(v validation) *policy.Expression { return v.message })
	for n, v := range i.validations {
		switch {
		case results[n].err != nil:
			failures = append(failures, fails(results[n].err)...)
		case err != nil:
			failures = append(failures, fails(fmt.Errorf("failed messageExpression: %w", err))...)
		case results[n].value != true:
			failures = append(failures, v.failure(messages[n]))
		}
	}
	annotations, _, err := evaluate(ctx, i.compiler.Start(about, policy.Budget), i.annotations,
		func(e *policy.Expression) *policy.Expression { return e })
	if err != nil {
		return fails(err), nil
	}
	for _, annotation := range annotations {
		if annotation.err != nil {
			faults = append(faults, fails(annotation.err)...)
		}
	}
	return failures, faults
}

// result is the value of an expression, or why it has none.
type result struct {
	value any
	err   error
}

// evaluate evaluates an expression of each item; a nil one has no value. It
// fails if they exceed their budget, and returns what is left of that.
func evaluate[T any](
	ctx context.Context, run *policy.Run, items []T, of func(T) *policy.Expression,
) ([]result, uint64, error) {
	results := make([]result, len(items))
	for n, item := range items {
		e := of(item)
		if e == nil {
			continue
		}
		results[n].value, results[n].err = run.Eval(ctx, e)
		if results[n].err == policy.ErrBudget {
			return nil, 0, policy.ErrBudget
		}
	}
	return results, run.Left(), nil
}

// failure returns the failure of a validation that is false.
func (v *validation) failure(message result) failure {
	f := failure{reason: metav1.StatusReasonInvalid}
	if v.Reason != nil {
		f.reason = *v.Reason
	}
	if text, ok := message.value.(string); ok {
		text = strings.TrimSpace(text)
		if len(text) <= maxMessage && !strings.Contains(text, "\n") {
			f.message = text
		}
	}
	f.message = cmp.Or(f.message, strings.TrimSpace(v.Message),
		"failed expression: "+strings.TrimSpace(v.Expression))
	return f
}

// shownNamespace returns a namespace as expressions see it.
func shownNamespace(namespace map[string]any) map[string]any {
	if namespace == nil {
		return nil
	}
	all, _ := namespace["metadata"].(map[string]any)
	metadata := maps.Clone(all)
	maps.DeleteFunc(metadata, func(key string, _ any) bool {
		return slices.Contains([]string{"managedFields", "ownerReferences", "selfLink"}, key)
	})
	shown := map[string]any{"metadata": metadata}
	for _, key := range []string{"spec", "status"} {
		if namespace[key] != nil {
			shown[key] = namespace[key]
		}
	}
	return shown
}
