package webhook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"time"

	"github.com/crdsem/crdsem/conversion"
)

// Handler returns an http.Handler that serves a webhook, e.g. a
// [conversion.Functions]. It takes POST requests with a JSON review of at most
// DefaultMaxBytes. Other requests get a 4xx answer with the reason as text. A
// panic of the webhook is answered with 500 and its value as text.
//
// A request must be sent within DefaultTimeout, and its answer be taken within
// DefaultTimeout, as far as the http.Server supports deadlines. The headers are
// read before the handler starts: set ReadHeaderTimeout of the server. The time
// of the webhook itself is limited by the context of the request only.
func Handler(hook conversion.Webhook) http.Handler {
	return handler{hook, DefaultTimeout}
}

type handler struct {
	hook    conversion.Webhook
	timeout time.Duration // of reading and of writing
}

// ServeHTTP answers one review.
func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "send a ConversionReview with POST", http.StatusMethodNotAllowed)
		return
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != jsonType {
		http.Error(w, "send a ConversionReview as "+jsonType, http.StatusUnsupportedMediaType)
		return
	}
	text, err := h.read(w, r)
	if err != nil {
		http.Error(w, err.Error(), readStatus(err))
		return
	}
	answer, status, err := h.call(r.Context(), text)
	// A writer without deadlines returns an error.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(h.timeout))
	if err != nil {
		http.Error(w, err.Error(), status)
		return
	}
	w.Header().Set("Content-Type", jsonType)
	// A failed write means that the client closed the connection.
	_, _ = w.Write(answer)
}

// read reads the body within the timeout. Afterwards there is no deadline,
// because one that passes would end the context of the request.
func (h handler) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	controller := http.NewResponseController(w)
	// A writer without deadlines returns an error.
	_ = controller.SetReadDeadline(time.Now().Add(h.timeout))
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, DefaultMaxBytes))
	if err == nil {
		_ = controller.SetReadDeadline(time.Time{})
	}
	return text, err
}

// call calls the webhook. The status is that of an error.
func (h handler) call(ctx context.Context, text []byte) (answer []byte, status int, err error) {
	defer func() {
		if value := recover(); value != nil {
			status = http.StatusInternalServerError
			err = fmt.Errorf("the conversion panicked: %v", value)
		}
	}()
	answer, err = h.hook.Call(ctx, text)
	return answer, http.StatusBadRequest, err
}

func readStatus(err error) int {
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return http.StatusRequestEntityTooLarge
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return http.StatusRequestTimeout
	}
	return http.StatusBadRequest
}
