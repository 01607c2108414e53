package webhook

import (
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/crdsem/crdsem/conversion"
)

// Handler returns an http.Handler that serves a webhook, e.g. a
// [conversion.Functions]. It takes POST requests with a JSON review of at most
// DefaultMaxBytes. Other requests get a 4xx answer with the reason as text.
func Handler(hook conversion.Webhook) http.Handler {
	return handler{hook}
}

type handler struct{ hook conversion.Webhook }

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
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, DefaultMaxBytes))
	if err != nil {
		http.Error(w, err.Error(), readStatus(err))
		return
	}
	answer, err := h.hook.Call(r.Context(), text)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", jsonType)
	// A failed write means that the client closed the connection.
	_, _ = w.Write(answer)
}

func readStatus(err error) int {
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}
