package protocol

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/crdsem/crdsem/internal/kit/lru"
)

// MaxDefined is the number of bytes of the definitions that a [Session] keeps
// under names. Beyond it, those that were not used for the longest time are
// forgotten.
const MaxDefined = 64 << 20

// Session answers the requests of one conversation. It keeps the definitions
// that requests with [OpDefine] name, and puts them in the place of references
// to them. A Session is safe for concurrent use.
type Session struct {
	handler Handler
	defined *lru.Cache[string, Input]
}

// NewSession returns a session without definitions. The handler answers every
// op except [OpDefine].
func NewSession(handler Handler) *Session {
	return &Session{handler, lru.New[string, Input](MaxDefined)}
}

// Answer answers one request line. It never returns nil. The line must not be
// changed afterwards.
func (s *Session) Answer(ctx context.Context, line []byte) *Answer {
	return s.read(line)(ctx)
}

// read reads a request line, keeps the definition that it names, and follows
// its reference. The function that it returns does the rest, and does not
// depend on other requests.
func (s *Session) read(line []byte) func(context.Context) *Answer {
	req, err := ParseRequest(line)
	if err == nil {
		err = s.resolve(req)
	}
	switch {
	case err != nil:
		return always(&Answer{ID: req.ID, Fault: err.Error()})
	case req.Op == OpDefine:
		crd := req.CRD.decoded()
		s.defined.Add(req.Name, crd, crd.Size())
		return always(&Answer{ID: req.ID, Result: Defined{req.Name}})
	}
	return func(ctx context.Context) *Answer { return AnswerRequest(ctx, req, s.handler) }
}

func always(answer *Answer) func(context.Context) *Answer {
	return func(context.Context) *Answer { return answer }
}

// resolve replaces a reference by the definition that it names.
func (s *Session) resolve(req *Request) error {
	name, ok := req.CRD.reference()
	switch {
	case !ok:
		return nil
	case req.Op == OpDefine:
		return errors.New("a definition cannot be a reference")
	}
	definition, ok := s.defined.Get(name)
	if !ok {
		return fmt.Errorf("no definition %q; it was not defined, or it is forgotten", name)
	}
	req.CRD = definition
	return nil
}

// maxReference bounds the length of a reference. A longer document is a
// definition.
const maxReference = 4 << 10

// reference returns the name in a reference, e.g. {"$ref":"crontabs"}.
func (in Input) reference() (name string, ok bool) {
	if in.IsText() || in.Size() > maxReference {
		return "", false
	}
	members, err := membersOf(in.written)
	raw := members["$ref"]
	if err != nil || len(members) != 1 || raw.Kind() != '"' {
		return "", false
	}
	ok = unmarshal(raw, &name)
	return name, ok
}

// dependsOnOrder reports whether a line, or an input in it, may define or refer
// to a definition, so that lines before and after it matter. It is false for no
// line that does.
func dependsOnOrder(line []byte) bool {
	for _, part := range [...]string{OpDefine, "$ref", `\u`} {
		if bytes.Contains(line, []byte(part)) {
			return true
		}
	}
	return false
}
