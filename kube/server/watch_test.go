package server_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crdsem/crdsem/kube/server"
)

// A watch that is not read delays neither writes nor other watches. It ends
// with the error that the events it missed are gone.
func TestSlowWatch(t *testing.T) {
	s, c := begun(t, server.Options{Definitions: []string{folder(t)}})
	if err := c.Create(t.Context(), tab("a", 1)); err != nil {
		t.Fatal(err)
	}
	slow, quick := watchTabs(t, s), watchTabs(t, s)
	const writes = 3000
	last := make(chan string)
	go func() {
		line, events := "", 0
		for ; events < writes+1 && quick.Scan(); events++ { // with the first state
			line = quick.Text()
		}
		last <- fmt.Sprint(events, " events, ", strings.Contains(line, fmt.Sprint("n", writes-1)))
	}()
	pad := strings.Repeat("x", 8000)
	for i := range writes {
		patch := fmt.Sprintf(`{"metadata":{"annotations":{"last":"n%d","pad":%q}}}`, i, pad)
		err := c.Patch(t.Context(), tab("a", 1),
			client.RawPatch(types.MergePatchType, []byte(patch)))
		if err != nil {
			t.Fatal(err)
		}
	}
	select {
	case got := <-last:
		if want := fmt.Sprint(writes+1, " events, ", true); got != want {
			t.Errorf("the watch that is read has %s", got)
		}
	case <-time.After(30 * time.Second):
		t.Error("the watch that is read waits")
	}
	var end []byte
	for slow.Scan() {
		end = bytes.Clone(slow.Bytes())
	}
	if !strings.Contains(string(end), `"code":410`) {
		t.Errorf("the watch that was not read ends with %.300s", end)
	}
}

// Of the tables of a watch only the first one has columns. Built-in kinds have
// columns of their own.
func TestWatchedTables(t *testing.T) {
	lines := watched(t, started(t), "/api/v1/namespaces?watch=true",
		"application/json;as=Table;v=v1;g=meta.k8s.io")
	for i, want := range []string{"Name Status Age", ""} {
		var event struct {
			Object metav1.Table `json:"object"`
		}
		if !lines.Scan() {
			t.Fatal("the watch has ended")
		}
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, column := range event.Object.ColumnDefinitions {
			names = append(names, column.Name)
		}
		rows := event.Object.Rows
		if strings.Join(names, " ") != want || len(rows) != 1 || rows[0].Cells[1] != "Active" {
			t.Errorf("%d: %s", i, lines.Text())
		}
	}
}

// watchTabs opens a watch, of which the lines are read.
func watchTabs(t *testing.T, s *server.Server) *bufio.Scanner {
	t.Helper()
	return watched(t, s, "/apis/example.com/v1/tabs?watch=true", "")
}

// watched opens a watch in a form, of which the lines are read.
func watched(t *testing.T, s *server.Server, path, accept string) *bufio.Scanner {
	t.Helper()
	by, err := rest.HTTPClientFor(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		s.Config().Host+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", accept)
	response, err := by.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	return lines
}

// Clients of built-in kinds watch in protobuf, and get an event when a watch
// cannot go on.
func TestProtobufWatch(t *testing.T) {
	config := started(t).Config()
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf
	ctx := t.Context()
	maps := typed(t, config).CoreV1().ConfigMaps("default")
	w, err := maps.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	cm := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "a"}, Data: map[string]string{"k": "0"},
	}
	if cm, err = maps.Create(ctx, cm, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	first := cm.ResourceVersion
	const writes = 2100 // more than are kept
	for i := range writes {
		cm.Data["k"] = fmt.Sprint(i + 1)
		if cm, err = maps.Update(ctx, cm, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := maps.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	for i := range writes + 2 {
		want := fmt.Sprint("MODIFIED ", i)
		switch i {
		case 0:
			want = "ADDED 0"
		case writes + 1:
			want = fmt.Sprint("DELETED ", writes)
		}
		event := <-w.ResultChan()
		object, ok := event.Object.(*corev1.ConfigMap)
		if !ok || fmt.Sprint(event.Type, " ", object.Data["k"]) != want {
			t.Fatalf("%+v, want %s", event, want)
		}
	}
	old, err := maps.Watch(ctx, metav1.ListOptions{ResourceVersion: first})
	if err != nil {
		t.Fatal(err)
	}
	defer old.Stop()
	event := <-old.ResultChan()
	if !apierrors.IsResourceExpired(apierrors.FromObject(event.Object)) {
		t.Errorf("from an old state: %+v", event)
	}
}
