package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/crdsem/crdsem/kube/server/internal/builtin"
	"github.com/crdsem/crdsem/merge/apply"
)

// maxBody is the server's limit for the body of a request.
const maxBody = 3 << 20

// request is one request for a kind.
type request struct {
	*version
	server      *Handler
	ctx         context.Context
	http        *http.Request
	namespace   string
	name        string // empty for a collection
	subresource string // empty, status or scale
	body        []byte
	content     *content // the body, once it was decoded
	dryRun      bool
	refused     bool // whether the answer is an error, which is no stream
	warned      []string
	optionsOf   map[string]any // the options of a write with their kind
}

// answer is the answer to a request.
type answer struct {
	code   int
	object any
}

// ServeHTTP answers a request as an API server does. Requests for other paths
// than those of the server's kinds and of discovery are not found.
func (s *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer recovered(w, r)
	limitBody(w, r, time.Now().Add(s.deadlines.body))
	request, ok := s.route(r)
	if watches := ok && request.isWatch(); !watches && s.slots != nil {
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		default:
			tooMany(w)
			return
		}
	}
	if !ok {
		s.serveOther(w, r)
		return
	}
	request.answer(w)
}

// serveOther answers a request for another path than that of a kind.
func (s *Handler) serveOther(w http.ResponseWriter, r *http.Request) {
	if s.cluster == nil || !s.cluster.root(w, r) {
		s.discover(w, r)
	}
}

// tooMany answers a request when too many others are being answered.
func tooMany(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "1")
	status := apierrors.NewTooManyRequestsError("Too many requests, please try again later.")
	writeJSON(w, http.StatusTooManyRequests, statusOf(status))
}

// answer answers the request.
func (r *request) answer(w http.ResponseWriter) {
	timeout, err := r.server.deadlines.timeout(r.http)
	if err != nil {
		r.refuse(w, err)
		return
	}
	deadline := time.Now().Add(timeout)
	if !r.isWatch() {
		var cancel context.CancelFunc
		r.ctx, cancel = context.WithDeadline(r.ctx, deadline)
		defer cancel()
	}
	if r.body, err = readBody(w, r.http, deadline); err != nil {
		if isLate(err) {
			w.Header().Set("Connection", "close")
			err = r.late()
		}
		r.refuse(w, err)
		return
	}
	r.serveBody(w)
}

// serveBody answers the request after its body was read.
func (r *request) serveBody(w http.ResponseWriter) {
	form, err := r.accepts()
	if err == nil {
		err = r.fromCBOR()
	}
	if err != nil {
		r.refuse(w, err)
		return
	}
	if r.isWatch() {
		r.watch(w, form)
		return
	}
	out, err := r.settled()
	switch {
	case err == errGone:
		r.server.serveOther(w, r.http)
	case err != nil:
		r.refuse(w, err)
	default:
		r.send(w, out, form)
	}
}

// route finds the kind that a path is about. The path is
// /apis/GROUP/VERSION[/namespaces/NAMESPACE]/RESOURCE[/NAME[/SUBRESOURCE]], or
// /api/v1/... for kinds without a group.
func (s *Handler) route(r *http.Request) (*request, bool) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if parts[0] == "api" { // the group without a name
		parts = append([]string{"apis", ""}, parts[1:]...)
	}
	isCore := strings.HasPrefix(strings.TrimLeft(r.URL.Path, "/"), "api/")
	if len(parts) < 4 || parts[0] != "apis" || parts[1] == "" && !isCore {
		return nil, false
	}
	group, version, parts := parts[1], parts[2], parts[3:]
	namespace := ""
	ofNamespace := len(parts) == 3 && group == "" && isNamespacePart(parts[2])
	if parts[0] == "namespaces" && len(parts) > 2 && !ofNamespace {
		namespace, parts = parts[1], parts[2:]
	}
	parts = append(parts, "", "")[:max(3, len(parts))]
	k, known := s.kinds.Resource(group, parts[0])
	if !known || k.versions[version] == nil {
		return nil, false
	}
	v := k.versions[version]
	out := &request{
		version:     v,
		server:      s,
		ctx:         apply.WithTime(r.Context(), s.now()),
		http:        r,
		namespace:   namespace,
		name:        parts[1],
		subresource: strings.Join(parts[2:], "/"),
		content:     &content{},
		warned:      slices.Clone(v.warnings),
	}
	if v.builtin == nil { // whatever follows the subresource
		out.subresource = parts[2]
	}
	return out, out.isInScope()
}

// isInScope reports whether the request has a namespace if the kind needs one.
// Objects of all namespaces can be listed and watched.
func (r *request) isInScope() bool {
	if !r.namespaced || r.namespace != "" {
		return r.namespaced == (r.namespace != "")
	}
	return isRead(r.http) && r.name == ""
}

// readBody reads the body of a request before a deadline.
func readBody(w http.ResponseWriter, r *http.Request, deadline time.Time) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	limitBody(w, r, deadline)
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if isLate(err) {
		return nil, err
	}
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if len(body) > maxBody {
		return nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxBody))
	}
	limitBody(w, r, time.Time{})
	return body, nil
}

// serve does a request.
func (r *request) serve() (*answer, error) {
	if !r.hasSubresource() {
		if r.builtin != nil {
			return nil, generic(http.StatusNotFound)
		}
		return nil, apierrors.NewNotFound(r.resource, r.name)
	}
	if r.builtin != nil {
		return r.serveBuiltIn()
	}
	return r.serveVerb()
}

// serveVerb does a request by its verb.
func (r *request) serveVerb() (*answer, error) {
	type operation struct {
		method      string
		ofName      bool
		subresource string
	}
	at := operation{method: r.http.Method, ofName: r.name != "", subresource: r.subresource}
	if r.builtin == nil && isRead(r.http) { // HEAD is a get, whose body is not sent
		at.method = http.MethodGet
	}
	if r.builtin == nil && at.subresource == "" { // only the method counts
		switch r.http.Method {
		case http.MethodPost:
			r.name, at.ofName = "", false
		case http.MethodPut, http.MethodPatch:
			if !at.ofName {
				return nil, apierrors.NewBadRequest("name must be provided")
			}
		}
	}
	verbs := map[operation]func() (*answer, error){
		{method: http.MethodGet}:                                         r.list,
		{method: http.MethodPost}:                                        r.create,
		{method: http.MethodDelete}:                                      r.deleteCollection,
		{method: http.MethodGet, ofName: true}:                           r.get,
		{method: http.MethodPut, ofName: true}:                           r.update,
		{method: http.MethodPatch, ofName: true}:                         r.patch,
		{method: http.MethodDelete, ofName: true}:                        r.delete,
		{method: http.MethodGet, ofName: true, subresource: "status"}:    r.get,
		{method: http.MethodPut, ofName: true, subresource: "status"}:    r.update,
		{method: http.MethodPatch, ofName: true, subresource: "status"}:  r.patch,
		{method: http.MethodGet, ofName: true, subresource: scaleName}:   r.getScale,
		{method: http.MethodPut, ofName: true, subresource: scaleName}:   r.updateScale,
		{method: http.MethodPatch, ofName: true, subresource: scaleName}: r.patchScale,
	}
	if do := verbs[at]; do != nil {
		return do()
	}
	if r.builtin != nil {
		return nil, generic(http.StatusMethodNotAllowed)
	}
	verb := strings.ToLower(r.http.Method)
	if r.http.Method == http.MethodPost {
		verb = "create"
	}
	return nil, apierrors.NewMethodNotSupported(r.resource, verb)
}

// generic is the error of a path or a method that no built-in kind has.
func generic(code int) error {
	return apierrors.NewGenericServerResponse(code, "", builtin.NoResource, "", "", 0, false)
}

// hasSubresource reports whether the version has the subresource.
func (r *request) hasSubresource() bool {
	switch r.subresource {
	case "":
		return true
	case "status":
		return r.model.HasStatus
	case scaleName:
		return r.model.Scale != nil
	}
	return r.builtin != nil && r.builtin.Resource.Has(r.subresource)
}

// warn adds warnings to the answer, each text once.
func (r *request) warn(texts ...string) {
	known := make(map[string]bool, len(r.warned)+len(texts))
	for _, text := range r.warned {
		known[text] = true
	}
	for _, text := range texts {
		if text != "" && !known[text] {
			known[text] = true
			r.warned = append(r.warned, text)
		}
	}
}

// refuse answers with an error, in YAML, CBOR or protobuf if the client accepts
// that.
func (r *request) refuse(w http.ResponseWriter, err error) {
	status := statusOf(err)
	r.refused = true
	r.warnings(w)
	f, none := r.accepts()
	if none != nil {
		f = form{media: runtime.ContentTypeJSON}
	}
	text, err := r.encode(status, f)
	if err != nil {
		writeJSON(w, int(status.Code), status)
		return
	}
	w.Header().Set("Content-Type", f.media)
	w.WriteHeader(int(status.Code))
	_, _ = w.Write(text) // the client has gone
}

// statusOf returns the Status of an error.
func statusOf(err error) *metav1.Status {
	var refusal apierrors.APIStatus
	if !errors.As(statusError(err), &refusal) {
		refusal = apierrors.NewInternalError(err)
	}
	status := refusal.Status()
	status.Kind, status.APIVersion = "Status", "v1"
	return &status
}

// The server's limits for warnings, in runes. Above the first, each warning is
// cut to the second; warnings after the first is reached again are dropped.
const (
	maxWarnings = 4096
	maxWarning  = 256
)

// warnings sends the warnings as headers.
func (r *request) warnings(w http.ResponseWriter) {
	for _, text := range fitting(r.warned) {
		if header, err := utilnet.NewWarningHeader(299, "-", text); err == nil {
			w.Header().Add("Warning", header)
		}
	}
}

// fitting returns the warnings that the server sends. Above the limit it cuts
// all of them, and adds others until it has reached the limit again.
func fitting(all []string) []string {
	size := 0
	exceeds := slices.IndexFunc(all, func(text string) bool {
		size += utf8.RuneCountInString(text)
		return size > maxWarnings
	})
	if exceeds < 0 {
		return all
	}
	var out []string
	size = 0
	for i, text := range all {
		if i > exceeds && size >= maxWarnings {
			break
		}
		runes := []rune(text)
		runes = runes[:min(len(runes), maxWarning)]
		size += len(runes)
		out = append(out, string(runes))
	}
	return out
}

// media returns the media type of the body.
func (r *request) media() string {
	header := r.http.Header.Get("Content-Type")
	if media, _, err := mime.ParseMediaType(header); err == nil {
		return media
	}
	return header
}
