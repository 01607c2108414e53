package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

const (
	definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	tabsPath        = "/apis/g.io/v1/namespaces/default/tabs"
)

// tabs is a definition with two versions that the webhook at a URL converts.
func tabs(url, ca string, change int) string {
	version := func(name string, storage bool) map[string]any {
		return map[string]any{
			"name": name, "served": true, "storage": storage,
			"subresources": map[string]any{"status": map[string]any{}, "scale": map[string]any{
				"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas",
			}},
			"schema": map[string]any{"openAPIV3Schema": map[string]any{
				"type": "object", "description": fmt.Sprint("change ", change),
				"x-kubernetes-preserve-unknown-fields": true,
			}},
		}
	}
	text, err := json.Marshal(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "tabs.g.io"},
		"spec": map[string]any{
			"group": "g.io", "scope": "Namespaced",
			"names":    map[string]any{"plural": "tabs", "singular": "tab", "kind": "Tab", "listKind": "TabList"},
			"versions": []any{version("v1", true), version("v2", false)},
			"conversion": map[string]any{"strategy": "Webhook", "webhook": map[string]any{
				"conversionReviewVersions": []any{"v1"},
				"clientConfig":             map[string]any{"url": url + "/convert", "caBundle": ca},
			}},
		},
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// webhooks is the configuration of a mutating webhook for tabs.
func webhooks(url, ca string) string {
	return fmt.Sprintf(`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration",
		"metadata":{"name":"m"},"webhooks":[{"name":"m.g.io","admissionReviewVersions":["v1"],"sideEffects":"None",
		"clientConfig":{"url":%q,"caBundle":%q},"rules":[{"apiGroups":["g.io"],"apiVersions":["*"],
		"operations":["*"],"resources":["tabs"]}]}]}`, url+"/mutate", ca)
}

// hook is a webhook that does what a test says.
type hook struct {
	server *httptest.Server
	ca     string // base64 of PEM
	mu     sync.Mutex
	calls  int
	// hangs reports whether call n hangs until its client goes.
	hangs func(n int) bool
	// before is called before an admission is answered.
	before func()
}

func newHook(t *testing.T, hangs func(int) bool) *hook {
	t.Helper()
	h := &hook{hangs: hangs}
	h.server = httptest.NewTLSServer(h)
	t.Cleanup(h.server.Close)
	h.ca = base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{
		Type: "CERTIFICATE", Bytes: h.server.Certificate().Raw,
	}))
	return h
}

// ServeHTTP answers a review.
func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	h.mu.Lock()
	h.calls++
	hangs := h.hangs(h.calls)
	h.mu.Unlock()
	if err != nil || hangs {
		<-r.Context().Done()
		return
	}
	var review struct {
		APIVersion string         `json:"apiVersion"`
		Kind       string         `json:"kind"`
		Request    map[string]any `json:"request"`
	}
	if err := json.Unmarshal(body, &review); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	answer := map[string]any{"uid": review.Request["uid"]}
	if strings.HasSuffix(r.URL.Path, "convert") {
		objects, _ := review.Request["objects"].([]any)
		for _, object := range objects {
			object.(map[string]any)["apiVersion"] = review.Request["desiredAPIVersion"]
		}
		answer["convertedObjects"] = objects
		answer["result"] = map[string]any{"status": "Success"}
	} else {
		if h.before != nil {
			h.before()
		}
		answer["allowed"] = true
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"apiVersion": review.APIVersion, "kind": review.Kind, "response": answer,
	})
}

// caller sends requests to a server. Its client has no timeout.
type caller struct {
	t      *testing.T
	client *http.Client
	host   string
}

func newCaller(t *testing.T, s *Server) *caller {
	t.Helper()
	client, err := rest.HTTPClientFor(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	return &caller{t, client, s.Config().Host}
}

// call returns the code of an answer and how long it took. A watch is read to
// its end.
func (c *caller) call(
	method, path, media, body string,
) (code int, text string, took time.Duration) {
	began := time.Now()
	r, err := http.NewRequestWithContext(context.Background(), method, c.host+path,
		strings.NewReader(body))
	if err != nil {
		c.t.Error(err)
		return 0, "", 0
	}
	r.Header.Set("Content-Type", media)
	answer, err := c.client.Do(r)
	if err != nil {
		c.t.Errorf("%s %s: %v", method, path, err)
		return 0, "", time.Since(began)
	}
	defer func() { _ = answer.Body.Close() }()
	got, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(got), time.Since(began)
}

func started(t *testing.T, o Options) *Server {
	t.Helper()
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop() })
	return s
}

const (
	asJSONBody  = "application/json"
	asMerge     = "application/merge-patch+json"
	asApplyBody = "application/apply-patch+yaml"
)

// slack is how much later than its deadline an answer may come on a machine
// that is busy.
const slack = 10 * time.Second

func tabOf(version, name string) string {
	return `{"apiVersion":"g.io/` + version + `","kind":"Tab","metadata":{"name":"` + name +
		`"},"spec":{"replicas":1}}`
}

// Every request ends, whatever happens to its definition and to webhooks
// meanwhile. CRDSEM_FAULTS is for how long, e.g. 60s.
func TestRequestsEnd(t *testing.T) {
	lasts, err := time.ParseDuration(os.Getenv("CRDSEM_FAULTS"))
	if err != nil {
		lasts = 3 * time.Second
	}
	limits := deadlines{
		write: time.Second, read: 1500 * time.Millisecond, body: 100 * time.Millisecond,
	}
	s := started(t, Options{deadlines: limits})
	h := newHook(t, func(n int) bool { return n%40 == 0 })
	until := time.Now().Add(lasts)
	var all sync.WaitGroup
	codes, longest := map[int]int{}, time.Duration(0)
	var mu sync.Mutex
	note := func(code int, took time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		codes[code]++
		longest = max(longest, took)
	}
	by := newCaller(t, s)
	by.call(http.MethodPost, "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
		asJSONBody, webhooks(h.server.URL, h.ca))
	all.Go(func() { // the definition comes, changes and goes
		for i := 0; time.Now().Before(until); i++ {
			text := tabs(h.server.URL, h.ca, i)
			code, _, took := by.call(http.MethodPost, definitionsPath, asJSONBody, text)
			note(code, took)
			time.Sleep(20 * time.Millisecond)
			code, _, took = by.call(http.MethodPatch, definitionsPath+"/tabs.g.io", asMerge,
				strings.Replace(text, "change", "another change", 1))
			note(code, took)
			time.Sleep(20 * time.Millisecond)
			code, _, took = by.call(http.MethodDelete, definitionsPath+"/tabs.g.io", asJSONBody, "")
			note(code, took)
		}
	})
	for n := range 8 {
		random := rand.New(rand.NewPCG(7, uint64(n)))
		by := newCaller(t, s)
		all.Go(func() {
			for time.Now().Before(until) {
				method, path, media, body := anyRequest(random)
				code, _, took := by.call(method, path, media, body)
				note(code, took)
			}
		})
	}
	all.Wait()
	t.Logf("answers by code: %v, the longest after %v", codes, longest)
	if most := limits.read + slack; longest > most || codes[0] > 0 {
		t.Errorf("the longest took %v, expected at most %v", longest, most)
	}
	for _, code := range []int{http.StatusOK, http.StatusCreated, http.StatusNotFound} {
		if codes[code] == 0 {
			t.Errorf("no request was answered %d: %v", code, codes)
		}
	}
	if left := len(s.cluster.slots); left > 0 {
		t.Errorf("%d slots are still held", left)
	}
}

// anyRequest returns a request for a tab.
func anyRequest(random *rand.Rand) (method, path, media, body string) {
	version := []string{"v1", "v2"}[random.IntN(2)]
	name := fmt.Sprint("a", random.IntN(4))
	all := strings.Replace(tabsPath, "v1", version, 1)
	one, object := all+"/"+name, tabOf(version, name)
	switch random.IntN(14) {
	case 0, 1, 2, 3:
		return http.MethodPost, all, asJSONBody, object
	case 4:
		return http.MethodGet, all, asJSONBody, ""
	case 5:
		return http.MethodGet, one, asJSONBody, ""
	case 6:
		return http.MethodPut, one, asJSONBody, object
	case 7:
		return http.MethodPatch, one, asMerge, `{"spec":{"a":` + fmt.Sprint(random.IntN(9)) + `}}`
	case 8:
		return http.MethodPatch, one + "?fieldManager=m&force=true", asApplyBody, object
	case 9:
		return http.MethodDelete, one, asJSONBody, ""
	case 10:
		return http.MethodDelete, all, asJSONBody, ""
	case 11:
		return http.MethodPatch, one + "/status", asMerge, `{"status":{"replicas":2}}`
	case 12:
		return http.MethodPatch, one + "/scale", asMerge, `{"spec":{"replicas":3}}`
	}
	return http.MethodGet, all + "?watch=1&timeoutSeconds=1", asJSONBody, ""
}

// A list whose conversion hangs, and a write whose webhook changes the object
// under it, end at their deadlines with the server's answers.
func TestDeadlines(t *testing.T) {
	limits := deadlines{
		write: 500 * time.Millisecond, read: time.Second, body: 100 * time.Millisecond,
	}
	s := started(t, Options{deadlines: limits})
	hangs := false
	h := newHook(t, func(int) bool { return hangs })
	by := newCaller(t, s)
	expect := func(method, path, media, body string, want int, part string, most time.Duration) {
		t.Helper()
		code, text, took := by.call(method, path, media, body)
		if code != want || !strings.Contains(text, part) || took > most+slack {
			t.Errorf("%s %s: %d after %v, want %d: %s", method, path, code, took, want, text)
		}
	}
	expect(http.MethodPost, definitionsPath, asJSONBody, tabs(h.server.URL, h.ca, 0), 201, "", 0)
	for _, name := range []string{"a", "b", "c"} {
		expect(http.MethodPost, tabsPath, asJSONBody, tabOf("v1", name), 201, "", 0)
	}
	h.mu.Lock()
	hangs = true
	h.mu.Unlock()
	expect(http.MethodGet, strings.Replace(tabsPath, "v1", "v2", 1), asJSONBody, "", 504,
		"Timeout: request did not complete within the allotted timeout", limits.read)
	expect(http.MethodGet, strings.Replace(tabsPath, "v1", "v2", 1)+"?timeout=100ms",
		asJSONBody, "", 504,
		`"reason":"Timeout"`, limits.read)
	expect(http.MethodGet, tabsPath+"?timeout=x", asJSONBody, "", 400,
		`invalid timeout specified in the request URL - time: invalid duration \"x\"`, 0)
	h.mu.Lock()
	hangs = false
	h.mu.Unlock()
	n := 0
	h.before = func() {
		n++
		_, err := s.cluster.changed("/g.io/tabs/default/a", n)
		if err != nil {
			t.Error(err)
		}
	}
	expect(http.MethodPost, "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
		asJSONBody, webhooks(h.server.URL, h.ca), 201, "", 0)
	expect(http.MethodPatch, tabsPath+"/a", asMerge, `{"spec":{"b":1}}`, 504,
		"Timeout: request did not complete within requested timeout - context deadline exceeded",
		limits.write)
	if n < 2 {
		t.Errorf("the webhook was asked %d times", n)
	}
}

// changed stores an object with another field.
func (c *cluster) changed(key string, n int) (string, error) {
	s := Server{cluster: c}
	text, ok := s.Stored(key)
	if !ok {
		return "", fmt.Errorf("no object %s", key)
	}
	text = bytes.Replace(text, []byte(`"spec":{`), fmt.Appendf(nil, `"spec":{"n%d":1,`, n), 1)
	return string(text), s.Store(key, text)
}

// A body that does not come ends with the request, and one that nobody wants
// before that.
func TestLateBodies(t *testing.T) {
	s := started(t, Options{MaxInFlight: 1, deadlines: deadlines{
		write: 300 * time.Millisecond, read: time.Second, body: 50 * time.Millisecond,
	}})
	config, err := rest.TLSConfigFor(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	config.NextProtos, config.ServerName = []string{"http/1.1"}, "localhost"
	for _, test := range []struct{ path, token, want string }{
		{"/api/v1/namespaces?watch=1", s.token, "HTTP/1.1 504 Gateway Timeout"},
		{"/api/v1/namespaces", s.token, "HTTP/1.1 504 Gateway Timeout"},
		{"/apis", s.token, "HTTP/1.1 404 Not Found"},
		{"/healthz", "", "HTTP/1.1 200 OK"},
		{"/api", "wrong", "HTTP/1.1 401 Unauthorized"},
	} {
		conn, err := net.Dial("tcp", s.address)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(slack))
		secure := tls.Client(conn, config)
		began := time.Now()
		_, err = fmt.Fprintf(secure, "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{", test.path, test.token)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(secure) // until the server closes the connection
		if err != nil || !strings.HasPrefix(string(got), test.want) {
			t.Errorf("%s: %v after %v: %s", test.path, err, time.Since(began), got)
		}
		_ = conn.Close()
	}
}

// A panic is answered and does not end the program.
func TestPanic(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	h := handlerOf(t, aKinds)
	h.Now = func() time.Time { panic("at the clock") }
	code, text := asked(t, h, http.MethodGet, "/apis/g.io/v1/as", "")
	if code != http.StatusInternalServerError || !strings.HasPrefix(text, "This request caused") {
		t.Errorf("%d: %s", code, text)
	}
	for _, part := range []string{"panic at GET /apis/g.io/v1/as: at the clock", "TestPanic"} {
		if !strings.Contains(logged.String(), part) {
			t.Errorf("logged without %q: %s", part, &logged)
		}
	}
}

// connection is that of a client. It reports when the client closes it.
type connection struct {
	net.Conn

	closed context.CancelFunc
}

// Close implements net.Conn.
func (c connection) Close() error {
	c.closed()
	return c.Conn.Close()
}

// Connections without a request end after the time of the real server, and
// before it if they never send a header. The clients close none themselves.
func TestIdleConnections(t *testing.T) {
	is := started(t, Options{}).http
	if is.IdleTimeout != 90*time.Second || is.ReadHeaderTimeout != 32*time.Second {
		t.Errorf("idle %v, header %v", is.IdleTimeout, is.ReadHeaderTimeout)
	}
	limits := serverDeadlines
	limits.idle = 200 * time.Millisecond
	s := started(t, Options{deadlines: limits})
	for _, protocol := range []string{"http/1.1", "h2"} {
		config := s.Config()
		config.NextProtos = []string{protocol}
		ended, closed := context.WithCancel(t.Context())
		config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
			return connection{conn, closed}, err
		}
		client, err := rest.HTTPClientFor(config)
		if err != nil {
			t.Fatal(err)
		}
		code, _, _ := (&caller{t, client, config.Host}).call(http.MethodGet, "/healthz", "", "")
		if code != http.StatusOK {
			t.Errorf("%s: %d", protocol, code)
		}
		select {
		case <-ended.Done():
		case <-time.After(slack):
			t.Errorf("%s: a connection without a request does not end", protocol)
		}
	}
	limits.header = 200 * time.Millisecond
	conn, err := net.Dial("tcp", started(t, Options{deadlines: limits}).address)
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.SetDeadline(time.Now().Add(slack))
	if got, err := io.ReadAll(conn); len(got) > 0 || err != nil {
		t.Errorf("a connection that sends nothing: %q, %v", got, err)
	}
	_ = conn.Close()
}
