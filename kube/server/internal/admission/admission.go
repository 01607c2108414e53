// Package admission is asked about writes before they are stored: webhooks and
// policies that change or refuse them.
//
// # Terms
//
//   - mutation: what may change an object, before it is validated.
//   - validation: what may only refuse it, after all else has accepted it.
//   - webhook: a server that is asked by a review, and answers with a verdict
//     and a patch.
//
// # Specification
//
// https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/.
// Texts are those of k8s.io/apiserver/pkg/admission/plugin/webhook and policy.
//
// # Deviations
//
// A patch that does not apply is refused with a text of this project. Webhooks
// are asked about the object without its status where that is a subresource.
// Audit annotations are evaluated, because their errors deny, but there is no
// audit that would have them.
package admission

import (
	"context"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Plugin decides on writes. A server calls it without holding a lock, so that
// reads never wait for it. If the stored object changes meanwhile, the write is
// done over, and the plugin is called again. It must be safe for concurrent
// use.
type Plugin interface {
	// Active reports whether any write is asked about.
	Active() bool
	// Mutate may replace the object of a write. It returns the error that
	// refuses the write, e.g. a *apierrors.StatusError.
	Mutate(ctx context.Context, w *Write) error
	// Validate returns the error that refuses a write, nil to let it pass. It
	// must not change the write.
	Validate(ctx context.Context, w *Write) error
}

// Write is a request that writes, as plugins see it.
type Write struct {
	Operation   admissionv1.Operation
	Kind        schema.GroupVersionKind
	Resource    schema.GroupVersionResource
	Subresource string
	// Namespace is empty for objects of the cluster. Name is empty on a create
	// whose name is made later.
	Namespace, Name string
	// Object is the object after the write, nil on a delete. Mutate may set
	// another one. The maps themselves must not be changed.
	Object map[string]any
	// Old is the object before the write, nil on a create.
	Old map[string]any
	// Options are the options of the request with their kind, e.g.
	// CreateOptions.
	Options map[string]any
	DryRun  bool
	User    authenticationv1.UserInfo
	// Warn adds a warning to the answer.
	Warn func(text string)

	// What plugins remember of a write, whether one has changed it, and whether
	// they are asked for the second time.
	turns           map[Plugin]*turn
	changed, second bool
}

// Objects are the stored objects, for plugins that are configured by some.
type Objects interface {
	// List returns the objects of a resource in the order of their keys, e.g.
	// validatingwebhookconfigurations.
	List(of schema.GroupResource) []map[string]any
	// Any reports whether there are any, and Revision changes if one of them
	// does.
	Any(of schema.GroupResource) bool
	Revision(of schema.GroupResource) uint64
	// Get returns one object, nil if nothing is there.
	Get(of schema.GroupResource, namespace, name string) map[string]any
	// Convert returns an object in another version of its kind, as matchPolicy
	// Equivalent needs it.
	Convert(ctx context.Context, object map[string]any, version string) (map[string]any, error)
	// Merge returns an object of a kind that is served with an apply
	// configuration. The fields that it sets get no manager.
	Merge(object, config map[string]any) (map[string]any, error)
	// Resource returns the resource of a kind, and whether its objects are in
	// namespaces. ok is false if it is not served in the version.
	Resource(of schema.GroupVersionKind) (resource schema.GroupResource, namespaced, ok bool)
	// Versions returns in which versions the kind of a resource is served.
	Versions(of schema.GroupResource) []string
}

// Plugins are asked one after the other.
type Plugins []Plugin

var _ Plugin = Plugins(nil)

// Active implements Plugin.
func (all Plugins) Active() bool { return slices.ContainsFunc(all, Plugin.Active) }

// Mutate implements Plugin. If one of them changes the object, all are asked a
// second time, in which only the webhooks and policies that want it take part.
func (all Plugins) Mutate(ctx context.Context, w *Write) error {
	for {
		for _, plugin := range all {
			if err := plugin.Mutate(ctx, w); err != nil {
				return err
			}
		}
		if w.second || !w.changed {
			return nil
		}
		w.second = true
	}
}

// Validate implements Plugin. The first error is the answer.
func (all Plugins) Validate(ctx context.Context, w *Write) error {
	for _, plugin := range all {
		if err := plugin.Validate(ctx, w); err != nil {
			return err
		}
	}
	return nil
}
