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
