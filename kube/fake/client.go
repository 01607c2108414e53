package fake

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

// Option is an option of [Server.Client].
type Option interface{ set(*settings) }

type optionFunc func(*settings)

func (f optionFunc) set(s *settings) { f(s) }

// settings are what the options say. The zero value is strict.
type settings struct{ isLenient bool }

// Client returns a client that sends requests for the server's kinds to the
// server, with the code of controller-runtime's real client, and all others to
// base, usually controller-runtime's fake client. The scheme is that of base.
//
// Objects of the server's kinds that base holds are moved to the server, as
// objects that were stored before; they are not validated. Client fails if one
// of them cannot be read or lacks its namespace.
//
// Client also fails if base has what requests for the server's kinds would not
// meet: functions of an interceptor, indexes of these kinds, and status
// subresources that their definitions lack. Put an interceptor around the
// returned client: interceptor.NewClient(c, funcs). Give indexes to
// [Client.IndexField].
//
// Warnings go to handler, e.g. of a test that expects one; nil writes them to
// the log as other clients do.
func (s *Server) Client(
	base client.WithWatch, handler rest.WarningHandlerWithContext, options ...Option,
) (*Client, error) {
	var set settings
	for _, option := range options {
		if option != nil {
			option.set(&set)
		}
	}
	if err := s.refuse(base); err != nil {
		return nil, err
	}
	if err := s.adopt(base, &set); err != nil {
		return nil, err
	}
	mapper := s.Mapper()
	config := s.Config()
	config.WarningHandlerWithContext = handler
	own, err := client.NewWithWatch(config, client.Options{
		Scheme: base.Scheme(), Mapper: mapper,
	})
	if err != nil {
		return nil, fmt.Errorf("the client of the server: %w", err)
	}
	if set.isLenient {
		own = interceptor.NewClient(own, lenientFuncs())
	}
	route := &router{own: own, served: map[schema.GroupKind]bool{}}
	for _, kind := range s.Served() {
		route.served[kind.GroupKind()] = true
	}
	return &Client{
		WithWatch: interceptor.NewClient(base, route.funcs()),
		base:      base,
		mapper: meta.FirstHitRESTMapper{
			MultiRESTMapper: meta.MultiRESTMapper{mapper, base.RESTMapper()},
		},
		router: route,
	}, nil
}

// adopt moves the objects of the server's kinds from a client to the server.
func (s *Server) adopt(from client.WithWatch, set *settings) error {
	for _, kind := range s.Served() {
		mapping, err := s.Mapper().RESTMapping(kind.GroupKind(), kind.Version)
		if err != nil {
			return err
		}
		list := &unstructured.UnstructuredList{}
		kind.Kind += "List"
		list.SetGroupVersionKind(kind)
		if err := from.List(context.Background(), list); err != nil {
			continue // no objects of a kind that the client does not know
		}
		for i := range list.Items {
			item := &list.Items[i]
			if mapping.Scope == meta.RESTScopeNamespace && item.GetNamespace() == "" {
				if !set.isLenient {
					return fmt.Errorf("the %s %q of the client has no namespace",
						item.GetKind(), item.GetName())
				}
				item.SetNamespace(metav1.NamespaceDefault)
			}
			if err := s.Put(item); err != nil {
				return err
			}
		}
	}
	return nil
}

// Client is the client of a test. It is a [client.FieldIndexer], too.
type Client struct {
	client.WithWatch
	base   client.WithWatch
	mapper meta.RESTMapper
	router *router
}

// RESTMapper implements client.Client. It knows the server's kinds.
func (c *Client) RESTMapper() meta.RESTMapper { return c.mapper }

// IsObjectNamespaced implements client.Client.
func (c *Client) IsObjectNamespaced(object runtime.Object) (bool, error) {
	return c.router.client(c.base, object).IsObjectNamespaced(object)
}

// Unwrap returns the client that requests for other kinds go to.
func (c *Client) Unwrap() client.WithWatch { return c.base }

// router chooses the client for a request.
type router struct {
	own     client.WithWatch
	served  map[schema.GroupKind]bool
	indexes indexes
}

// client returns the client for an object or a list of objects.
func (r *router) client(base client.Client, object runtime.Object) client.Client {
	if r.has(base, object) {
		return r.own
	}
	return base // which returns the error of an object without a kind
}

// has reports whether the server has the kind of an object or a list.
func (r *router) has(base client.Client, object runtime.Object) bool {
	kind, err := base.GroupVersionKindFor(object)
	return err == nil && r.serves(kind.GroupKind())
}

// serves reports whether the server has a kind, or that of a list's items.
func (r *router) serves(kind schema.GroupKind) bool {
	return r.served[kind] ||
		r.served[schema.GroupKind{Group: kind.Group, Kind: itemKind(kind.Kind)}]
}

// itemKind returns the kind of a list's items.
func itemKind(kind string) string { return strings.TrimSuffix(kind, "List") }

// applied returns the client for an apply configuration.
func (r *router) applied(base client.Client, config runtime.ApplyConfiguration) client.Client {
	// One that cannot be read has no kind, and goes to the base, too.
	var head struct{ APIVersion, Kind string }
	text, _ := json.Marshal(config)
	_ = json.Unmarshal(text, &head)
	gv, _ := schema.ParseGroupVersion(head.APIVersion)
	if r.serves(schema.GroupKind{Group: gv.Group, Kind: head.Kind}) {
		return r.own
	}
	return base
}

// funcs returns the functions of an interceptor that pass requests on.
func (r *router) funcs() interceptor.Funcs {
	funcs := r.objectFuncs()
	funcs.SubResourceGet = func(ctx context.Context, c client.Client, name string,
		object, sub client.Object, options ...client.SubResourceGetOption) error {
		return r.client(c, object).SubResource(name).Get(ctx, object, sub, options...)
	}
	funcs.SubResourceCreate = func(ctx context.Context, c client.Client, name string,
		object, sub client.Object, options ...client.SubResourceCreateOption) error {
		return r.client(c, object).SubResource(name).Create(ctx, object, sub, options...)
	}
	funcs.SubResourceUpdate = func(ctx context.Context, c client.Client, name string,
		object client.Object, options ...client.SubResourceUpdateOption) error {
		return r.client(c, object).SubResource(name).Update(ctx, object, options...)
	}
	funcs.SubResourcePatch = func(ctx context.Context, c client.Client, name string,
		object client.Object, patch client.Patch,
		options ...client.SubResourcePatchOption) error {
		return r.client(c, object).SubResource(name).Patch(ctx, object, patch, options...)
	}
	funcs.SubResourceApply = func(ctx context.Context, c client.Client, name string,
		config runtime.ApplyConfiguration, options ...client.SubResourceApplyOption) error {
		return r.applied(c, config).SubResource(name).Apply(ctx, config, options...)
	}
	return funcs
}

// objectFuncs returns the functions for whole objects.
func (r *router) objectFuncs() interceptor.Funcs {
	return interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey,
			object client.Object, options ...client.GetOption) error {
			return r.client(c, object).Get(ctx, key, object, options...)
		},
		List: func(ctx context.Context, c client.WithWatch, list client.ObjectList,
			options ...client.ListOption) error {
			if r.has(c, list) {
				return r.list(ctx, list, options)
			}
			return c.List(ctx, list, options...)
		},
		Create: func(ctx context.Context, c client.WithWatch, object client.Object,
			options ...client.CreateOption) error {
			return r.client(c, object).Create(ctx, object, options...)
		},
		Delete: func(ctx context.Context, c client.WithWatch, object client.Object,
			options ...client.DeleteOption) error {
			return r.client(c, object).Delete(ctx, object, options...)
		},
		DeleteAllOf: func(ctx context.Context, c client.WithWatch, object client.Object,
			options ...client.DeleteAllOfOption) error {
			return r.client(c, object).DeleteAllOf(ctx, object, options...)
		},
		Update: func(ctx context.Context, c client.WithWatch, object client.Object,
			options ...client.UpdateOption) error {
			return r.client(c, object).Update(ctx, object, options...)
		},
		Patch: func(ctx context.Context, c client.WithWatch, object client.Object,
			patch client.Patch, options ...client.PatchOption) error {
			return r.client(c, object).Patch(ctx, object, patch, options...)
		},
		Apply: func(ctx context.Context, c client.WithWatch, config runtime.ApplyConfiguration,
			options ...client.ApplyOption) error {
			return r.applied(c, config).Apply(ctx, config, options...)
		},
		Watch: func(ctx context.Context, c client.WithWatch, list client.ObjectList,
			options ...client.ListOption) (watch.Interface, error) {
			if r.has(c, list) {
				return r.own.Watch(ctx, list, options...)
			}
			return c.Watch(ctx, list, options...)
		},
	}
}
