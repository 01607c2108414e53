package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kube/server/internal/builtin"
	"github.com/crdsem/crdsem/kube/server/internal/storage"
	"github.com/crdsem/crdsem/merge/apply"
)

// What the server's controllers do with definitions.

// cleanup is the finalizer of a definition whose objects are removed.
const cleanup = "customresourcecleanup.apiextensions.k8s.io"

// definitionPrefix begins the keys of definitions.
const definitionPrefix = "/" + definitionGroup + "/customresourcedefinitions/"

// install serves what a stored definition defines, and writes its status: names
// that were accepted, conditions, stored versions. It removes the objects of a
// definition that is being deleted, and then the definition. The same is done
// with those that ask for names that it asks for. Others do not depend on it.
func (c *cluster) install(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.starting {
		c.settleAll(c.related(name))
	}
}

// reinstall installs a definition whose generation may be that of another one.
func (c *cluster) reinstall(name string) {
	c.mu.Lock()
	if one := c.installed[name]; one != nil {
		one.generation = name // of no definition
	}
	c.mu.Unlock()
	c.install(name)
}

// installAll installs all definitions.
func (c *cluster) installAll() {
	present, _ := c.objectsOf(definitions).List(definitionPrefix)
	all := slices.Collect(present.All())
	inParallel(len(all), func(i int) { c.parsed(all[i]) })
	c.mu.Lock()
	defer c.mu.Unlock()
	groups := map[string][]string{}
	add := func(name string) { groups[groupOf(name)] = append(groups[groupOf(name)], name) }
	for _, object := range all {
		name := metaText(object.Content(), "name")
		c.claims.put(name, c.askedNames(name))
		add(name)
	}
	for name := range c.installed {
		if c.objectsOf(definitions).Get(definitionPrefix+name) == nil {
			add(name)
		}
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		c.settleAll(groups[group])
	}
}

// inParallel calls do for the numbers below n, in as many goroutines as there
// are processors.
func inParallel(n int, do func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}

// groupOf returns the group of a definition by its name, e.g. tabs.example.com.
func groupOf(name string) string {
	_, group, _ := strings.Cut(name, ".")
	return group
}

// settleAll settles definitions whose names depend on each other until none of
// them goes: its names are free for others then.
func (c *cluster) settleAll(names []string) {
	for c.settleOnce(names) {
		// one has gone
	}
}

// settleOnce settles definitions once. It reports whether one is gone.
func (c *cluster) settleOnce(names []string) (gone bool) {
	objects := c.objectsOf(definitions)
	var live []*storage.Object
	for _, name := range names {
		if object := objects.Get(definitionPrefix + name); object != nil {
			live = append(live, object)
		} else if c.claims.put(name, nil); c.installed[name] != nil {
			c.uninstall(name)
		}
	}
	slices.SortFunc(live, older)
	var crds []*definition.CRD
	for _, object := range live {
		if crd := c.parsed(object); crd != nil {
			crds = append(crds, crd)
		}
	}
	state := definition.Install(crds...)
	for _, crd := range crds {
		if !c.isSettled(crd.Name(), objects, state) {
			gone = c.settleDefinition(crd, objects, state) || gone
		}
	}
	return gone
}

// isSettled reports whether a definition is in its state since it was settled:
// it was not written, and what others were given did not matter to it.
func (c *cluster) isSettled(
	name string, in *storage.Collection, state *definition.Installation,
) bool {
	one, live := c.installed[name], in.Get(definitionPrefix+name)
	return one != nil && live != nil && metaText(live.Content(), "deletionTimestamp") == "" &&
		one.generation == metaOf(live.Content())["generation"] && state.HasAs(one.state, name)
}

// settleDefinition brings one definition into the state that the server's
// controllers bring it into. It reports whether the definition is gone.
func (c *cluster) settleDefinition(
	crd *definition.CRD, in *storage.Collection, state *definition.Installation,
) (gone bool) {
	key := definitionPrefix + crd.Name()
	live := in.Get(key)
	if live == nil {
		return
	}
	generation := metaOf(live.Content())["generation"]
	conditions := state.Conditions(crd.Name())
	now := installed{generation: generation, established: isEstablished(conditions)}
	if before := c.installed[crd.Name()]; before == nil || before.installed != now {
		c.serveDefinition(crd, now)
	}
	c.installed[crd.Name()].state = state
	c.change(in, key, func(object map[string]any) map[string]any {
		return c.withConditions(object, conditions, state.AcceptedNames(crd.Name()))
	})
	if metaText(live.Content(), "deletionTimestamp") == "" || !c.clean(crd.Name()) {
		return false
	}
	c.change(in, key, func(object map[string]any) map[string]any {
		left := slices.DeleteFunc(finalizersOf(object), func(f string) bool { return f == cleanup })
		return withMeta(object, "finalizers", texts(left))
	})
	if live = in.Get(key); live != nil && len(finalizersOf(live.Content())) == 0 {
		in.Swap(key, live, nil)
		c.uninstall(crd.Name())
		return true
	}
	return false
}

// isEstablished reports whether a definition is served.
func isEstablished(conditions []definition.Condition) bool {
	return slices.ContainsFunc(conditions, func(c definition.Condition) bool {
		return c.Type == "Established" && c.Status == "True"
	})
}

// serveDefinition serves a definition in place of what it defined before.
func (c *cluster) serveDefinition(crd *definition.CRD, now installed) {
	one, before := &installation{installed: now}, c.installed[crd.Name()]
	c.installed[crd.Name()] = one
	next := c.compiled(crd, now)
	if next != nil {
		one.names = next.catalogNames()
	}
	var old *kind
	if before != nil {
		old, one.objects = before.kind, before.objects
	}
	one.kind = next
	if next != nil && one.objects != nil {
		next.objects = one.objects
	} else if next != nil {
		one.objects = next.objects
	}
	if old != nil && (next == nil || before.names != one.names) {
		c.retire(before)
	}
	if next != nil { // in one step, so that the kind is always served
		c.kinds.Add(one.names, next)
	}
	c.changes.Add(1)
	if old != nil {
		close(old.replaced)
		old.converter.close()
	}
}

// compiled returns the kind that a definition defines, nil if it is not served.
func (c *cluster) compiled(crd *definition.CRD, now installed) *kind {
	if !now.established {
		return nil
	}
	hook := &conversionHook{resolve: c.resolve}
	d, err := crdsem.Compile(crd, apply.Server(), crdsem.ConversionWebhook(hook))
	if err != nil {
		return nil
	}
	hook.of = d.Model()
	k, err := c.newKind(d)
	if err != nil {
		return nil
	}
	k.converter = hook
	return k
}

// clean deletes the objects of a definition. It reports whether none is left:
// objects with finalizers stay for a while.
func (c *cluster) clean(name string) bool {
	one := c.installed[name]
	if one == nil || one.objects == nil {
		return true
	}
	if k := one.kind; k != nil && !k.terminating {
		next := *k
		next.terminating, next.versions = true, map[string]*version{}
		for name, v := range k.versions {
			v := *v
			v.kind = &next
			next.versions[name] = &v
		}
		one.kind = &next
		c.kinds.Add(one.names, &next)
	}
	all, _ := one.objects.List("")
	for object := range all.All() {
		if len(finalizersOf(object.Content())) == 0 {
			one.objects.Remove(object.Key)
			continue
		}
		c.change(one.objects, object.Key, func(live map[string]any) map[string]any {
			if metaText(live, "deletionTimestamp") != "" {
				return nil
			}
			live = withMeta(live, "deletionTimestamp", c.timestamp())
			return withMeta(live, "deletionGracePeriodSeconds", int64(0))
		})
	}
	return one.objects.Len() == 0
}

// uninstall removes what a definition defined, with its objects.
func (c *cluster) uninstall(name string) {
	one := c.installed[name]
	delete(c.installed, name)
	c.crds.Delete(definitionPrefix + name)
	if one == nil || one.objects == nil {
		return
	}
	one.objects.End()
	if k := one.kind; k != nil {
		k.converter.close()
		c.retire(one)
		c.changes.Add(1)
	}
}

// retire no longer serves what a definition defined. Another one may have got
// the name of its kind meanwhile.
func (c *cluster) retire(one *installation) {
	if k, _ := c.kinds.Kind(one.names.GroupKind); k == one.kind {
		c.kinds.Remove(one.names.GroupKind)
	}
}

// withConditions returns a definition with its status, nil if it has it.
func (c *cluster) withConditions(
	object map[string]any, now []definition.Condition, accepted definition.Names,
) map[string]any {
	status, _ := object["status"].(map[string]any)
	next := maps.Clone(status)
	if next == nil {
		next = map[string]any{}
	}
	before := map[string]map[string]any{}
	old, _ := status["conditions"].([]any)
	for _, condition := range old {
		if fields, ok := condition.(map[string]any); ok {
			kind, _ := fields["type"].(string)
			before[kind] = fields
		}
	}
	var conditions []any
	for _, condition := range now {
		fields := map[string]any{
			"type": condition.Type, "status": condition.Status,
			"reason": condition.Reason, "message": condition.Message,
			"lastTransitionTime": c.timestamp(),
		}
		if same := before[condition.Type]; same["status"] == fields["status"] {
			fields["lastTransitionTime"] = same["lastTransitionTime"]
		}
		delete(before, condition.Type)
		conditions = append(conditions, fields)
	}
	if terminating := before["Terminating"]; terminating != nil {
		conditions = append(conditions, terminating)
	}
	next["conditions"] = conditions
	next["acceptedNames"] = asJSON(accepted)
	if reflect.DeepEqual(status, next) {
		return nil
	}
	out := maps.Clone(object)
	out["status"] = next
	return out
}

// markDefinition marks a definition as being deleted. Its objects are removed
// after that.
func (c *cluster) markDefinition(object map[string]any) map[string]any {
	finalizers := finalizersOf(object)
	if !slices.Contains(finalizers, cleanup) {
		finalizers = append(finalizers, cleanup)
	}
	out := maps.Clone(withMeta(object, "finalizers", texts(finalizers)))
	status, _ := out["status"].(map[string]any)
	status = maps.Clone(status)
	if status == nil {
		status = map[string]any{}
	}
	conditions, _ := status["conditions"].([]any)
	status["conditions"] = append(slices.Clone(conditions), map[string]any{
		"type": "Terminating", "status": "True", "reason": "InstanceDeletionPending",
		"message": "CustomResourceDefinition marked for deletion; CustomResource deletion " +
			"will begin soon",
		"lastTransitionTime": c.timestamp(),
	})
	out["status"] = status
	return out
}

func texts(list []string) []any {
	if len(list) == 0 {
		return nil
	}
	out := make([]any, len(list))
	for i, text := range list {
		out[i] = text
	}
	return out
}

// storedVersions returns the versions that objects are stored in, with the
// present one.
func storedVersions(status map[string]any, now string) []any {
	versions, _ := status["storedVersions"].([]any)
	if slices.Contains(versions, any(now)) {
		return versions
	}
	return append(slices.Clone(versions), now)
}

// asJSON returns a value as JSON has it.
func asJSON(value any) any {
	text, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		return nil
	}
	return out
}

// load creates definitions, all of them or none, before they are installed.
func (c *cluster) load(ctx context.Context, objects []map[string]any) error {
	drafts := make([]*draft, len(objects))
	prepared := make([]map[string]any, len(objects))
	errs := make([]error, len(objects))
	inParallel(len(objects), func(i int) {
		if ctx.Err() != nil {
			errs[i] = context.Cause(ctx)
		} else if drafts[i], errs[i] = c.draftOf(objects[i]); errs[i] == nil {
			prepared[i], errs[i] = drafts[i].prepared()
		}
	})
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for i, d := range drafts {
		if err := d.take(prepared[i]); err != nil {
			return err
		}
	}
	c.starting = false
	c.installAll()
	return nil
}

// take stores a definition, in place of one of the name that was restored.
func (d *draft) take(object map[string]any) error {
	d.name = metaText(object, "name")
	err := d.load()
	switch {
	case apierrors.IsNotFound(err):
		if _, err = d.insert(object); err == nil && d.crd != nil {
			stored := d.objects.Get(definitionPrefix + d.name)
			d.server.cluster.crds.Store(stored.Key, parsedDefinition{stored, d.crd})
		}
	case err == nil:
		_, err = d.update(d.sent)
	}
	return err
}

// draftOf returns the create of a definition.
func (c *cluster) draftOf(object map[string]any) (*draft, error) {
	r, err := http.NewRequest(http.MethodPost,
		"/apis/"+definitionGroup+"/v1/"+definitions.Resource, nil)
	if err != nil {
		return nil, err
	}
	request, ok := c.route(r)
	if !ok {
		return nil, fmt.Errorf("%s is not served", r.URL.Path)
	}
	d := &draft{request: request}
	of := request.groupVersion().WithKind(request.names.Kind)
	decoded, unknown, err := builtin.DecodeDefinition(object, of)
	if d.sent, err = request.asDecoded(decoded, unknown, err, ""); err != nil {
		return nil, err
	}
	return d, nil
}
