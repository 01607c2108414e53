package fake

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

// Lenient lets tests that were written for controller-runtime's fake client do
// what is harmless, because no controller does it in a cluster:
//
//   - An object or key of a namespaced kind without a namespace means the
//     namespace default. An apply configuration of a generated type must have
//     its namespace.
//   - Objects are returned without managedFields.
//   - A watch without a resourceVersion sees no objects that exist.
func Lenient() Option { return optionFunc(func(s *settings) { s.isLenient = true }) }

// lenientFuncs returns the functions of an interceptor around the server's
// client.
func lenientFuncs() interceptor.Funcs {
	funcs := lenientWrites()
	funcs.Get = func(ctx context.Context, c client.WithWatch, key client.ObjectKey,
		object client.Object, options ...client.GetOption) error {
		if key.Namespace == "" { // which the client drops for other kinds
			key.Namespace = metav1.NamespaceDefault
		}
		return hiding(object, c.Get(ctx, key, object, options...))
	}
	funcs.List = func(ctx context.Context, c client.WithWatch, list client.ObjectList,
		options ...client.ListOption) error {
		if err := c.List(ctx, list, options...); err != nil {
			return err
		}
		return meta.EachListItem(list, func(item runtime.Object) error {
			return hiding(item, nil)
		})
	}
	funcs.Watch = func(ctx context.Context, c client.WithWatch, list client.ObjectList,
		options ...client.ListOption) (watch.Interface, error) {
		given := (&client.ListOptions{}).ApplyOptions(options)
		if given.Raw == nil {
			given.Raw = &metav1.ListOptions{}
		}
		if given.Raw.ResourceVersion == "" {
			now, _ := list.DeepCopyObject().(client.ObjectList)
			if err := c.List(ctx, now, options...); err != nil {
				return nil, err
			}
			given.Raw.ResourceVersion = now.GetResourceVersion()
		}
		return c.Watch(ctx, list, given)
	}
	return funcs
}

// lenientWrites returns the functions for requests that have an object.
func lenientWrites() interceptor.Funcs {
	return interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, object client.Object,
			options ...client.CreateOption) error {
			return hiding(object, c.Create(ctx, placed(c, object), options...))
		},
		Delete: func(ctx context.Context, c client.WithWatch, object client.Object,
			options ...client.DeleteOption) error {
			return c.Delete(ctx, placed(c, object), options...)
		},
		Update: func(ctx context.Context, c client.WithWatch, object client.Object,
			options ...client.UpdateOption) error {
			return hiding(object, c.Update(ctx, placed(c, object), options...))
		},
		Patch: func(ctx context.Context, c client.WithWatch, object client.Object,
			patch client.Patch, options ...client.PatchOption) error {
			return hiding(object, c.Patch(ctx, placed(c, object), patch, options...))
		},
		Apply: func(ctx context.Context, c client.WithWatch, config runtime.ApplyConfiguration,
			options ...client.ApplyOption) error {
			if object, ok := config.(client.Object); ok {
				placed(c, object)
				return hiding(object, c.Apply(ctx, config, options...))
			}
			return c.Apply(ctx, config, options...)
		},
		SubResourceGet: func(ctx context.Context, c client.Client, name string,
			object, sub client.Object, options ...client.SubResourceGetOption) error {
			return c.SubResource(name).Get(ctx, placed(c, object), sub, options...)
		},
		SubResourceUpdate: func(ctx context.Context, c client.Client, name string,
			object client.Object, options ...client.SubResourceUpdateOption) error {
			return hiding(object, c.SubResource(name).Update(ctx, placed(c, object), options...))
		},
		SubResourcePatch: func(ctx context.Context, c client.Client, name string,
			object client.Object, patch client.Patch,
			options ...client.SubResourcePatchOption) error {
			return hiding(object,
				c.SubResource(name).Patch(ctx, placed(c, object), patch, options...))
		},
	}
}

// isNamespaced reports whether an object's kind is namespaced. The request of
// an unknown kind fails.
func isNamespaced(c client.Client, object runtime.Object) bool {
	is, _ := c.IsObjectNamespaced(object)
	return is
}

// placed gives an object of a namespaced kind the namespace default if it has
// none, and returns it.
func placed(c client.Client, object client.Object) client.Object {
	if object.GetNamespace() == "" && isNamespaced(c, object) {
		object.SetNamespace(metav1.NamespaceDefault)
	}
	return object
}

// hiding removes the managedFields of an object and returns an error as it is.
func hiding(object runtime.Object, err error) error {
	if fields, ok := object.(metav1.Object); ok {
		fields.SetManagedFields(nil)
	}
	return err
}
