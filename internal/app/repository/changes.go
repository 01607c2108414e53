package repository

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
)

// patched is an object after what kustomizations do to it.
type patched struct {
	object map[string]any
	// isPatched is set if the object was changed, isUnknown if a change cannot
	// be made here, isDeleted if a patch deletes the object.
	isPatched, isUnknown, isDeleted bool
}

// build makes the changes of a kustomization, in the order of kustomize.
func (o *patched) build(b *build) {
	isOpaque := func(s selector) bool { return s.selects(o.object) }
	if b.unread > 0 || slices.ContainsFunc(b.opaque, isOpaque) {
		o.isPatched, o.isUnknown = true, true
	}
	for i := range b.patches {
		o.patch(&b.patches[i])
	}
	o.namespace(b.says["namespace"])
	o.name(b.says["namePrefix"], b.says["nameSuffix"])
	for _, entry := range objects(b.says["labels"]) {
		templates, selectors := entry["includeTemplates"] == true, entry["includeSelectors"] == true
		o.labels(entry["pairs"], templates, selectors)
	}
	o.labels(b.says["commonLabels"], true, true)
	o.metadata("annotations", b.says["commonAnnotations"])
	o.replicas(objects(b.says["replicas"]))
	o.images(objects(b.says["images"]))
	for _, key := range []string{"labels", "annotations"} {
		o.metadata(key, b.common[key])
	}
}

// patch applies a patch, if it selects the object.
func (o *patched) patch(p *Patch) {
	if p.Operations != nil {
		if p.match.selects(o.object) {
			o.isPatched = true
			o.apply(p.Operations)
		}
		return
	}
	for _, part := range p.parts {
		if p.selects(part, o.object) {
			o.isPatched = true
			o.merge(part)
		}
	}
}

// merge merges a strategic patch: lists by the keys that Kubernetes publishes
// of the kind. Lists in custom resources are replaced.
func (o *patched) merge(part map[string]any) {
	if part["$patch"] == "delete" {
		o.isDeleted = true
		return
	}
	part = maps.Clone(part)
	for _, key := range []string{"apiVersion", "kind"} {
		delete(part, key)
	}
	if metadata, ok := part["metadata"].(map[string]any); ok {
		metadata = maps.Clone(metadata)
		delete(metadata, "name")
		delete(metadata, "namespace")
		part["metadata"] = metadata
	}
	kind, err := builtin.Find(manifest.TypeOf(o.object), "")
	if err != nil {
		kind = nil
	}
	merged, err := kind.StrategicMerge(o.object, part)
	if err != nil {
		o.isUnknown = true
		return
	}
	o.object = merged
}

// apply applies operations of JSON 6902.
func (o *patched) apply(operations []any) {
	text, err := json.Marshal(operations)
	if err == nil {
		var out map[string]any
		if out, err = crdsem.JSONPatch.Apply(context.Background(), o.object, text); err == nil {
			o.object = out
		}
	}
	o.isUnknown = o.isUnknown || err != nil
}

// set sets a field of the object.
func (o *patched) set(value any, keys ...string) {
	o.object, _ = jsonvalue.With(o.object, value, keys...).(map[string]any)
	o.isPatched = true
}

// namespace moves the object to a namespace. A Namespace gets the name.
func (o *patched) namespace(value any) {
	namespace, _ := value.(string)
	if namespace == "" {
		return
	}
	t := manifest.TypeOf(o.object)
	if t.Kind == "Namespace" && t.Group == "" {
		o.set(namespace, "metadata", "name")
		return
	}
	if kind, err := builtin.Find(t, ""); err == nil && !kind.Namespaced {
		o.serviceNamespace(namespace)
		return
	}
	o.set(namespace, "metadata", "namespace")
}

// serviceNamespace completes the references to Services of webhooks.
func (o *patched) serviceNamespace(namespace string) {
	hooks, isChanged := jsonvalue.EachItem(list(o.object["webhooks"]), func(hook any) (any, bool) {
		service, ok := jsonvalue.At(hook, "clientConfig", "service").(map[string]any)
		if !ok || service["namespace"] != nil {
			return hook, false
		}
		return jsonvalue.With(hook, namespace, "clientConfig", "service", "namespace"), true
	})
	if isChanged {
		o.set(hooks, "webhooks")
	}
}

// variables makes an object unknown that uses a variable of kustomize, e.g.
// $(NAME).
func (o *patched) variables(names map[string]bool) {
	for name := range names {
		if uses(o.object, "$("+name+")") {
			o.isPatched, o.isUnknown = true, true
		}
	}
}

// uses reports whether a string in a value has a text.
func uses(value any, text string) bool {
	switch v := value.(type) {
	case string:
		return strings.Contains(v, text)
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return uses(item, text) })
	case map[string]any:
		for _, item := range v {
			if uses(item, text) {
				return true
			}
		}
	}
	return false
}

// unnamed are the kinds that kustomize gives no prefix or suffix.
var unnamed = []string{"CustomResourceDefinition", "APIService", "Namespace"}

func (o *patched) name(prefix, suffix any) {
	before, _ := prefix.(string)
	after, _ := suffix.(string)
	_, name := typemeta.Name(o.object)
	if before+after == "" || name == "" || slices.Contains(unnamed, typemeta.Of(o.object).Kind) {
		return
	}
	o.set(before+name+after, "metadata", "name")
}

// metadata adds labels or annotations.
func (o *patched) metadata(key string, value any) {
	if pairs, ok := value.(map[string]any); ok && len(pairs) > 0 {
		o.add(pairs, "metadata", key)
	}
}

// add adds members to a map of the object.
func (o *patched) add(pairs map[string]any, keys ...string) {
	before, _ := jsonvalue.At(o.object, keys...).(map[string]any)
	after := maps.Clone(before)
	if after == nil {
		after = map[string]any{}
	}
	maps.Copy(after, pairs)
	o.set(after, keys...)
}

// workloads are the built-in kinds with a selector of their template's labels.
var workloads = []string{"Deployment", "ReplicaSet", "DaemonSet", "StatefulSet"}

// labels adds labels, on demand also to the template and the selector.
func (o *patched) labels(value any, templates, selectors bool) {
	pairs, ok := value.(map[string]any)
	if !ok || len(pairs) == 0 {
		return
	}
	o.add(pairs, "metadata", "labels")
	t := typemeta.Of(o.object)
	if t.Group != "apps" || !slices.Contains(workloads, t.Kind) {
		return
	}
	if templates || selectors {
		o.add(pairs, "spec", "template", "metadata", "labels")
	}
	if selectors {
		o.add(pairs, "spec", "selector", "matchLabels")
	}
}

// replicas sets the replicas of a workload.
func (o *patched) replicas(entries []map[string]any) {
	_, name := typemeta.Name(o.object)
	for _, entry := range entries {
		if entry["name"] == name && slices.Contains(workloads, typemeta.Of(o.object).Kind) {
			o.set(entry["count"], "spec", "replicas")
		}
	}
}

// images renames the images of containers.
func (o *patched) images(entries []map[string]any) {
	for _, entry := range entries {
		t := texts(entry)
		if t["name"] == "" {
			continue
		}
		match, err := regexp.Compile("^" + t["name"] + // kustomize takes it for an expression, too
			`(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`)
		if err != nil {
			continue
		}
		image := func(before string) string {
			parts := match.FindStringSubmatch(before)
			if parts == nil {
				return before
			}
			after := cmp.Or(t["newName"], t["name"])
			switch {
			case t["digest"] != "":
				return after + "@" + t["digest"]
			case t["newTag"] != "":
				return after + ":" + t["newTag"]
			}
			return after + parts[1] + parts[2]
		}
		if out, isChanged := withImages(o.object, image); isChanged {
			o.object, o.isPatched = out.(map[string]any), true
		}
	}
}

// withImages returns a value with other images of the containers in it.
func withImages(value any, image func(string) string) (out any, isChanged bool) {
	switch v := value.(type) {
	case []any:
		return jsonvalue.EachItem(v, func(item any) (any, bool) { return withImages(item, image) })
	case map[string]any:
		next := v
		for _, key := range jsonvalue.SortedKeys(v) {
			below, changed := withImages(v[key], image)
			if key == "containers" || strings.HasSuffix(key, "Containers") {
				containers, _ := below.([]any)
				below, changed = jsonvalue.EachItem(containers, renamed(image))
			}
			if !changed {
				continue
			}
			if !isChanged {
				next, isChanged = maps.Clone(v), true
			}
			next[key] = below
		}
		return next, isChanged
	}
	return value, false
}

// renamed returns a function that gives a container another image.
func renamed(image func(string) string) func(any) (any, bool) {
	return func(item any) (any, bool) {
		container, _ := item.(map[string]any)
		before, ok := container["image"].(string)
		if !ok || image(before) == before {
			return item, false
		}
		return jsonvalue.With(container, image(before), "image"), true
	}
}
