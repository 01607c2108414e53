// Package conversion_test compares package conversion with the real converter,
// over real HTTPS.
package conversion_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	realconversion "k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/util/webhook"

	"github.com/crdsem/crdsem/conversion"
	hook "github.com/crdsem/crdsem/conversion/webhook"
)

const group = "example.com"

// server is an HTTPS server on loopback. The test sets its response; $UID
// stands for the request's uid.
type server struct {
	*httptest.Server
	mu          sync.Mutex
	code        int
	contentType string
	body        string
	requests    [][]byte
	headers     []http.Header
	next        http.Handler
}

var uidPattern = regexp.MustCompile(`"uid":"([0-9a-f]{8}-[0-9a-f-]+)"`)

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{code: 200, contentType: "application/json"}
	s.Server = httptest.NewTLSServer(s)
	t.Cleanup(s.Close)
	return s
}

// ServeHTTP records the request and sends the response.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, _ := io.ReadAll(r.Body)
	s.requests = append(s.requests, text)
	s.headers = append(s.headers, r.Header)
	if s.next != nil {
		r.Body = io.NopCloser(bytes.NewReader(text))
		s.next.ServeHTTP(w, r)
		return
	}
	uid := ""
	if m := uidPattern.FindSubmatch(text); m != nil {
		uid = string(m[1])
	}
	if s.contentType != "" {
		w.Header().Set("Content-Type", s.contentType)
	}
	w.WriteHeader(s.code)
	_, _ = io.WriteString(w, strings.ReplaceAll(s.body, "$UID", uid))
}

func (s *server) set(code int, contentType, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.code, s.contentType, s.body, s.requests, s.headers = code, contentType, body, nil, nil
}

func (s *server) bundle() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
}

// pair is the real converter and ours for the same CRD.
type pair struct {
	real runtime.ObjectConvertor
	ours *conversion.Converter
}

func newPair(t *testing.T, s *server, strategy string, reviews ...string) pair {
	t.Helper()
	url := s.URL + "/convert"
	crd := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "foos." + group},
	}
	crd.Spec.Group = group
	crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.ConversionStrategyType(strategy),
		Webhook: &apiextensionsv1.WebhookConversion{ConversionReviewVersions: reviews,
			ClientConfig: &apiextensionsv1.WebhookClientConfig{URL: &url, CABundle: s.bundle()}}}
	for _, name := range []string{"v1", "v2"} {
		crd.Spec.Versions = append(crd.Spec.Versions,
			apiextensionsv1.CustomResourceDefinitionVersion{Name: name})
	}
	factory, err := realconversion.NewCRConverterFactory(nil,
		func(r webhook.AuthenticationInfoResolver) webhook.AuthenticationInfoResolver { return r })
	if err != nil {
		t.Fatal(err)
	}
	safe, _, err := factory.NewConverter(crd)
	if err != nil {
		t.Fatal(err)
	}
	spec := conversion.Spec{
		CRD:            crd.Name,
		Group:          group,
		Versions:       []string{"v1", "v2"},
		Strategy:       conversion.Strategy(strategy),
		ReviewVersions: reviews,
		Client:         conversion.ClientConfig{URL: url, CABundle: s.bundle()},
	}
	client, err := hook.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	ours, err := conversion.New(spec, client)
	if err != nil {
		t.Fatal(err)
	}
	return pair{safe, ours}
}

// run converts a document with both and compares results, errors and requests.
func (p pair) run(s *server, document map[string]any, to string) (outcome, difference string) {
	s.requests = nil
	text, _ := json.Marshal(document)
	wantObject, wantErr := p.runReal(text, to)
	gotObject, gotErr := p.runOurs(text, to)
	if got, want := masked(gotErr), masked(wantErr); got != want {
		return "", fmt.Sprintf("error %q\nwant  %q", got, want)
	}
	if !reflect.DeepEqual(gotObject, wantObject) {
		return "", fmt.Sprintf("result %v\nwant   %v", gotObject, wantObject)
	}
	if n := len(s.requests); n%2 != 0 || n == 2 && !sameRequest(s.requests[0], s.requests[1]) {
		return "", fmt.Sprintf("requests %s", s.requests)
	}
	if wantErr != nil {
		return masked(wantErr), ""
	}
	return "", ""
}

func sameRequest(a, b []byte) bool {
	return bytes.Equal(uidPattern.ReplaceAll(a, nil), uidPattern.ReplaceAll(b, nil))
}

var uidInText = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// severalErrors is where a list of errors of metadata starts.
var severalErrors = regexp.MustCompile(`metadata(?: in object at index \d+)?: \[`)

func masked(err error) string {
	if err == nil {
		return ""
	}
	text := uidInText.ReplaceAllString(err.Error(), "UID")
	// The real code collects the errors of several labels in random order.
	if at := severalErrors.FindStringIndex(text); at != nil {
		start := at[0]
		parts := strings.Split(strings.TrimSuffix(text[at[1]:], "]"), ", metadata.")
		for i := range parts {
			parts[i] = strings.TrimPrefix(parts[i], "metadata.")
		}
		slices.Sort(parts)
		return text[:start] + strings.Join(parts, "|")
	}
	return text
}

func (p pair) runReal(text []byte, to string) (map[string]any, error) {
	target, err := schema.ParseGroupVersion(to)
	if err != nil {
		return nil, err
	}
	object, _, err := unstructured.UnstructuredJSONScheme.Decode(text, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	out, err := p.real.ConvertToVersion(object, target)
	if err != nil {
		return nil, err
	}
	return out.(runtime.Unstructured).UnstructuredContent(), nil
}

func (p pair) runOurs(text []byte, to string) (map[string]any, error) {
	object, _, err := unstructured.UnstructuredJSONScheme.Decode(text, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	content := object.(runtime.Unstructured).UnstructuredContent()
	if _, isList := object.(*unstructured.UnstructuredList); isList {
		return p.ours.ConvertList(context.Background(), content, to)
	}
	return p.ours.Convert(context.Background(), content, to)
}

// answers are the response bodies of faulty webhooks, and of some correct ones.
func answers() []string {
	review := func(version, response string) string {
		return `{"apiVersion":"apiextensions.k8s.io/` + version + `","kind":"ConversionReview","response":` + response + `}`
	}
	list := []string{"", " ", "{", "{}", "null", "hello", "a: b", "a: [", "[]", "5", "true", "\x00", `{"kind":5}`, `{"apiVersion":{}}`, `{"Kind":"X"}`,
		`{"apiVersion":"a/b/c","kind":"ConversionReview"}`, `{"apiVersion":"x/","kind":"ConversionReview"}`, `{"apiVersion":"apiextensions.k8s.io/","kind":"ConversionReview"}`,
		`{"apiVersion":"/","kind":"ConversionReview"}`, `{"apiVersion":"v1","kind":"ConversionReview"}`, `{"apiVersion":"v1"}`, `{"kind":"ConversionReview"}`,
		`{"apiVersion":"apiextensions.k8s.io/v1"}`, `{"apiVersion":"apiextensions.k8s.io/__internal","kind":"ConversionReview"}`, `{"kind":"Bogus"}`,
		"apiVersion: apiextensions.k8s.io/v1\nkind: ConversionReview\nresponse:\n  uid: $UID\n  result: {status: Success}\n  convertedObjects: []\n",
		"---\nkind: Status\n", "a: b\n---\nc: d\n", "a: 1\na: 2\n"}
	for _, apiVersion := range []string{
		"v1", "apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1", "example.com/v1",
		"meta.k8s.io/v1", "", "apiextensions.k8s.io/v2",
	} {
		for _, kind := range []string{
			"Status", "CustomResourceDefinition", "CustomResourceDefinitionList", "ListOptions",
			"GetOptions", "DeleteOptions", "CreateOptions", "UpdateOptions", "PatchOptions",
			"WatchEvent", "APIGroup", "APIGroupList", "APIVersions", "APIResourceList", "Scale",
			"ConversionReview", "ConversionRequest",
		} {
			list = append(list, fmt.Sprintf(`{"apiVersion":%q,"kind":%q}`, apiVersion, kind))
		}
	}
	for _, version := range []string{"v1", "v1beta1"} {
		for _, response := range []string{"null", "{}", "5", "[]", `"x"`, `{"uid":5}`, `{"uid":"$UID"}`, `{"uid":"x"}`, `{"uid":"$UID","result":"Success"}`, `{"uid":"$UID","result":[]}`,
			`{"uid":"$UID","result":{"status":5}}`, `{"uid":"$UID","result":{"status":"Failure"}}`, `{"uid":"$UID","result":{"status":"Failure","message":"why"}}`,
			`{"uid":"$UID","result":{"status":"Failure","message":{}}}`, `{"uid":"$UID","result":{"status":"Failure","code":"1"}}`, `{"uid":"$UID","result":{"status":"Failure","code":3000000000}}`,
			`{"uid":"$UID","result":{"status":"Failure","reason":1}}`, `{"uid":"$UID","result":{"status":"Failure","details":"x"}}`,
			`{"uid":"$UID","result":{"status":"Failure","details":{"causes":{}}}}`, `{"uid":"$UID","result":{"status":"Failure","details":{"causes":[1]}}}`,
			`{"uid":"$UID","result":{"status":"Failure","details":{"causes":[{"reason":1}],"uid":2}}}`, `{"uid":"$UID","result":{"metadata":"x"}}`, `{"uid":"$UID","result":{"metadata":{"continue":1}}}`,
			`{"uid":"$UID","result":{"metadata":{"remainingItemCount":"1"}}}`, `{"uid":"$UID","result":{"kind":7}}`,
			`{"uid":"$UID","Result":{"status":"Success"},"convertedObjects":[]}`, `{"uid":"$UID","result":{"status":"Success"},"convertedObjects":{}}`,
			`{"uid":"$UID","result":{"status":"Success"},"convertedObjects":"x"}`, `{"uid":"$UID","result":{"status":"Success"},"convertedObjects":null}`,
			`{"uid":"$UID","result":{"status":"Success"}}`, `{"uid":"a","uid":"$UID","result":{"status":"Success"},"convertedObjects":[]}`} {
			list = append(list, review(version, response))
		}
		for _, objects := range []string{"[]", "[null]", `["x"]`, "[5]", "[[]]", "[{}]", `[{"kind":"Foo"}]`, `[{"apiVersion":"example.com/v2"}]`, `[ { "apiVersion" : "example.com/v2" } ]`,
			`[{"apiVersion":"a/b/c","kind":"Foo"}]`, `[{"apiVersion":5,"kind":"Foo"}]`, `[{"apiVersion":"example.com/v2","kind":5}]`, `[{"apiVersion":"v2","kind":"Foo"}]`,
			`[{"apiVersion":"example.com/v2","kind":"Foo"}]`, `[{"apiVersion":"example.com/v2","kind":"Foo","metadata":null}]`, `[{"apiVersion":"example.com/v2","kind":"Foo","metadata":[]}]`,
			`[{"apiVersion":"example.com/v2","kind":"Foo","metadata":{}}]`, `[{"apiVersion":"example.com/v2","kind":"Foo","metadata":{"name":5}}]`} {
			list = append(list, review(version, `{"uid":"$UID","result":{"status":"Success"},"convertedObjects":`+objects+`}`))
		}
		list = append(list, `{"apiVersion":"apiextensions.k8s.io/`+version+`","kind":"Status","status":"Failure","message":"m"}`,
			`{"apiVersion":"apiextensions.k8s.io/`+version+`","kind":"ConversionReview","request":{"objects":["x",null],"uid":"y"},"response":{"uid":"$UID","result":{"status":"Failure"}}}`,
			`{"apiVersion":"apiextensions.k8s.io/`+version+`","kind":"ConversionReview","request":{"objects":{}}}`,
			`{"apiVersion":"apiextensions.k8s.io/`+version+`","kind":"ConversionReview","request":"x"}`)
	}
	return list
}

func foo(name string) map[string]any {
	return map[string]any{
		"apiVersion": "example.com/v1",
		"kind":       "Foo",
		"spec":       map[string]any{"a": 1},
		"metadata":   map[string]any{"name": name, "namespace": "n", "uid": "u-" + name},
	}
}

// TestMisbehavingWebhooks gives both converters the same responses, one at a
// time (CONV-026 to CONV-031).
func TestMisbehavingWebhooks(t *testing.T) {
	s := newServer(t)
	outcomes := map[string]bool{}
	list := map[string]any{
		"apiVersion": "example.com/v2",
		"kind":       "FooList",
		"items":      []any{foo("a")},
	}
	for _, review := range []string{"v1", "v1beta1"} {
		p := newPair(t, s, "Webhook", review)
		for _, body := range answers() {
			for _, document := range []map[string]any{
				foo("a"), list, {"apiVersion": "example.com/v1", "kind": "Foo", "spec": nil},
			} {
				s.set(200, "application/json", body)
				outcome, diff := p.run(s, document, "example.com/v2")
				if diff != "" {
					t.Errorf("review %s, answer %s: %s", review, body, diff)
				}
				outcomes[outcome] = true
			}
		}
	}
	t.Logf("%d answers, %d different outcomes", len(answers()), len(outcomes))
	if len(outcomes) < 100 {
		t.Errorf("only %d outcomes", len(outcomes))
	}
}

// TestHTTPFailures compares the outcomes of HTTP statuses, content types and
// bodies (CONV-026).
func TestHTTPFailures(t *testing.T) {
	s := newServer(t)
	p := newPair(t, s, "Webhook", "v1")
	bodies := []string{"", "boom", " text \n", `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"gone"}`, `{"kind":"Status","status":"Failure","message":"old"}`,
		`{"kind":"Status","apiVersion":"x/v1","status":"Failure","message":"no"}`, `{"kind":"Status","apiVersion":"v1","status":"Success","message":"no"}`, `{"kind":"Status","apiVersion":"v1"}`,
		`{"kind":"Status","apiVersion":"v1","status":"Failure","code":500}`, "kind: Status\napiVersion: v1\nstatus: Failure\nmessage: yaml\n", `{"status":"Failure","message":"x"}`, strings.Repeat("long ", 1000),
		`{"kind":"Status","apiVersion":"apiextensions.k8s.io/v1","status":"Failure","message":"other"}`}
	for _, code := range []int{
		200, 201, 202, 206, 207, 226, 300, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 413,
		415, 418, 422, 429, 500, 501, 502, 503, 504, 599,
	} {
		for _, contentType := range []string{
			"application/json", "text/plain; charset=utf-8", "", "a b/;", "application/xml",
			"application/yaml",
		} {
			for _, body := range bodies {
				if code == 304 {
					body = ""
				}
				s.set(code, contentType, body)
				if _, diff := p.run(s, foo("a"), "example.com/v2"); diff != "" {
					t.Errorf("%d %q %q: %s", code, contentType, body[:min(len(body), 60)], diff)
				}
			}
		}
	}
}

// TestOurHandler connects the real converter to our webhook, in both review
// versions.
func TestOurHandler(t *testing.T) {
	functions, err := conversion.HubAndSpoke(
		"example.com/v2",
		conversion.Spoke{APIVersion: "example.com/v1",
			ToHub: func(_ context.Context, object map[string]any) (map[string]any, error) {
				if object["spec"] == nil {
					return nil, fmt.Errorf("no spec in %v", object["kind"])
				}
				object["spec"] = map[string]any{"wrapped": object["spec"]}
				return object, nil
			},
			FromHub: func(_ context.Context, object map[string]any) (map[string]any, error) {
				spec, _ := object["spec"].(map[string]any)
				return map[string]any{"spec": spec["wrapped"]}, nil
			}},
	)
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t)
	s.next = hook.Handler(functions)
	for _, review := range []string{"v1", "v1beta1"} {
		p := newPair(t, s, "Webhook", review)
		there := foo("b")
		there["apiVersion"] = "example.com/v2"
		there["spec"] = map[string]any{"wrapped": map[string]any{"b": 1.5}}
		bad := foo("c")
		delete(bad, "spec")
		for name, document := range map[string]map[string]any{
			"up": foo("a"), "down": there, "bad": bad,
			"list":     {"apiVersion": "example.com/v1", "kind": "FooList", "metadata": map[string]any{"resourceVersion": "5"}, "items": []any{foo("a"), there, foo("d")}},
			"bad list": {"apiVersion": "example.com/v1", "kind": "FooList", "items": []any{foo("a"), bad}},
		} {
			to := "example.com/v2"
			if name == "down" {
				to = "example.com/v1"
			}
			outcome, diff := p.run(s, document, to)
			if diff != "" {
				t.Errorf("review %s, %s: %s", review, name, diff)
			}
			if isBad := strings.HasPrefix(name, "bad"); isBad != (outcome != "") {
				t.Errorf("review %s, %s: %q", review, name, outcome)
			}
		}
	}
}

// TestRandomExchanges converts random objects and lists with mostly correct
// responses.
func TestRandomExchanges(t *testing.T) {
	n := 4_000
	if testing.Short() {
		n = 300
	}
	s := newServer(t)
	outcomes := map[string]int{}
	pairs := []pair{
		newPair(t, s, "Webhook", "v1"),
		newPair(t, s, "Webhook", "v7", "v1beta1", "v1"),
		newPair(t, s, "Webhook", "v9"),
		newPair(t, s, "None"),
	}
	for seed := range n {
		g := &generator{rand.New(rand.NewPCG(uint64(seed), 11))}
		p := pairs[g.IntN(8)%5%4]
		document, to := g.document(), pick(g, "example.com/v2", "example.com/v2", "example.com/v2",
			"example.com/v2", "example.com/v1", "example.com/v3", "other.com/v1", "v1")
		s.set(200, "application/json", g.answer(document))
		outcome, diff := p.run(s, document, to)
		if diff != "" {
			t.Fatalf("seed %d: %v to %s, answer %s: %s", seed, document, to, s.body, diff)
		}
		outcomes[strings.SplitN(outcome, ":", 2)[0]]++
	}
	t.Logf("%d exchanges, %d without error, %d kinds of outcomes", n, outcomes[""], len(outcomes))
	if outcomes[""] < n/20 || len(outcomes) < 15 {
		t.Errorf("the generator is lopsided: %v", outcomes)
	}
}

// generator makes documents and responses.
type generator struct{ *rand.Rand }

func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

func (g *generator) oneIn(n int) bool { return g.IntN(n) == 0 }

func (g *generator) document() map[string]any {
	if g.oneIn(2) {
		return g.object()
	}
	items := []any{}
	for range g.IntN(5) {
		items = append(items, g.object())
	}
	list := map[string]any{
		"apiVersion": pick(g, "example.com/v1", "example.com/v2"),
		"kind":       "FooList",
		"items":      items,
	}
	if g.oneIn(2) {
		list["metadata"] = map[string]any{"resourceVersion": "5"}
	}
	return list
}

func (g *generator) object() map[string]any {
	o := map[string]any{
		"apiVersion": pick(g, "example.com/v1", "example.com/v1", "example.com/v1",
			"example.com/v2"),
		"kind":     "Foo",
		"metadata": g.metadata(),
		"spec":     map[string]any{"n": g.IntN(9)},
	}
	if g.oneIn(25) {
		o["apiVersion"] = pick[any](g, "example.com/v9", "v1", "", "a/b/c", 5)
	}
	if g.oneIn(25) {
		o["metadata"] = pick[any](g, nil, "x", []any{}, map[string]any{})
	}
	if g.oneIn(25) {
		delete(o, pick(g, "metadata", "spec"))
	}
	if g.oneIn(40) {
		return map[string]any{"apiVersion": o["apiVersion"], "kind": "Foo"}
	}
	return o
}

func (g *generator) metadata() map[string]any {
	m := map[string]any{"name": pick(g, "a", "b"), "uid": "u"}
	if g.oneIn(2) {
		m["namespace"] = "n"
	}
	for _, name := range []string{"labels", "annotations"} {
		if g.oneIn(2) {
			m[name] = g.texts()
		}
	}
	if g.oneIn(4) {
		m["generation"] = g.IntN(5)
	}
	return m
}

func (g *generator) texts() any {
	if g.oneIn(20) {
		return pick[any](g, nil, "x", 5, []any{})
	}
	m := map[string]any{}
	for range g.IntN(3) {
		m[pick(g, "a", "b", "x.io/c", "-bad")] = pick[any](g, "v", "w", "", "bad value!", "v", "w")
		if g.oneIn(20) {
			m["a"] = pick[any](g, nil, 5, map[string]any{}, 1.5)
		}
	}
	return m
}

// answer converts the requested objects, with some mistakes.
func (g *generator) answer(document map[string]any) string {
	sent := []any{document}
	if items, isList := document["items"].([]any); isList {
		sent = nil
		for _, item := range items {
			if item.(map[string]any)["apiVersion"] != "example.com/v2" {
				sent = append(sent, item)
			}
		}
	}
	converted := []any{}
	for _, object := range sent {
		converted = append(converted, g.converted(object.(map[string]any)))
	}
	if g.oneIn(20) && len(converted) > 0 {
		converted = converted[1:]
	}
	if g.oneIn(20) {
		g.Shuffle(len(converted),
			func(i, j int) { converted[i], converted[j] = converted[j], converted[i] })
	}
	version := pick(g, "v1", "v1beta1")
	text, _ := json.Marshal(
		map[string]any{"apiVersion": "apiextensions.k8s.io/" + version, "kind": "ConversionReview",
			"response": map[string]any{
				"uid":              "$UID",
				"result":           map[string]any{"status": "Success"},
				"convertedObjects": converted,
			}},
	)
	return string(text)
}

func (g *generator) converted(object map[string]any) map[string]any {
	text, _ := json.Marshal(object)
	var out map[string]any
	_ = json.Unmarshal(text, &out)
	out["apiVersion"] = "example.com/v2"
	metadata, _ := out["metadata"].(map[string]any)
	if metadata != nil && g.oneIn(2) {
		metadata[pick(g, "labels", "annotations")] = g.texts()
	}
	if metadata != nil && g.oneIn(12) {
		metadata[pick(g, "name", "namespace", "uid", "generation", "finalizers")] = pick[any](g,
			"z", nil, 5)
	}
	if g.oneIn(15) {
		out[pick(g, "apiVersion", "kind", "metadata")] = pick[any](g, "x", nil, 5, "example.com/v1",
			map[string]any{})
	}
	if g.oneIn(40) {
		delete(out, pick(g, "apiVersion", "kind", "metadata"))
	}
	return out
}

// TestHeaders compares the headers that a webhook sees.
func TestHeaders(t *testing.T) {
	s := newServer(t)
	p := newPair(t, s, "Webhook", "v1")
	s.set(200, "application/json", "{}")
	p.run(s, foo("a"), "example.com/v2")
	if len(s.headers) != 2 {
		t.Fatalf("%d requests, want 2", len(s.headers))
	}
	for _, h := range s.headers {
		h.Del("User-Agent")
	}
	if !reflect.DeepEqual(s.headers[0], s.headers[1]) {
		t.Errorf("headers %v\nwant    %v", s.headers[1], s.headers[0])
	}
}

// TestClientConfigs compares the errors of both for an invalid clientConfig.
func TestClientConfigs(t *testing.T) {
	for _, bundle := range []string{
		"x", "-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n",
		"-----BEGIN X-----\nYQ==\n-----END X-----\n", " \n",
	} {
		url := "https://127.0.0.1:1/convert"
		crd := &apiextensionsv1.CustomResourceDefinition{
			ObjectMeta: metav1.ObjectMeta{Name: "foos." + group},
		}
		crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
			Strategy: "Webhook",
			Webhook: &apiextensionsv1.WebhookConversion{
				ConversionReviewVersions: []string{"v1"},
				ClientConfig: &apiextensionsv1.WebhookClientConfig{
					URL:      &url,
					CABundle: []byte(bundle),
				},
			},
		}
		factory, err := realconversion.NewCRConverterFactory(
			nil,
			func(r webhook.AuthenticationInfoResolver) webhook.AuthenticationInfoResolver {
				return r
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		_, _, want := factory.NewConverter(crd)
		_, got := hook.New(
			conversion.Spec{
				CRD:    crd.Name,
				Client: conversion.ClientConfig{URL: url, CABundle: []byte(bundle)},
			},
		)
		if masked(got) != masked(want) {
			t.Errorf("bundle %q: %v, want %v", bundle, got, want)
		}
	}
}
