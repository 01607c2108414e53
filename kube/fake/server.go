package fake

import (
	"errors"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kube"
	"github.com/crdsem/crdsem/kube/server"
)

// Server is an API server for custom resources in memory. It comes from
// [NewServer] and is safe for concurrent use.
type Server struct {
	*server.Handler
	hasStatus map[schema.GroupVersionKind]bool
}

// NewServer returns a server for the kinds of some definitions. Of two of the
// same resource or kind the later one counts. It fails if a version cannot be
// compiled. A server without definitions serves nothing.
func NewServer(definitions ...*kube.Definition) (*Server, error) {
	all := make([]*crdsem.Definition, len(definitions))
	for i, d := range definitions {
		if d == nil {
			return nil, errors.New("a definition is nil")
		}
		all[i] = d.Untyped()
	}
	handler, err := server.NewHandler(all...)
	if err != nil {
		return nil, err
	}
	s := &Server{handler, map[schema.GroupVersionKind]bool{}}
	for _, d := range definitions {
		model := d.Untyped().Model()
		for _, v := range model.Versions() {
			s.hasStatus[schema.GroupVersionKind{
				Group: model.Group(), Version: v.Name, Kind: model.Names().Kind,
			}] = v.HasStatus
		}
	}
	return s, nil
}
