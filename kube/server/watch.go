package server

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/crdsem/crdsem/kube/server/internal/builtin"
	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

// isWatch reports whether the request watches a collection.
func (r *request) isWatch() bool {
	if r.http.Method != http.MethodGet || r.name != "" {
		return false
	}
	return watches(r.http)
}

// watches reports whether the query of a request asks for a watch. As for the
// server, all but two values do.
func watches(r *http.Request) bool {
	values, ok := r.URL.Query()["watch"]
	return ok && !strings.EqualFold(values[0], "false") && values[0] != "0"
}

// watcher is a watch that runs.
type watcher struct {
	*request
	matches  func(map[string]any) bool
	revision uint64 // of the last write that was looked at
	// shares says that other watches are sent the same objects, as they are.
	shares  bool
	out     io.Writer
	form    form
	flusher http.Flusher
}

// watch answers a watch with one event after the other, until the client goes
// or the time is over.
func (r *request) watch(w http.ResponseWriter, f form) {
	options, err := r.listOptions()
	if err != nil {
		r.refuse(w, err)
		return
	}
	from, err := strconv.ParseUint(options.ResourceVersion, 10, 64)
	if err != nil && options.ResourceVersion != "" {
		r.refuse(w, unclassified(fmt.Sprintf("resourceVersion: Invalid value: %q: %v",
			options.ResourceVersion, err)))
		return
	}
	var cancel context.CancelFunc
	r.ctx, cancel = context.WithTimeout(r.ctx, watchTime(options.TimeoutSeconds))
	defer cancel()
	// The client may write as soon as it has the header. Therefore the watch
	// begins before it.
	present, now := r.objects.List(r.prefix(r.namespace))
	w.Header().Set("Content-Type", streamOf(f.media))
	r.warnings(w)
	w.WriteHeader(http.StatusOK)
	out := &watcher{request: r, form: f, matches: r.selector(options), out: w}
	out.shares = f.as == "" && isEverything(options) && !r.asksWebhook()
	out.flusher, _ = w.(http.Flusher)
	initial := options.SendInitialEvents != nil && *options.SendInitialEvents
	ok := true
	if out.revision = from; initial || from == 0 {
		out.revision = now
		ok = out.sendPresent(present, initial && options.AllowWatchBookmarks)
	}
	var marks <-chan time.Time
	if options.AllowWatchBookmarks {
		ticker := time.NewTicker(bookmarkPeriod)
		defer ticker.Stop()
		marks = ticker.C
	}
	for ok {
		var written <-chan struct{}
		if written, ok = out.sendNew(); !ok {
			return
		}
		select {
		case <-written:
		case <-r.replaced:
			return
		case <-marks:
			ok = out.bookmark(nil)
		case <-r.ctx.Done():
			return
		}
	}
}

// watchTime returns how long a watch lasts: as long as the client asks, or
// between one and two times the server's --min-request-timeout.
func watchTime(seconds *int64) time.Duration {
	if seconds != nil {
		return time.Duration(*seconds) * time.Second
	}
	return time.Duration((1 + rand.Float64()) * float64(30*time.Minute))
}

// sendPresent sends the objects that exist, as added. A bookmark then marks the
// end of them, if the client asked for that.
func (w *watcher) sendPresent(present storage.List, mark bool) bool {
	for _, part := range present {
		for len(part) > 0 {
			sent, ok := w.sendPage(part)
			if !ok {
				return false
			}
			part = part[sent:]
		}
	}
	if !mark {
		w.flush()
		return true
	}
	return w.bookmark(map[string]any{metav1.InitialEventsAnnotationKey: "true"})
}

// A watch that begins makes objects ready at once of so many bytes, and at most
// a part of a list. So many of these pages are kept for other watches that
// begin, too.
const (
	presentBytes = 1 << 18
	maxPages     = 16
)

// begun is the first objects of a part of a list as added.
type begun struct {
	text    []byte
	objects int
	err     error // of the object after them
}

// begunOf is the key of a page that other watches send as well: a list that has
// not changed there has the same objects in the same places.
type begunOf struct {
	version *version
	first   **storage.Object
	objects int
	media   string
}

// sendPage sends the first objects as added, and returns how many.
func (w *watcher) sendPage(objects []*storage.Object) (sent int, ok bool) {
	next := w.begin(objects)
	if next == nil {
		return 0, false
	}
	if _, broken := w.out.Write(next.text); broken != nil || next.err == errNotShown {
		return next.objects, false
	}
	return next.objects, next.err == nil || w.fail(next.err)
}

// begin returns the first objects as added, nil if the watch ends meanwhile.
// They are made ready in a turn, of which there are less than processors, so
// that many watches that begin together do not hold up writes; a client that
// does not read holds none.
func (w *watcher) begin(objects []*storage.Object) *begun {
	of := begunOf{w.version, &objects[0], len(objects), w.form.media}
	if known, ok := w.server.pages.Get(of); ok && w.shares {
		return known.(*begun)
	}
	select {
	case w.server.turns <- struct{}{}:
		defer func() { <-w.server.turns }()
	case <-w.ctx.Done():
		return nil
	}
	if known, ok := w.server.pages.Get(of); ok && w.shares { // by the turn before
		return known.(*begun)
	}
	next := w.newBegun(objects)
	if w.shares && next.err == nil {
		w.server.pages.Add(of, next)
	}
	return next
}

// newBegun makes objects ready.
func (w *watcher) newBegun(objects []*storage.Object) *begun {
	var text bytes.Buffer
	next, client := &begun{}, w.out
	w.out = &text
	for next.objects < len(objects) && text.Len() < presentBytes && next.err == nil {
		next.err = w.added(objects[next.objects])
		next.objects++
	}
	w.out, next.text = client, bytes.Clone(text.Bytes())
	return next
}

// added writes an object as added.
func (w *watcher) added(object *storage.Object) error {
	shown, err := w.shownInList(versioned(object))
	if err == nil && w.matches(shown) && !w.send(watch.Added, shown) {
		err = errNotShown
	}
	return err
}

// errNotShown is the error of an object that has no form that the client asks
// for.
var errNotShown = errors.New("the object cannot be shown")

// bookmarkPeriod is the server's time between bookmarks.
const bookmarkPeriod = time.Minute

// bookmark says up to which revision all events were sent.
func (w *watcher) bookmark(annotations map[string]any) bool {
	object := map[string]any{
		"apiVersion": w.apiVersion(), "kind": w.names.Kind, "metadata": map[string]any{},
	}
	if annotations != nil {
		object = withMeta(object, "annotations", annotations)
	}
	return w.send(watch.Bookmark, withRevision(object, w.revision))
}

// sendNew sends what was written since the last call. The channel is closed by
// the next write.
func (w *watcher) sendNew() (written <-chan struct{}, ok bool) {
	news := w.objects.Since(w.revision)
	if !news.Complete {
		return nil, w.fail(apierrors.NewResourceExpired("too old resource version"))
	}
	for _, e := range news.Events {
		if w.isOf(e.Key()) && !w.sendEvent(e) {
			return nil, false
		}
	}
	w.revision = max(w.revision, news.Revision)
	w.flush()
	return news.Next, !news.Ended
}

// isOf reports whether a key is one of the watched collection.
func (w *watcher) isOf(key string) bool {
	prefix := w.prefix(w.namespace)
	return len(key) > len(prefix) && key[:len(prefix)] == prefix
}

// sendEvent sends a write as the client sees it: an object that begins to match
// the selectors is added, and one that ceases to is deleted.
func (w *watcher) sendEvent(e storage.Event) bool {
	shown, err := w.shownEvent(e)
	if err != nil {
		return w.fail(err)
	}
	was := shown.before != nil && w.matches(shown.before)
	is := shown.after != nil && w.matches(shown.after)
	switch {
	case was && is:
		return w.sendShown(watch.Modified, shown)
	case is:
		return w.sendShown(watch.Added, shown)
	case was:
		return w.sendShown(watch.Deleted, shown)
	}
	return true
}

// shownEvent is an event in the version of a watch. All watches of the version
// share it, and its frames.
type shownEvent struct {
	before, after map[string]any
	mu            sync.Mutex // guards frames
	frames        map[frameOf][]byte
}

// frameOf is the key of a frame: the event as a kind of event in a media type.
type frameOf struct {
	kind  watch.EventType
	media string
}

// maxShown is how many events of a version are kept for watches that are about
// to send them, and maxShownSize how large the objects of one are together.
const (
	maxShown     = 256
	maxShownSize = 32 << 10
)

// shownEvent returns an event as the watches of the version send it.
func (w *watcher) shownEvent(e storage.Event) (*shownEvent, error) {
	if known, ok := w.shown.Get(e.Revision); ok {
		return known.(*shownEvent), nil
	}
	shown := &shownEvent{frames: map[frameOf][]byte{}}
	var err error
	if e.Before != nil {
		// a deleted object has the revision of its deletion
		shown.before, err = w.shownInList(withRevision(e.Before.Content(), e.Revision))
	}
	if e.After != nil && err == nil {
		shown.after, err = w.shownInList(versioned(e.After))
	}
	if err != nil {
		return nil, err
	}
	if e.Size() <= maxShownSize {
		w.shown.Add(e.Revision, shown)
	}
	return shown, nil
}

// sendShown sends an event that may have been encoded for another watch.
func (w *watcher) sendShown(kind watch.EventType, shown *shownEvent) bool {
	object := shown.after
	if kind == watch.Deleted {
		object = shown.before
	}
	if w.form.as != "" {
		return w.send(kind, object)
	}
	text, err := shown.frame(frameOf{kind, w.form.media}, object)
	if err == nil {
		_, err = w.out.Write(text)
	}
	return err == nil
}

// frame returns the frame of an event.
func (s *shownEvent) frame(of frameOf, object any) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text := s.frames[of]; text != nil {
		return text, nil
	}
	text, err := frame(of, object)
	if err == nil {
		s.frames[of] = text
	}
	return text, err
}

// streamOf returns the media type of a watch.
func streamOf(media string) string {
	if media == runtime.ContentTypeJSON {
		return media
	}
	return media + ";stream=watch"
}

// frame returns an event as a line of JSON, or in protobuf after its length.
func frame(of frameOf, object any) ([]byte, error) {
	if of.media == runtime.ContentTypeProtobuf {
		raw, err := builtin.EncodeProtobuf(object)
		if err != nil {
			return nil, err
		}
		event := metav1.WatchEvent{Type: string(of.kind), Object: runtime.RawExtension{Raw: raw}}
		text, err := event.Marshal()
		return append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...), err
	}
	text, err := json.Marshal(map[string]any{"type": of.kind, "object": object})
	return append(text, '\n'), err
}

// fail sends an error and ends the watch. A watch whose time is over ends
// without one.
func (w *watcher) fail(err error) bool {
	if w.ctx.Err() != nil {
		return false
	}
	w.send(watch.Error, statusOf(err))
	w.flush()
	return false
}

func (w *watcher) send(kind watch.EventType, object any) bool {
	if kind != watch.Error {
		var err error
		if object, err = w.shownAs(object, w.form); err != nil {
			return false
		}
		w.form.headless = true
	}
	text, err := frame(frameOf{kind, w.form.media}, object)
	if err == nil {
		_, err = w.out.Write(text)
	}
	if err == nil && kind == watch.Bookmark {
		w.flush()
	}
	return err == nil
}

func (w *watcher) flush() {
	if w.flusher != nil {
		w.flusher.Flush()
	}
}
