package webhook

import (
	"net/http"
	"time"

	"github.com/crdsem/crdsem/conversion"
)

// HandlerWithin is Handler with another time limit.
func HandlerWithin(hook conversion.Webhook, timeout time.Duration) http.Handler {
	return handler{hook, timeout}
}

// RetryAfter is what an answer with a status and a header asks for.
func RetryAfter(code int, after string) (time.Duration, bool) {
	a := answer{code: code, header: http.Header{"Retry-After": {after}}}
	return a.retryAfter()
}
