package server

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// The life of a request: it is answered before its deadline, whatever the
// client, a webhook or another request does. Watches have no deadline.

// deadlines are how long requests and connections take at most.
type deadlines struct {
	write, read time.Duration
	// body is how long the server waits for a body that it does not need.
	body time.Duration
	// header is how long a TLS handshake or a header takes, and idle how long a
	// connection lasts without a request.
	header, idle time.Duration
}

// serverDeadlines are those of the server: requestTimeoutUpperBound of
// k8s.io/apiserver/pkg/endpoints/handlers, its flag --request-timeout, and its
// http.Server.
var serverDeadlines = deadlines{
	write: 34 * time.Second, read: time.Minute, body: time.Second,
	header: 32 * time.Second, idle: 90 * time.Second,
}

// timeout returns how long a request may take. A client can ask for less.
func (d deadlines) timeout(r *http.Request) (time.Duration, error) {
	most := d.write
	if isRead(r) {
		most = d.read
	}
	text := r.URL.Query().Get("timeout")
	if text == "" {
		return most, nil
	}
	asked, err := time.ParseDuration(text)
	if err != nil {
		return 0, apierrors.NewBadRequest(
			fmt.Sprintf("invalid timeout specified in the request URL - %v", err))
	}
	if asked <= 0 {
		return most, nil
	}
	return min(asked, most), nil
}

func isRead(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}

// late is the answer to a request that did not end before its deadline.
func (r *request) late() error {
	if isRead(r.http) {
		return apierrors.NewTimeoutError("request did not complete within the allotted timeout", 0)
	}
	return apierrors.NewTimeoutError(
		"request did not complete within requested timeout - context deadline exceeded", 0)
}

// errChanged is the error of a write whose object has changed since it was
// read.
var errChanged = errors.New("the object has changed")

// errGone is the error of a request whose kind is no longer served.
var errGone = errors.New("the kind is no longer served")

// settled does a request before its deadline. A write whose object changes
// meanwhile is done over, by the kind as it is served then.
func (r *request) settled() (*answer, error) {
	for {
		try := *r
		try.warned = append([]string{}, r.warned...)
		out, err := try.serveIn(r.server.cluster)
		if err == errChanged {
			if err = r.again(); err == nil {
				continue
			}
		}
		if err != nil && errors.Is(r.ctx.Err(), context.DeadlineExceeded) {
			err = r.late()
		}
		*r = try
		return out, err
	}
}

// endedPause is how long a write waits for the successor of a definition that
// has just been deleted.
const endedPause = time.Millisecond

// again makes a request ready to be done over. It fails if its context has
// ended, or with errGone.
func (r *request) again() error {
	if r.objects.Ended() {
		select {
		case <-r.ctx.Done():
		case <-time.After(endedPause):
		}
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	now, ok := r.server.route(r.http)
	if !ok {
		return errGone
	}
	r.version, r.warned = now.version, now.warned
	return nil
}

// limitBody makes reads of a body end at a time. The server itself reads the
// rest of a body that no handler wants, and closes the connection of one that
// is late.
func limitBody(w http.ResponseWriter, r *http.Request, at time.Time) {
	if r.Body != nil && r.Body != http.NoBody {
		// fails for a client in this process
		_ = http.NewResponseController(w).SetReadDeadline(at)
	}
}

// isLate reports whether a body did not come in time.
func isLate(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }

// recovered answers a request whose handler panics, and logs why.
func recovered(w http.ResponseWriter, r *http.Request) {
	reason := recover()
	if reason == nil {
		return
	}
	if reason == http.ErrAbortHandler {
		panic(reason) //nolint:forbidigo // net/http ends the connection by it
	}
	log.Printf("crdsem: panic at %s %s: %v\n%s", r.Method, r.URL.Path, reason, debug.Stack())
	http.Error(w, "This request caused apiserver to panic. Look in the logs for details.",
		http.StatusInternalServerError)
}
