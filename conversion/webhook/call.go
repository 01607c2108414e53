package webhook

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/crdsem/crdsem/internal/belowfacade/conversionreview"
)

const (
	// maxRetries is the number of retries after answers with Retry-After.
	maxRetries = 10
	// maxErrorText is the number of bytes of a textual answer that an error
	// shows.
	maxErrorText = 2048

	jsonType = "application/json"
)

// Call posts a review and returns the body of a successful answer. Errors have
// the server's texts (CONV-026). If the webhook answers with Retry-After, Call
// posts the review again, within the timeout. The body of an answer is read to
// its end within the timeout. Of a failed answer a Status in YAML is decoded up
// to a length of 1 MiB.
func (c *Client) Call(ctx context.Context, text []byte) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, c.choices.timeout)
	defer cancel()
	// The first request ends by the client's timeout, as its error says. The
	// time of all ends the others.
	for attempt, by := 0, ctx; ; attempt, by = attempt+1, limited {
		a, err := c.post(by, text)
		if err != nil {
			return nil, err
		}
		wait, again := a.retryAfter()
		if !again || attempt == maxRetries {
			return a.result()
		}
		select {
		case <-time.After(wait):
		case <-limited.Done():
			return nil, limited.Err()
		}
	}
}

// answer is an HTTP answer that has been read.
type answer struct {
	code   int
	header http.Header
	body   []byte
}

func (c *Client) post(ctx context.Context, text []byte) (*answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", jsonType)
	request.Header.Set("Accept", jsonType+", */*")
	request.Header.Set("User-Agent", "crdsem")
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, c.choices.maxBytes+1))
	if err != nil {
		const text = "unexpected error when reading response body. Please retry. Original error: %w"
		return nil, fmt.Errorf(text, err)
	}
	if int64(len(body)) > c.choices.maxBytes {
		return nil, fmt.Errorf("the response is longer than %d bytes", c.choices.maxBytes)
	}
	return &answer{response.StatusCode, response.Header, body}, nil
}

// retryAfter reports whether the webhook asks for a retry, and after how long.
func (a *answer) retryAfter() (time.Duration, bool) {
	if a.code != http.StatusTooManyRequests && a.code < http.StatusInternalServerError {
		return 0, false
	}
	seconds, err := strconv.Atoi(a.header.Get("Retry-After"))
	return time.Duration(seconds) * time.Second, err == nil
}

// result returns the body of a successful answer, or the error of a failed one.
func (a *answer) result() ([]byte, error) {
	contentType := a.header.Get("Content-Type")
	isText := contentType == ""
	if contentType == "" {
		contentType = jsonType
	} else {
		media, _, err := mime.ParseMediaType(contentType)
		if err != nil {
			//lint:ignore ST1005 the text is the server's
			return nil, fmt.Errorf("Internal error occurred: %w", err)
		}
		isText = strings.HasPrefix(media, "text/")
	}
	if a.code > http.StatusPartialContent {
		message := "unknown"
		if isText {
			message = strings.TrimSpace(string(a.body[:min(len(a.body), maxErrorText)]))
		}
		return nil, a.failure(message)
	}
	if len(a.body) == 0 {
		return nil, fmt.Errorf("0-length response with status code: %d and content type: %s",
			a.code, contentType)
	}
	return a.body, nil
}

// failure returns the message of the Status in the body. Without a Status, it
// makes one from the HTTP status and message, the text of the body.
func (a *answer) failure(message string) error {
	if status, ok := conversionreview.DecodeStatus(a.body); ok {
		return statusError(status.Message)
	}
	return statusError(failureText(a.code, message))
}

// statusError is an error with a text, which may be empty.
type statusError string

// Error returns the text.
func (e statusError) Error() string { return string(e) }

// failureText returns the server's message for an HTTP status.
func failureText(code int, message string) string {
	switch code {
	case http.StatusForbidden, http.StatusUnsupportedMediaType:
		return message
	case http.StatusNotAcceptable:
		if message != "" && message != "unknown" {
			return message
		}
	}
	if text, known := failureTexts[code]; known {
		return text
	}
	if code >= http.StatusInternalServerError {
		const text = "an error on the server (%q) has prevented the request from succeeding"
		return fmt.Sprintf(text, message)
	}
	const text = "the server responded with the status code %d but did not return more information"
	return fmt.Sprintf(text, code)
}

// failureTexts are the server's messages for HTTP statuses that have one of
// their own.
var failureTexts = map[int]string{
	http.StatusConflict:     "the server reported a conflict",
	http.StatusNotFound:     "the server could not find the requested resource",
	http.StatusBadRequest:   "the server rejected our request for an unknown reason",
	http.StatusUnauthorized: "the server has asked for the client to provide credentials",
	http.StatusNotAcceptable: "the server was unable to respond with a content type that " +
		"the client supports",
	http.StatusMethodNotAllowed: "the server does not allow this method on the requested " +
		"resource",
	http.StatusUnprocessableEntity: "the server rejected our request due to an error in our " +
		"request",
	http.StatusServiceUnavailable: "the server is currently unable to handle the request",
	http.StatusGatewayTimeout: "the server was unable to return a response in the time allotted, " +
		"but may still be processing the request",
	http.StatusTooManyRequests: "the server has received too many requests and has asked us " +
		"to try again later",
}
