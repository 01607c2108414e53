package manifest

import (
	"cmp"
	"iter"
	"slices"
	"sync"
)

// Kinds holds a value for each of some kinds, e.g. its definition. The zero
// value is empty and ready to use. It is safe for concurrent use; reading takes
// no lock.
type Kinds[T any] struct {
	writing sync.Mutex
	byKind  sync.Map // of *named[T], by GroupKind
	byName  sync.Map // of *named[T], by resource
}

// named is a value with its names.
type named[T any] struct {
	names Names
	value T
}

// resource is the plural name of a kind in its group.
type resource struct{ group, plural string }

func (n *Names) resource() resource { return resource{n.Group, n.Plural} }

// Add adds a value. It replaces those of the same kind or plural name, and
// returns them. A value with an empty plural name is found by its kind only.
func (k *Kinds[T]) Add(names Names, value T) (replaced []T) {
	k.writing.Lock()
	defer k.writing.Unlock()
	added := &named[T]{names, value}
	if before, ok := k.byKind.Swap(names.GroupKind, added); ok {
		before := before.(*named[T])
		replaced = append(replaced, before.value)
		if before.names.Plural != names.Plural {
			k.byName.CompareAndDelete(before.names.resource(), before)
		}
	}
	if names.Plural == "" {
		return replaced
	}
	if before, ok := k.byName.Swap(names.resource(), added); ok {
		if before := before.(*named[T]); before.names.Kind != names.Kind {
			replaced = append(replaced, before.value)
			k.byKind.CompareAndDelete(before.names.GroupKind, before)
		}
	}
	return replaced
}

// Remove removes the value of a kind. It reports whether there was one.
func (k *Kinds[T]) Remove(of GroupKind) bool {
	k.writing.Lock()
	defer k.writing.Unlock()
	found, ok := k.byKind.LoadAndDelete(of)
	if ok {
		names := found.(*named[T]).names
		k.byName.CompareAndDelete(names.resource(), found)
	}
	return ok
}

// Kind returns the value of a kind. ok reports whether there is one.
func (k *Kinds[T]) Kind(of GroupKind) (value T, ok bool) { return valueOf[T](k.byKind.Load(of)) }

// Resource returns the value of a plural name, e.g. crontabs. ok reports
// whether there is one.
func (k *Kinds[T]) Resource(group, plural string) (value T, ok bool) {
	return valueOf[T](k.byName.Load(resource{group, plural}))
}

func valueOf[T any](found any, ok bool) (value T, known bool) {
	if ok {
		value = found.(*named[T]).value
	}
	return value, ok
}

// All yields the values with their names, in the order of groups and kinds.
func (k *Kinds[T]) All() iter.Seq2[Names, T] {
	return func(yield func(Names, T) bool) {
		var all []*named[T]
		k.byKind.Range(func(_, found any) bool {
			all = append(all, found.(*named[T]))
			return true
		})
		slices.SortFunc(all, func(a, b *named[T]) int {
			return cmp.Or(cmp.Compare(a.names.Group, b.names.Group),
				cmp.Compare(a.names.Kind, b.names.Kind))
		})
		for _, n := range all {
			if !yield(n.names, n.value) {
				return
			}
		}
	}
}
