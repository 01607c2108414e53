package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"golang.org/x/net/http2"
)

// The media types of bodies.
const (
	mediaJSON = "application/json"
	mediaYAML = "application/yaml"
	// that of answers
	mediaProtobuf = "application/vnd.kubernetes.protobuf"
)

// exchange is one request and the server's answer, as sent over the network.
type exchange struct {
	Method   string   `json:"method"`
	Path     string   `json:"path"` // with the query
	Media    string   `json:"media,omitempty"`
	Body     string   `json:"body,omitempty"`
	Status   int      `json:"status"`             // 0: the server panicked, and broke the stream off
	Warnings []string `json:"warnings,omitempty"` // the texts of the Warning headers, in order
	Type     string   `json:"type,omitempty"`     // the media type of the answer
	Response string   `json:"response"`
}

// do sends one request and waits for its answer.
func (s *apiServer) do(method, path, media string, body []byte) (*exchange, error) {
	return s.doAs(mediaJSON, &exchange{
		Method: method, Path: path, Media: media, Body: string(body),
	})
}

// doAs sends a request that accepts an answer in a media type. It returns the
// request with the answer.
func (s *apiServer) doAs(accept string, x *exchange) (*exchange, error) {
	method, path, media, body := x.Method, x.Path, x.Media, []byte(x.Body)
	request, err := http.NewRequest(method, s.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accept)
	if media != "" {
		request.Header.Set("Content-Type", media)
	}
	response, err := s.client.Do(request)
	if err != nil {
		if broken := (http2.StreamError{}); errors.As(err, &broken) &&
			broken.Code == http2.ErrCodeInternal {
			return x, nil
		}
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	x.Status, x.Response = response.StatusCode, string(text)
	x.Type = response.Header.Get("Content-Type")
	for _, header := range response.Header.Values("Warning") {
		warning, err := warningText(header)
		if err != nil {
			return nil, err
		}
		x.Warnings = append(x.Warnings, warning)
	}
	return x, nil
}

// warningText extracts the text of a Warning header: a code, an agent, and the
// text as a quoted string (RFC 7234, 5.5).
func warningText(header string) (string, error) {
	quoted, ok := strings.CutPrefix(header, "299 - \"")
	if !ok || !strings.HasSuffix(quoted, `"`) {
		return "", fmt.Errorf("unexpected Warning header %q", header)
	}
	var text strings.Builder
	for quoted = strings.TrimSuffix(quoted, `"`); quoted != ""; quoted = quoted[1:] {
		if quoted[0] == '\\' && len(quoted) > 1 {
			quoted = quoted[1:]
		}
		text.WriteByte(quoted[0])
	}
	return text.String(), nil
}

// object decodes the answer's body.
func (x *exchange) object() (map[string]any, error) {
	value, err := decodeJSON([]byte(x.Response))
	if err != nil {
		return nil, fmt.Errorf("the answer to %s %s: %w", x.Method, x.Path, err)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the answer to %s %s is not an object", x.Method, x.Path)
	}
	return object, nil
}

// decodeJSON decodes a document and keeps the spelling of numbers.
func decodeJSON(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return value, nil
}
