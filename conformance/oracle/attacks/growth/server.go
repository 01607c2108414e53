package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/crdsem/crdsem/kube/server"
)

// door is the HTTP interface of a server, without a network.
type door struct {
	server *server.Server
	token  string
}

// opened starts a server, which the context ends.
func opened(ctx context.Context) (*door, error) {
	s, err := server.Start(ctx, server.Options{NoValidationWarnings: true})
	if err != nil {
		return nil, err
	}
	return &door{s, s.Config().BearerToken}, nil
}

// ask sends a request.
func (d *door) ask(ctx context.Context, method, path, media, body string) {
	r := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+d.token)
	r.Header.Set("Content-Type", media)
	d.server.ServeHTTP(httptest.NewRecorder(), r)
}

const (
	crdsPath   = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	mapsPath   = "/api/v1/namespaces/default/configmaps"
	thingsPath = "/apis/g0.io/v1/namespaces/default/ks"
	mediaJSON  = "application/json"
	mediaApply = "application/apply-patch+yaml"
)

// crdOf returns a small definition of a group.
func crdOf(name int, group string) string {
	return strings.NewReplacer("ks.g.io", fmt.Sprintf("k%ds.%s", name, group),
		`"g.io"`, `"`+group+`"`, `"ks"`, fmt.Sprintf(`"k%ds"`, name),
		`"K"`, fmt.Sprintf(`"K%d"`, name), `"k"`, fmt.Sprintf(`"k%d"`, name),
		`"KList"`, fmt.Sprintf(`"K%dList"`, name)).Replace(definitionOf(`{"type":"object"}`, ""))
}

// asked is a place of a server: it is filled, and then asked.
func asked(
	name string, fill func(ctx context.Context, d *door, n int),
	work func(ctx context.Context, d *door, n int),
) place {
	return place{"server: " + name, func(n int) (func(context.Context), error) {
		d, err := opened(context.Background())
		if err != nil {
			return nil, err
		}
		fill(context.Background(), d, n)
		return func(ctx context.Context) {
			work(ctx, d, n)
			_ = d.server.Stop() // nothing is written
		}, nil
	}}
}

func nothing(context.Context, *door, int) {}

// mapOf returns a small ConfigMap.
func mapOf(i int) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m%d",`+
		`"namespace":"default","labels":{"n":"%d"}}}`, i, i%7)
}

// creates creates so many ConfigMaps.
func creates(ctx context.Context, d *door, n int) {
	for i := range n {
		d.ask(ctx, http.MethodPost, mapsPath, mediaJSON, mapOf(i))
	}
}

// withMaps stores so many ConfigMaps, which takes less than to create them.
func withMaps(_ context.Context, d *door, n int) {
	for i := range n {
		key := fmt.Sprintf("//configmaps/default/m%d", i)
		_ = d.server.Store(key, []byte(mapOf(i))) // the server has ConfigMaps
	}
}

// ofServer are the places of the HTTP interface of crdsem-server.
func ofServer() []place {
	return []place{
		asked("definitions of a group", nothing, func(ctx context.Context, d *door, n int) {
			for i := range n / 16 {
				d.ask(ctx, http.MethodPost, crdsPath, mediaJSON, crdOf(i, "g0.io"))
			}
		}),
		asked("definitions of groups", nothing, func(ctx context.Context, d *door, n int) {
			for i := range n / 16 {
				d.ask(ctx, http.MethodPost, crdsPath, mediaJSON, crdOf(0, fmt.Sprintf("g%d.io", i)))
			}
		}),
		asked("objects that are created", nothing, creates),
		asked("objects of a list", withMaps, func(ctx context.Context, d *door, _ int) {
			d.ask(ctx, http.MethodGet, mapsPath+"?labelSelector=n%3D3", mediaJSON, "")
		}),
		asked("pages of a list", withMaps, func(ctx context.Context, d *door, n int) {
			for range 8 {
				d.ask(ctx, http.MethodGet, fmt.Sprintf("%s?limit=%d", mapsPath, n/8), mediaJSON, "")
			}
		}),
		asked("events of a watch", withMaps, func(ctx context.Context, d *door, _ int) {
			ctx, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
			defer cancel()
			d.ask(ctx, http.MethodGet, mapsPath+"?watch=true", mediaJSON, "")
		}),
		asked("objects that are deleted", manyMaps, func(ctx context.Context, d *door, _ int) {
			d.ask(ctx, http.MethodDelete, mapsPath, mediaJSON, "")
		}),
		asked("repeated keys of an apply", func(ctx context.Context, d *door, _ int) {
			d.ask(ctx, http.MethodPost, crdsPath, mediaJSON, crdOf(0, "g0.io"))
		}, func(ctx context.Context, d *door, n int) {
			body := `{"apiVersion":"g0.io/v1","kind":"K0","metadata":{"name":"a"},` +
				many(n, `"a#":1,"a#":1`) + `}`
			d.ask(ctx, http.MethodPatch, strings.Replace(thingsPath, "/ks", "/k0s", 1)+
				"/a?fieldManager=m", mediaApply, body)
		}),
		asked("data of an object", nothing, func(ctx context.Context, d *door, n int) {
			d.ask(ctx, http.MethodPost, mapsPath, mediaJSON,
				`{"metadata":{"name":"a"},"data":{`+many(min(n, 20_000), `"k#":"v"`)+`}}`)
		}),
		asked("JSON patch of an object", func(ctx context.Context, d *door, _ int) {
			d.ask(ctx, http.MethodPost, mapsPath, mediaJSON, `{"metadata":{"name":"a"},"data":{"a":"b"}}`)
		}, func(ctx context.Context, d *door, n int) {
			d.ask(ctx, http.MethodPatch, mapsPath+"/a", "application/json-patch+json",
				`[`+many(min(n, 9_000), `{"op":"add","path":"/data/k#","value":"v"}`)+`]`)
		}),
		asked("path of a request", nothing, func(ctx context.Context, d *door, n int) {
			for range 32 {
				d.ask(ctx, http.MethodGet, "/apis/"+strings.Repeat("a/", n), mediaJSON, "")
			}
		}),
		asked("selector of a list", withMaps256, func(ctx context.Context, d *door, n int) {
			d.ask(ctx, http.MethodGet, mapsPath+"?labelSelector=n+in+("+
				strings.TrimSuffix(strings.Repeat("a,", n), ",")+")", mediaJSON, "")
		}),
	}
}

// manyMaps stores more than the server keeps decoded.
func manyMaps(ctx context.Context, d *door, n int) { withMaps(ctx, d, 8*n) }

func withMaps256(ctx context.Context, d *door, _ int) { withMaps(ctx, d, 256) }
