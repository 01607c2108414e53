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
	// before are the names that the object had, that of its file first.
	before []identity
	// isPatched is set if the object was changed, isUnknown if a change cannot
	// be made here, isDeleted if a patch deletes the object.
	isPatched, isUnknown, isDeleted bool
	steps                           []step // those of patches
}

// identity is the name of an object.
type identity struct{ namespace, name string }

func (o *patched) identity() identity {
	namespace, name := typemeta.Name(o.object)
	return identity{namespace, name}
}

// remember notes the name of the object before it is changed.
func (o *patched) remember() {
	if now := o.identity(); !slices.Contains(o.before, now) {
		o.before = append(o.before, now)
	}
}

// effective returns the namespace by which a patch selects an object of a name.
func (o *patched) effective(of identity) string {
	if of.namespace == "" && isClusterScoped(manifest.TypeOf(o.object)) {
		return "_non_namespaceable_"
	}
	return cmp.Or(of.namespace, "default")
}

// build makes the changes of a kustomization, in the order of kustomize.
func (o *patched) build(b *build) {
	isOpaque := func(s selector) bool { return s.selects(o) }
	if b.unread > 0 || slices.ContainsFunc(b.opaque, isOpaque) {
		o.isPatched, o.isUnknown = true, true
	}
	o.patches(b.patches)
	o.namespace(b.says["namespace"])
	o.name(b.says["namePrefix"], b.says["nameSuffix"])
	for _, entry := range objects(b.says["labels"]) {
		o.label(entry)
	}
	o.add(b.says["commonLabels"], selectorLabels)
	o.add(b.says["commonAnnotations"], annotationFields)
	o.patches(b.late)
	o.replicas(objects(b.says["replicas"]))
	o.images(objects(b.says["images"]))
	o.add(b.common["labels"], labelField)
	o.add(b.common["annotations"], annotationField)
}

func (o *patched) patches(all []Patch) {
	for i := range all {
		o.patch(&all[i])
	}
}

// patch applies a patch, if it selects the object.
func (o *patched) patch(p *Patch) {
	if p.Operations != nil {
		if p.match.selects(o) {
			o.remember()
			o.isPatched = true
			o.apply(p)
		}
		return
	}
	for i, part := range p.parts {
		if o.isMeant(p, part) {
			o.remember()
			o.isPatched = true
			o.merge(p, part)
			o.steps = append(o.steps, step{patch: p, index: i})
		}
	}
}

// isMeant reports whether a strategic patch is about the object.
func (o *patched) isMeant(p *Patch, part map[string]any) bool {
	if p.target != nil {
		return p.match.selects(o)
	}
	if typemeta.Of(part) != typemeta.Of(o.object) {
		return false
	}
	namespace, name := typemeta.Name(part)
	isNamed := func(is identity) bool {
		return is.name == name &&
			(namespace == "" || is.namespace == "" || namespace == is.namespace)
	}
	return isNamed(o.identity()) || slices.ContainsFunc(o.before, isNamed)
}

// merge merges a strategic patch: lists by the keys that Kubernetes publishes
// of the kind. Lists in custom resources are replaced.
func (o *patched) merge(p *Patch, part map[string]any) {
	if part["$patch"] == "delete" {
		o.isDeleted = true
		return
	}
	part = maps.Clone(part)
	delete(part, "apiVersion")
	if !p.mayRetype {
		delete(part, "kind")
	}
	if metadata, ok := part["metadata"].(map[string]any); ok {
		metadata = maps.Clone(metadata)
		if !p.mayRename {
			delete(metadata, "name")
		}
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

// apply applies the operations of a patch in JSON 6902: all, or none if one
// fails. One that appends to a list is found by the length of the list, so that
// those before it are applied first.
func (o *patched) apply(p *Patch) {
	after := o.object
	var steps []step
	begin := 0
	applied := func(end int) bool {
		text, err := json.Marshal(p.Operations[begin:end])
		if err == nil && begin < end {
			after, err = crdsem.JSONPatch.Apply(context.Background(), after, text)
		}
		begin = end
		return err == nil
	}
	for i, operation := range p.Operations {
		entries, _ := operation.(map[string]any)
		keys := pointer(entries)
		if slices.Contains(keys, "-") {
			if !applied(i) {
				o.isUnknown = true
				return
			}
			keys = resolved(after, keys)
		}
		if entries["op"] != "test" {
			steps = append(steps, step{patch: p, index: i, at: keys})
		}
	}
	if !applied(len(p.Operations)) {
		o.isUnknown = true
		return
	}
	o.object, o.steps = after, append(o.steps, steps...)
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
	o.remember()
	t := manifest.TypeOf(o.object)
	if t.Kind == "Namespace" && t.Group == "" {
		o.set(namespace, "metadata", "name")
		return
	}
	set := func(any) (any, bool) { return namespace, true }
	for _, f := range namespaceFields {
		o.change(f, set)
	}
	if strings.HasSuffix(t.Kind, "RoleBinding") {
		o.subjects(namespace)
	}
	if isClusterScoped(t) {
		o.serviceNamespace(namespace)
		return
	}
	o.set(namespace, "metadata", "namespace")
}

// isClusterScoped reports whether a kind is built into Kubernetes and has no
// namespaces, in any version of its group.
func isClusterScoped(t manifest.Type) bool {
	kind, err := builtin.Find(t, "")
	if err != nil {
		for _, version := range []string{"v1", "v1beta1", "v1alpha1"} {
			other := t
			other.Version = version
			if kind, err = builtin.Find(other, ""); err == nil {
				break
			}
		}
	}
	return err == nil && !kind.Namespaced
}

// subjects moves the service account that is called default, as kustomize does.
func (o *patched) subjects(namespace string) {
	move := func(item any) (any, bool) {
		subject, _ := item.(map[string]any)
		if subject["name"] != "default" {
			return item, false
		}
		return jsonvalue.With(subject, namespace, "namespace"), true
	}
	if all, isChanged := jsonvalue.EachItem(list(o.object["subjects"]), move); isChanged {
		o.set(all, "subjects")
	}
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
	o.remember()
	o.set(before+name+after, "metadata", "name")
}

// scaled are the kinds whose replicas kustomize sets.
var scaled = []string{"Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"}

// replicas sets the replicas of a workload.
func (o *patched) replicas(entries []map[string]any) {
	for _, entry := range entries {
		isNamed := func(is identity) bool { return is.name == entry["name"] }
		if slices.Contains(scaled, typemeta.Of(o.object).Kind) &&
			(isNamed(o.identity()) || slices.ContainsFunc(o.before, isNamed)) {
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
