package admission

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/uuid"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/minors"
)

// Webhooks asks the webhooks of the stored configurations. It comes from
// [NewWebhooks] and is safe for concurrent use.
type Webhooks struct {
	objects    Objects
	resolve    Resolver
	kubernetes minors.Minor

	mu     sync.Mutex // guards tables
	tables map[schema.GroupResource]*table
}

var _ Plugin = (*Webhooks)(nil)

// NewWebhooks returns a plugin that reads its configurations from objects. A
// nil resolver looks services up by their names.
func NewWebhooks(objects Objects, kubernetes minors.Minor, resolve Resolver) *Webhooks {
	return &Webhooks{
		objects: objects, resolve: resolve, kubernetes: kubernetes,
		tables: map[schema.GroupResource]*table{},
	}
}

// question is what a webhook is asked.
type question struct {
	view
	hook *hook
}

// isExempt reports whether no webhook is asked: about webhooks and policies
// themselves, so that a wrong one can be fixed.
func (w *Write) isExempt() bool { return w.Resource.Group == v1.GroupName }

// questionFor returns what a webhook is asked about a write, nil if it is not
// asked.
func (p *Webhooks) questionFor(ctx context.Context, h *hook, w *Write) (*question, error) {
	version, ok, err := h.match(p.objects, w)
	if !ok || err != nil {
		return nil, err
	}
	q := &question{hook: h}
	if q.view, err = viewOf(ctx, p.objects, w, version); err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	matches, err := h.conditions.match(ctx, &q.view, nil)
	if err != nil && !h.ignores() {
		return nil, apierrors.NewForbidden(w.Resource.GroupResource(), w.Name, err)
	}
	if !matches {
		return nil, nil
	}
	return q, nil
}

// Active implements Plugin.
func (p *Webhooks) Active() bool {
	return p.objects.Any(mutating) || p.objects.Any(validating)
}

// Close closes the connections to webhooks.
func (p *Webhooks) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.tables {
		for _, hook := range t.hooks {
			hook.client.close()
		}
	}
}

// callError is why a webhook could not be asked. Its failure policy decides
// whether the write goes on.
type callError struct {
	webhook string
	err     error
}

// Error has the server's text.
func (e *callError) Error() string {
	return fmt.Sprintf("failed calling webhook %q: %v", e.webhook, e.err)
}

// Mutate implements Plugin. Webhooks are asked again in a second turn if they
// want that and a later one has changed the object.
func (p *Webhooks) Mutate(ctx context.Context, w *Write) error {
	hooks, err := p.hooksOf(mutating)
	if err != nil || w.isExempt() {
		return err
	}
	turn := w.turnOf(p)
	defer turn.end()
	for _, h := range hooks {
		q, err := p.questionFor(ctx, h, w)
		if err != nil {
			return err
		}
		if q == nil || !turn.due(h) {
			continue
		}
		changed, err := p.mutateBy(ctx, q)
		if err != nil {
			return err
		}
		if changed {
			turn.changes()
		}
		if h.isAskedAgain() {
			turn.remember(h)
		}
	}
	return nil
}

// mutateBy asks one webhook, which may replace the object of the write.
func (p *Webhooks) mutateBy(ctx context.Context, q *question) (changed bool, err error) {
	patched, err := q.mutated(ctx)
	if err = q.hook.failure(ctx, err); patched == nil || err != nil {
		return false, err
	}
	if reflect.DeepEqual(patched, q.object) {
		return false, nil
	}
	if q.Object, err = back(ctx, p.objects, q.Write, patched); err != nil {
		return false, apierrors.NewInternalError(err)
	}
	return true, nil
}

// back returns an object in the version of its write.
func back(
	ctx context.Context, objects Objects, w *Write, object map[string]any,
) (map[string]any, error) {
	if object["apiVersion"] == w.Object["apiVersion"] {
		return object, nil
	}
	return objects.Convert(ctx, object, w.Resource.Version)
}

// failure returns the error that refuses a write, nil if the failure policy
// lets it pass.
func (h *hook) failure(ctx context.Context, err error) error {
	failed, ok := errors.AsType[*callError](err)
	switch {
	case !ok:
		return err
	case !h.ignores():
		return apierrors.NewInternalError(failed)
	case ctx.Err() != nil:
		return apierrors.NewTimeoutError("request did not complete within requested timeout", 0)
	}
	return nil
}

// Validate implements Plugin. All webhooks are asked at the same time.
func (p *Webhooks) Validate(ctx context.Context, w *Write) error {
	hooks, err := p.hooksOf(validating)
	if err != nil || w.isExempt() {
		return err
	}
	var asked []*question
	for _, h := range hooks {
		q, err := p.questionFor(ctx, h, w)
		if err != nil {
			return err
		}
		if q != nil {
			asked = append(asked, q)
		}
	}
	errs := make([]error, len(asked))
	answers := make([]*admissionv1.AdmissionResponse, len(asked))
	var all sync.WaitGroup
	for i, q := range asked {
		all.Go(func() { answers[i], errs[i] = q.ask(ctx, false) })
	}
	all.Wait()
	var first error
	for i, q := range asked {
		q.warnOf(answers[i])
		if err := q.hook.failure(ctx, errs[i]); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// warnOf passes the warnings of an answer on.
func (q *question) warnOf(answer *admissionv1.AdmissionResponse) {
	if answer != nil {
		for _, text := range answer.Warnings {
			q.Warn(text)
		}
	}
}

// ask asks the webhook. It fails if the webhook denies the request or cannot be
// asked.
func (q *question) ask(ctx context.Context, mutates bool) (*admissionv1.AdmissionResponse, error) {
	fail := func(err error) error { return &callError{q.hook.Name, err} }
	if q.DryRun && !q.hook.takesDryRun() {
		return nil, apierrors.NewBadRequest(
			fmt.Sprintf("admission webhook %q does not support dry run", q.hook.Name))
	}
	version, err := q.reviewVersion()
	if err != nil {
		return nil, fail(fmt.Errorf("could not create admission objects: %w", err))
	}
	uid := uuid.NewUUID()
	sent, review, err := q.review(version, uid)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	if err := q.hook.client.post(ctx, sent, review); err != nil {
		return nil, fail(err)
	}
	answer, err := answerOf(uid, review, mutates)
	if err != nil {
		return nil, fail(fmt.Errorf("received invalid webhook response: %w", err))
	}
	if !answer.Allowed {
		return answer, denial(q.hook.Name, answer.Result)
	}
	return answer, nil
}

// mutated asks the webhook and returns the object after its patch, nil without
// one.
func (q *question) mutated(ctx context.Context) (map[string]any, error) {
	answer, err := q.ask(ctx, true)
	q.warnOf(answer)
	if err != nil || len(answer.Patch) == 0 {
		return nil, err
	}
	switch err := crdsem.JSONPatch.Check(answer.Patch); {
	case err != nil:
		return nil, &callError{q.hook.Name,
			fmt.Errorf("received undecodable patch in webhook response: %w", err)}
	case hasNoOperations(answer.Patch):
		return nil, nil
	case q.object == nil:
		return nil, apierrors.NewInternalError(fmt.Errorf("admission webhook %q attempted to "+
			"modify the object, which is not supported for this operation", q.hook.Name))
	case *answer.PatchType != admissionv1.PatchTypeJSONPatch:
		return nil, &callError{q.hook.Name,
			fmt.Errorf("unsupported patch type %q", *answer.PatchType)}
	}
	object, err := crdsem.JSONPatch.Apply(ctx, q.object, answer.Patch)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	return object, nil
}

// hasNoOperations reports whether a JSON patch is an empty list or null.
func hasNoOperations(patch []byte) bool {
	var operations []json.RawMessage
	return json.Unmarshal(patch, &operations) == nil && len(operations) == 0
}
