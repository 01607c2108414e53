package server

import (
	"errors"
	"net/http"

	"github.com/crdsem/crdsem"
)

// content is the body of a create or an update. It is decoded once, and the
// library is asked about the object as often as it has to be.
type content struct {
	format crdsem.Encoding
	object map[string]any // nil if the text is no object
	clean  bool           // whether a strict decoder accepts the text
}

// object returns the decoded body, nil if it is no object. The language is that
// of the content type.
func (r *request) object() map[string]any { return r.parse().object }

// parse decodes the body if that is not done yet.
func (r *request) parse() *content {
	b := r.content
	if b.format == "" {
		b.format, _ = r.format() // a request in another language is refused before
		object, strict, err := b.format.Decode(r.body)
		b.object, b.clean = object, err == nil && len(strict) == 0
	}
	return b
}

// do asks the library about a create or an update. What it says about the text
// of a body, and not about the object, it says of the text alone.
func (r *request) do(q crdsem.Request, options []crdsem.Option) *crdsem.Result {
	b := r.parse()
	if b.clean {
		q.Object = b.object
		result := r.api.Do(r.ctx, q.With(options...))
		refused, ok := errors.AsType[*crdsem.StatusError](result.Err())
		if !ok || refused.Code != http.StatusBadRequest {
			return result
		}
	}
	q.Object, q.Body = nil, r.body
	return r.api.Do(r.ctx, q.With(append(options, crdsem.Format(b.format))...))
}
