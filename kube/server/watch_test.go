package server_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

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

// watchTabs opens a watch, of which the lines are read.
func watchTabs(t *testing.T, s *server.Server) *bufio.Scanner {
	t.Helper()
	by, err := rest.HTTPClientFor(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		s.Config().Host+"/apis/example.com/v1/tabs?watch=true", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := by.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	return lines
}
