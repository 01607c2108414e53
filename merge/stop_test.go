package merge_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crdsem/crdsem/merge"
)

// slow is a field manager whose merges tell that they started, and wait for the
// end of release.
func slow(t *testing.T, started chan<- struct{}, release <-chan struct{}) *merge.FieldManager {
	t.Helper()
	r, err := merge.NewFieldManager("Foo",
		[]merge.Version{{APIVersion: "g.io/v1", Type: fooType(t)}},
		merge.Hooks{Default: func(object map[string]any) (map[string]any, error) {
			started <- struct{}{}
			<-release
			return object, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// largeFoo is an object with so many tags.
func largeFoo(t *testing.T, tags int) object {
	t.Helper()
	list := make([]string, tags)
	for i := range list {
		list[i] = fmt.Sprintf("t%d", i)
	}
	return foo(t, "{tags: ["+strings.Join(list, ", ")+"]}")
}

// A merge of large objects ends with its context, even while the merge library
// works. It does not read the caller's objects after that.
// Nothing is left that waits.
func TestMergeEndsWithItsContext(t *testing.T) { synctest.Test(t, mergeEndsWithItsContext) }

func mergeEndsWithItsContext(t *testing.T) {
	started, release := make(chan struct{}, 1), make(chan struct{})
	r, applied := slow(t, started, release), largeFoo(t, 3000)
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the client is gone")
	failed := make(chan error)
	go func() {
		_, err := r.Apply(ctx, nil, applied, request("m"))
		failed <- err
	}()
	<-started
	cancel(gone)
	if err := <-failed; !errors.Is(err, gone) {
		t.Errorf("Apply: %v", err)
	}
	clear(applied["spec"].(object)) // with -race, a read of it fails
	close(release)
	if _, err := r.Apply(ctx, nil, foo(t, "{}"), request("m")); !errors.Is(err, gone) {
		t.Errorf("Apply of a small object: %v", err)
	}
	if _, err := r.Update(ctx, nil, largeFoo(t, 3000), request("m")); !errors.Is(err, gone) {
		t.Errorf("Update: %v", err)
	}
}

// Large objects have the same outcome with a context that can end as with one
// that cannot, panics included.
func TestLargeMerges(t *testing.T) {
	r, applied := fooResource(t), largeFoo(t, 3000)
	plain, err := r.Apply(context.Background(), nil, applied, request("m"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Apply(t.Context(), nil, applied, request("m"))
	if err != nil {
		t.Fatal(err)
	}
	if asJSON(t, got) != asJSON(t, plain) {
		t.Error("the outcomes differ")
	}
	broken, err := merge.NewFieldManager("Foo",
		[]merge.Version{{APIVersion: "g.io/v1", Type: fooType(t)}},
		merge.Hooks{Default: func(map[string]any) (map[string]any, error) { panic("broken hook") }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if cause := recover(); cause != "broken hook" {
			t.Errorf("recovered %v", cause)
		}
	}()
	_, _ = broken.Apply(t.Context(), nil, applied, request("m"))
}

// The error of the hook that fills in defaults is that of the apply.
func TestDefaultsThatFail(t *testing.T) {
	full := errors.New("full")
	r, err := merge.NewFieldManager("Foo",
		[]merge.Version{{APIVersion: "g.io/v1", Type: fooType(t)}},
		merge.Hooks{Default: func(map[string]any) (map[string]any, error) { return nil, full }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Apply(t.Context(), nil, foo(t, "{}"), request("m")); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// A merge of small objects is finished, even if its context ends meanwhile.
func TestSmallMergesAreFinished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := merge.NewFieldManager("Foo",
			[]merge.Version{{APIVersion: "g.io/v1", Type: fooType(t)}},
			merge.Hooks{Default: func(object map[string]any) (map[string]any, error) {
				cancel()
				time.Sleep(time.Second) // of the bubble's clock
				return object, nil
			}})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.Apply(ctx, nil, foo(t, "{}"), request("m")); got == nil || err != nil {
			t.Errorf("%v, %v", got, err)
		}
	})
}
