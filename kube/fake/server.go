package fake

import (
	"github.com/crdsem/crdsem/kube"
	"github.com/crdsem/crdsem/kube/server"
)

// Server is an API server for custom resources in memory. It comes from
// [NewServer] and is safe for concurrent use.
type Server struct{ *server.Handler }

// NewServer returns a server for the kinds of some definitions. Of two of the
// same resource or kind the later one counts. It fails if a version cannot be
// compiled. A server without definitions serves nothing.
func NewServer(definitions ...*kube.Definition) (*Server, error) {
	handler, err := server.NewHandler(definitions...)
	if err != nil {
		return nil, err
	}
	return &Server{handler}, nil
}
