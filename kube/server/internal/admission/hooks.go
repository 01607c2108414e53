package admission

import (
	"fmt"

	"k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem/celrules/policy"
)

// The resources that configure webhooks.
var (
	mutating = schema.GroupResource{
		Group: v1.GroupName, Resource: "mutatingwebhookconfigurations",
	}
	validating = schema.GroupResource{
		Group: v1.GroupName, Resource: "validatingwebhookconfigurations",
	}
)

// hook is a webhook of a configuration. A validating one has no reinvocation
// policy.
type hook struct {
	v1.MutatingWebhook
	criteria
	conditions matchConditions
	client     *client
}

// table is what the stored configurations say at a revision.
type table struct {
	revision uint64
	hooks    []*hook
}

// hooksOf returns the webhooks of a resource, in the order of the names of
// their configurations. They are read again if a configuration has changed.
func (p *Webhooks) hooksOf(of schema.GroupResource) ([]*hook, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.objects.Revision(of)
	if known := p.tables[of]; known != nil && known.revision == now {
		return known.hooks, nil
	}
	next := &table{revision: now}
	for _, object := range p.objects.List(of) {
		hooks, err := p.read(object)
		if err != nil {
			return nil, err
		}
		next.hooks = append(next.hooks, hooks...)
	}
	if old := p.tables[of]; old != nil {
		for _, hook := range old.hooks {
			hook.client.close()
		}
	}
	p.tables[of] = next
	return next.hooks, nil
}

// read returns the webhooks of a configuration.
func (p *Webhooks) read(object map[string]any) ([]*hook, error) {
	var configuration v1.MutatingWebhookConfiguration
	err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, &configuration)
	if err != nil {
		return nil, fmt.Errorf("a configuration of webhooks: %w", err)
	}
	var hooks []*hook
	for _, webhook := range configuration.Webhooks {
		compiler, err := policy.NewCompiler(p.kubernetes)
		if err != nil {
			return nil, err
		}
		hooks = append(hooks, &hook{
			MutatingWebhook: webhook, client: newClient(webhook, p.resolve),
			criteria: newCriteria(&v1.MatchResources{
				NamespaceSelector: webhook.NamespaceSelector,
				ObjectSelector:    webhook.ObjectSelector,
				ResourceRules:     namedRules(webhook.Rules),
				MatchPolicy:       webhook.MatchPolicy,
			}),
			conditions: newMatchConditions(compiler, webhook.MatchConditions),
		})
	}
	return hooks, nil
}

func namedRules(rules []v1.RuleWithOperations) (named []v1.NamedRuleWithOperations) {
	for _, rule := range rules {
		named = append(named, v1.NamedRuleWithOperations{RuleWithOperations: rule})
	}
	return named
}

// ignores reports whether a webhook that cannot be asked is left out.
func (h *hook) ignores() bool { return h.FailurePolicy != nil && *h.FailurePolicy == v1.Ignore }

// isAskedAgain reports whether the webhook is asked again if a later one
// changes the object.
func (h *hook) isAskedAgain() bool {
	return h.ReinvocationPolicy != nil && *h.ReinvocationPolicy == v1.IfNeededReinvocationPolicy
}

// takesDryRun reports whether the webhook may be asked about a dry run.
func (h *hook) takesDryRun() bool {
	return h.SideEffects != nil && (*h.SideEffects == v1.SideEffectClassNone ||
		*h.SideEffects == v1.SideEffectClassNoneOnDryRun)
}
