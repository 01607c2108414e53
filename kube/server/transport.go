package server

import (
	"io"
	"net/http"
	"sync"
)

// transport is an http.RoundTripper that calls a handler.
type transport struct{ handler http.Handler }

// RoundTrip calls the handler and returns as soon as it has written the header.
// The handler ends if the body is closed or the request's context ends.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	reader, writer := io.Pipe()
	w := &responseWriter{
		pipe:    writer,
		started: make(chan struct{}),
		response: &http.Response{
			Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{}, Body: reader, Request: r, ContentLength: -1,
		},
	}
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		defer func() { _ = writer.Close() }() // a PipeWriter's Close never fails
		t.handler.ServeHTTP(w, r)
		w.WriteHeader(http.StatusOK)
		if r.Body != nil {
			_ = r.Body.Close() // as a RoundTripper must
		}
	}()
	go func() {
		select {
		case <-r.Context().Done():
			_ = writer.CloseWithError(r.Context().Err())
		case <-stop:
		}
	}()
	select {
	case <-w.started:
		return w.response, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// responseWriter is the http.ResponseWriter of a transport.
type responseWriter struct {
	pipe     *io.PipeWriter
	once     sync.Once
	started  chan struct{}
	response *http.Response
}

// Header implements http.ResponseWriter.
func (w *responseWriter) Header() http.Header { return w.response.Header }

// WriteHeader implements http.ResponseWriter.
func (w *responseWriter) WriteHeader(code int) {
	w.once.Do(func() {
		w.response.StatusCode, w.response.Status = code, http.StatusText(code)
		close(w.started)
	})
}

// Write implements http.ResponseWriter.
func (w *responseWriter) Write(text []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.pipe.Write(text)
}

// Flush implements http.Flusher. Every write is passed on at once.
func (w *responseWriter) Flush() { w.WriteHeader(http.StatusOK) }
