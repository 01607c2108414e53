package admission

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem/minors"
)

// stored are the objects of a test: configurations by their resource, and
// namespaces by their name.
type stored struct {
	configurations map[schema.GroupResource][]map[string]any
	namespaces     map[string]map[string]any
	revision       uint64
	lists          int
}

func (s *stored) List(of schema.GroupResource) []map[string]any {
	s.lists++
	return s.configurations[of]
}
func (s *stored) Any(of schema.GroupResource) bool     { return len(s.configurations[of]) > 0 }
func (s *stored) Revision(schema.GroupResource) uint64 { return s.revision }
func (*stored) Versions(schema.GroupResource) []string { return []string{"v1", "v2", "v3"} }
func (s *stored) Get(_ schema.GroupResource, _, name string) map[string]any {
	return s.namespaces[name]
}

func (*stored) Resource(
	of schema.GroupVersionKind,
) (resource schema.GroupResource, namespaced, ok bool) {
	plural := strings.ToLower(of.Kind) + "s"
	return schema.GroupResource{Group: of.Group, Resource: plural}, true, true
}

func (*stored) Merge(object, _ map[string]any) (map[string]any, error) { return object, nil }

func (*stored) Convert(
	_ context.Context, object map[string]any, version string,
) (map[string]any, error) {
	if object["bad"] != nil {
		return nil, errors.New("not converted")
	}
	return map[string]any{"kind": object["kind"], "version": version}, nil
}

// webhooks returns a plugin with one configuration of a webhook, whose fields
// override those of one that is asked about everything.
func webhooks(fields map[string]any) (*Webhooks, *stored) {
	webhook := map[string]any{
		"name": "w", "namespaceSelector": map[string]any{}, "objectSelector": map[string]any{},
		"rules": []any{map[string]any{
			"operations": []any{"*"}, "apiGroups": []any{"*"}, "apiVersions": []any{"*"},
			"resources": []any{"*"},
		}},
	}
	for name, value := range fields {
		webhook[name] = value
	}
	objects := &stored{
		configurations: map[schema.GroupResource][]map[string]any{
			validating: {{"webhooks": []any{webhook}}},
		},
		namespaces: map[string]map[string]any{"default": labeled("of", "namespace")},
	}
	return NewWebhooks(objects, minors.All()[len(minors.All())-1], nil), objects
}

func labeled(name, value string) map[string]any {
	return map[string]any{"metadata": map[string]any{"labels": map[string]any{name: value}}}
}

func rule(text string) map[string]any {
	words := strings.Fields(text)
	out := map[string]any{}
	for i, name := range []string{"operations", "apiGroups", "apiVersions", "resources"} {
		var list []any
		for _, value := range strings.Split(words[i], ",") {
			list = append(list, value)
		}
		out[name] = list
	}
	if len(words) > 4 {
		out["scope"] = words[4]
	}
	return out
}

// asked returns the version in which the webhook is asked about a write, "no"
// if it is not asked, or the error.
func asked(t *testing.T, p *Webhooks, w *Write) string {
	t.Helper()
	hooks, err := p.hooksOf(validating)
	if err != nil {
		t.Fatal(err)
	}
	q, err := p.questionFor(t.Context(), hooks[0], w)
	switch {
	case err != nil:
		return err.Error()
	case q == nil:
		return "no"
	}
	return q.version
}

// A rule matches by the operation, group, version, resource and scope.
func TestRules(t *testing.T) {
	ofCluster := func(w *Write) { w.Namespace = "" }
	namespace := func(w *Write) {
		w.Resource = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	}
	part := func(w *Write) { w.Subresource = "status" }
	for _, test := range []struct {
		rule   string
		change func(*Write)
		want   string
	}{
		{"* * * *", nil, "v1"},
		{"UPDATE example.com v1 tabs", nil, "v1"},
		{"CREATE,UPDATE a,example.com v0,v1 b,tabs", nil, "v1"},
		{"CREATE * * *", nil, "no"},
		{"* other * *", nil, "no"},
		{"* * v2 *", nil, "no"},
		{"* * * other", nil, "no"},
		{"* * * *", part, "no"},
		{"* * * tabs/status", nil, "no"},
		{"* * * tabs/status", part, "v1"},
		{"* * * */status", part, "v1"},
		{"* * * other/status", part, "no"},
		{"* * * tabs/*", nil, "v1"},
		{"* * * tabs/*", part, "v1"},
		{"* * * tabs/scale", part, "no"},
		{"* * * * *", nil, "v1"},
		{"* * * * Namespaced", nil, "v1"},
		{"* * * * Cluster", nil, "no"},
		{"* * * * Namespaced", ofCluster, "no"},
		{"* * * * Cluster", ofCluster, "v1"},
		{"* * * * Namespaced", namespace, "no"},
		{"* * * * Cluster", namespace, "v1"},
	} {
		p, _ := webhooks(map[string]any{"rules": []any{rule(test.rule)}})
		w := update()
		if test.change != nil {
			test.change(w)
		}
		if got := asked(t, p, w); got != test.want {
			t.Errorf("%s about %v: %s, want %s", test.rule, w, got, test.want)
		}
	}
}

// A webhook that takes equivalents is asked in the version of its first rule
// that matches one, and gets the objects in it.
func TestEquivalents(t *testing.T) {
	for _, test := range []struct{ policy, rules, want string }{
		{"Equivalent", "* * v2 *", "v2"},
		{"Exact", "* * v2 *", "no"},
		{"", "* * v2 *", "no"},
		{"Equivalent", "* * v2 *;* * v1 *", "v1"},
		{"Equivalent", "* * v3 *;* * v2 *", "v3"},
		{"Equivalent", "* * v3,v2 *", "v2"},
		{"Equivalent", "* * v4 *", "no"},
	} {
		fields, rules := map[string]any{}, []any{}
		for _, text := range strings.Split(test.rules, ";") {
			rules = append(rules, rule(text))
		}
		if fields["rules"] = rules; test.policy != "" {
			fields["matchPolicy"] = test.policy
		}
		p, _ := webhooks(fields)
		if got := asked(t, p, update()); got != test.want {
			t.Errorf("%s, %s: %s, want %s", test.policy, test.rules, got, test.want)
		}
	}
	p, _ := webhooks(map[string]any{
		"matchPolicy": "Equivalent", "rules": []any{rule("* * v2 *")},
	})
	hooks, _ := p.hooksOf(validating)
	q, err := p.questionFor(t.Context(), hooks[0], update())
	if got := fmt.Sprint(q.object, q.old, err); got !=
		"map[kind:Tab version:v2] map[kind:Old version:v2] <nil>" {
		t.Error(got)
	}
	deletion := update()
	deletion.Object = nil
	if q, err := p.questionFor(t.Context(), hooks[0], deletion); q.object != nil || err != nil {
		t.Errorf("of a deletion: %v (%v)", q.object, err)
	}
	scale := update()
	scale.Kind = schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
	if q, err := p.questionFor(t.Context(), hooks[0], scale); q.object["version"] != nil ||
		err != nil {
		t.Errorf("a Scale is converted: %v (%v)", q.object, err)
	}
	for _, change := range []func(*Write){
		func(w *Write) { w.Object = map[string]any{"bad": true} },
		func(w *Write) { w.Old = map[string]any{"bad": true} },
	} {
		w := update()
		change(w)
		if got := asked(t, p, w); !strings.Contains(got, "not converted") {
			t.Errorf("not convertible: %s", got)
		}
	}
}

// Selectors of namespaces and of objects.
func TestSelectors(t *testing.T) {
	selector := func(name, value string) map[string]any {
		return map[string]any{"matchLabels": map[string]any{name: value}}
	}
	ofNamespace := map[string]any{"namespaceSelector": selector("of", "namespace")}
	ofObject := map[string]any{"objectSelector": selector("of", "object")}
	wrong := map[string]any{"matchExpressions": []any{map[string]any{"key": "a", "operator": "?"}}}
	asNamespace := func(w *Write) {
		w.Resource = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
		w.Namespace = "default"
	}
	for name, test := range map[string]struct {
		fields map[string]any
		change func(*Write)
		want   string
	}{
		"namespace":       {ofNamespace, func(*Write) {}, "v1"},
		"other namespace": {map[string]any{"namespaceSelector": selector("of", "b")}, func(*Write) {}, "no"},
		"no namespace": {ofNamespace, func(w *Write) { w.Namespace = "none" },
			`namespaces "none" not found`},
		"no namespace, no rule": {
			map[string]any{"namespaceSelector": selector("of", "b"), "rules": []any{}},
			func(w *Write) { w.Namespace = "none" }, "no"},
		"cluster": {ofNamespace, func(w *Write) { w.Namespace = "" }, "v1"},
		"namespace itself": {ofNamespace, func(w *Write) {
			asNamespace(w)
			w.Object = labeled("of", "namespace")
		}, "v1"},
		"namespace itself, others": {ofNamespace, func(w *Write) {
			asNamespace(w)
			w.Object = labeled("of", "b")
		}, "no"},
		"namespace's deletion": {ofNamespace, func(w *Write) {
			asNamespace(w)
			w.Object = nil
		}, "v1"},
		"namespace's part": {ofNamespace, func(w *Write) {
			asNamespace(w)
			w.Subresource, w.Object = "status", labeled("of", "b")
		}, "no"}, // the rule is about no subresource
		"object":     {ofObject, func(w *Write) { w.Object = labeled("of", "object") }, "v1"},
		"old object": {ofObject, func(w *Write) { w.Old = labeled("of", "object") }, "v1"},
		"no object":  {ofObject, func(w *Write) { w.Object, w.Old = nil, nil }, "no"},
		"others":     {ofObject, func(w *Write) { w.Object = labeled("of", "b") }, "no"},
		"wrong":      {map[string]any{"namespaceSelector": wrong}, func(*Write) {}, "not a valid"},
		"also wrong": {map[string]any{"objectSelector": wrong}, func(*Write) {}, "not a valid"},
	} {
		p, _ := webhooks(test.fields)
		w := update()
		test.change(w)
		if got := asked(t, p, w); got != test.want && !strings.Contains(got, test.want+" label") {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// Match conditions see the request. One that fails refuses the write, unless
// the webhook may be ignored.
func TestConditions(t *testing.T) {
	for _, test := range []struct{ expression, policy, want string }{
		{"true", "Fail", "v1"},
		{"false", "Fail", "no"},
		{"request.operation == 'UPDATE' && request.options.kind == 'UpdateOptions'", "Fail", "v1"},
		{"object.kind == 'Tab' && oldObject.kind == 'Old'", "Fail", "v1"},
		{"object.none == 1", "Fail",
			`tabs.example.com "a" is forbidden: expression 'object.none == 1' resulted in error: ` +
				"no such key: none"},
		{"object.none == 1", "Ignore", "no"},
	} {
		p, _ := webhooks(map[string]any{
			"failurePolicy": test.policy,
			"matchConditions": []any{
				map[string]any{"name": "c", "expression": test.expression},
			},
		})
		if got := asked(t, p, update()); got != test.want {
			t.Errorf("%s, %s: %s, want %s", test.expression, test.policy, got, test.want)
		}
	}
}

// Webhooks are read once for each revision of their configurations.
func TestConfigurations(t *testing.T) {
	p, objects := webhooks(nil)
	if !p.Active() {
		t.Error("not active")
	}
	first, _ := p.hooksOf(validating)
	same, _ := p.hooksOf(validating)
	if len(first) != 1 || first[0] != same[0] || objects.lists != 1 {
		t.Errorf("read %d times", objects.lists)
	}
	objects.revision++
	next, _ := p.hooksOf(validating)
	if len(next) != 1 || next[0] == first[0] || objects.lists != 2 {
		t.Errorf("read %d times after a change", objects.lists)
	}
	if none, err := p.hooksOf(mutating); len(none) != 0 || err != nil {
		t.Errorf("%v (%v)", none, err)
	}
	objects.configurations[mutating] = objects.configurations[validating]
	delete(objects.configurations, validating)
	if !p.Active() {
		t.Error("not active with a mutating webhook")
	}
	delete(objects.configurations, mutating)
	if p.Active() {
		t.Error("active without a webhook")
	}
	objects.revision++
	objects.configurations[mutating] = []map[string]any{{"webhooks": "none"}}
	objects.configurations[validating] = objects.configurations[mutating]
	for _, do := range []func(context.Context, *Write) error{p.Mutate, p.Validate} {
		if err := do(t.Context(), update()); err == nil ||
			!strings.HasPrefix(err.Error(), "a configuration of webhooks: ") {
			t.Error(err)
		}
	}
}

// Policies of a webhook, and what they are without a value.
func TestPolicies(t *testing.T) {
	h := &hook{}
	if h.ignores() || h.isAskedAgain() || h.takesDryRun() {
		t.Error("without values")
	}
	for policy, want := range map[v1.FailurePolicyType]bool{v1.Ignore: true, v1.Fail: false} {
		h.FailurePolicy = &policy
		if h.ignores() != want {
			t.Errorf("%s is ignored: %t", policy, !want)
		}
	}
	for policy, want := range map[v1.ReinvocationPolicyType]bool{
		v1.IfNeededReinvocationPolicy: true, v1.NeverReinvocationPolicy: false,
	} {
		h.ReinvocationPolicy = &policy
		if h.isAskedAgain() != want {
			t.Errorf("%s is asked again: %t", policy, !want)
		}
	}
	for class, want := range map[v1.SideEffectClass]bool{
		v1.SideEffectClassNone: true, v1.SideEffectClassNoneOnDryRun: true,
		v1.SideEffectClassSome: false, v1.SideEffectClassUnknown: false,
	} {
		h.SideEffects = &class
		if h.takesDryRun() != want {
			t.Errorf("%s takes a dry run: %t", class, !want)
		}
	}
}

// A webhook that cannot be asked refuses the write as its policy says.
func TestFailure(t *testing.T) {
	ignore, ended := v1.Ignore, func() context.Context {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		return ctx
	}()
	may, must := &hook{}, &hook{}
	may.FailurePolicy = &ignore
	failed, other := &callError{"w", errors.New("x")}, errors.New("denied")
	for _, test := range []struct {
		hook *hook
		ctx  context.Context
		err  error
		want string
	}{
		{may, t.Context(), failed, ""},
		{may, t.Context(), nil, ""},
		{may, t.Context(), other, "denied"},
		{may, ended, failed, "Timeout: request did not complete within requested timeout"},
		{must, t.Context(), failed, `Internal error occurred: failed calling webhook "w": x`},
		{must, ended, failed, `Internal error occurred: failed calling webhook "w": x`},
		{must, t.Context(), other, "denied"},
	} {
		got, err := "", test.hook.failure(test.ctx, test.err)
		if err != nil {
			got = err.Error()
		}
		if status, ok := errors.AsType[*apierrors.StatusError](err); ok &&
			status.ErrStatus.Details.RetryAfterSeconds != 0 {
			t.Errorf("%v: again after %d", test.err, status.ErrStatus.Details.RetryAfterSeconds)
		}
		if got != test.want {
			t.Errorf("%v: %s, want %s", test.err, got, test.want)
		}
	}
}

// counted counts the connections that are closed.
type counted struct {
	net.Conn

	closed *int
}

// Close implements net.Conn.
func (c counted) Close() error {
	*c.closed++
	return c.Conn.Close()
}

// Idle connections to webhooks are closed when configurations change and when
// the plugin is closed. No webhook is asked about webhooks.
func TestClosed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"response":{}}`)
	}))
	defer server.Close()
	p, objects := webhooks(map[string]any{
		"clientConfig": map[string]any{"url": server.URL}, "sideEffects": "None",
		"failurePolicy": "Ignore", "admissionReviewVersions": []any{"v1"},
	})
	objects.configurations[mutating] = objects.configurations[validating]
	opened, closed := 0, 0
	ask := func() {
		for _, resource := range []schema.GroupResource{mutating, validating} {
			hooks, err := p.hooksOf(resource)
			if err != nil {
				t.Fatal(err)
			}
			var dialer net.Dialer
			hooks[0].client.transport.DialContext = func(
				ctx context.Context, network, address string,
			) (net.Conn, error) {
				opened++
				conn, err := dialer.DialContext(ctx, network, address)
				return counted{conn, &closed}, err
			}
		}
		for _, do := range []func(context.Context, *Write) error{p.Mutate, p.Validate} {
			if err := do(t.Context(), update()); err != nil {
				t.Error(err)
			}
		}
	}
	exempt := update()
	exempt.Resource.Group = "admissionregistration.k8s.io"
	for _, do := range []func(context.Context, *Write) error{p.Mutate, p.Validate} {
		if err := do(t.Context(), exempt); err != nil {
			t.Error(err)
		}
	}
	ask()
	if opened != 2 || closed != 0 {
		t.Errorf("%d connections, %d closed", opened, closed)
	}
	objects.revision++
	ask()
	if opened != 4 || closed != 2 {
		t.Errorf("after a change: %d connections, %d closed", opened, closed)
	}
	if p.Close(); closed != 4 {
		t.Errorf("closed: %d of %d connections", closed, opened)
	}
}
