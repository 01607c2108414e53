package fake

import (
	"errors"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

// refuse fails if a client has what requests for the server's kinds would not
// meet.
func (s *Server) refuse(base client.WithWatch) error {
	if reflect.TypeOf(base) == reflect.TypeOf(interceptor.NewClient(nil, interceptor.Funcs{})) {
		return errors.New("the client has an interceptor, which requests for the server's " +
			"kinds would not reach: wrap the client that Client returns in " +
			"interceptor.NewClient instead of using WithInterceptorFuncs")
	}
	indexed, withStatus := kindsIn(base, "indexes"), kindsIn(base, "withStatusSubresource")
	for _, kind := range s.Served() {
		if indexed[kind] {
			return fmt.Errorf("the client has an index of %s, which lists of the server would "+
				"not use: register it with Client.IndexField instead of WithIndex", kind.Kind)
		}
		if withStatus[kind] && !s.hasStatus[kind] {
			return fmt.Errorf("the client has a status subresource of %s, which its definition "+
				"lacks: the server answers as the definition says", kind)
		}
	}
	return nil
}

// kindsIn returns the keys of a map that a fake client keeps by kind. Its
// fields have no accessors. The result is empty for other clients.
func kindsIn(c client.WithWatch, field string) map[schema.GroupVersionKind]bool {
	found := map[schema.GroupVersionKind]bool{}
	v := reflect.Indirect(reflect.ValueOf(c))
	if v.Kind() != reflect.Struct {
		return found
	}
	byKind := v.FieldByName(field)
	if byKind.Kind() != reflect.Map ||
		byKind.Type().Key() != reflect.TypeFor[schema.GroupVersionKind]() {
		return found
	}
	for _, key := range byKind.MapKeys() {
		found[schema.GroupVersionKind{
			Group:   key.FieldByName("Group").String(),
			Version: key.FieldByName("Version").String(),
			Kind:    key.FieldByName("Kind").String(),
		}] = true
	}
	return found
}
