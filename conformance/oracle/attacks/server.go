package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/crdsem/crdsem/kube/server"
)

// door is the HTTP interface of crdsem-server, without a network.
type door struct {
	server *server.Server
	token  string
}

// ask sends a request and returns the code of the answer.
func (d *door) ask(ctx context.Context, method, path, media, body string) int {
	r := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+d.token)
	r.Header.Set("Content-Type", media)
	w := httptest.NewRecorder()
	d.server.ServeHTTP(w, r)
	return w.Code
}

// history is how many bytes of past states the server keeps: less than what
// some attacks write.
const history = 16 << 20

// asks is an attack on a server that is started for it. Its outcome is the code
// of the last answer. The real server is not started.
func asks(name, size string, do func(ctx context.Context, d *door) (code int)) attack {
	return attack{"server: " + name, size, subjects{ours: func() (work, error) {
		s, err := server.Start(context.Background(), server.Options{
			NoValidationWarnings: true, MaxHistoryBytes: history,
		})
		if err != nil {
			return nil, err
		}
		d := &door{s, s.Config().BearerToken}
		return func(ctx context.Context) string {
			code := do(ctx, d)
			if ctx.Err() != nil {
				return "deadline"
			}
			return fmt.Sprint(code)
		}, nil
	}}}
}

const (
	crdsPath  = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	mapsPath  = "/api/v1/namespaces/default/configmaps"
	mediaJSON = "application/json"
)

// many asks so many times, or until the context ends.
func many(ctx context.Context, n int, ask func(i int) int) (code int) {
	for i := 0; i < n && ctx.Err() == nil; i++ {
		code = ask(i)
	}
	return code
}

// defined returns a small definition of a group.
func defined(i int, group string) string {
	name := fmt.Sprintf("k%d", i)
	return strings.NewReplacer("ks.g.io", name+"s."+group, `"g.io"`, `"`+group+`"`,
		`"ks"`, `"`+name+`s"`, `"K"`, `"`+strings.ToUpper(name)+`"`, `"k"`, `"`+name+`"`,
		`"KList"`, `"`+strings.ToUpper(name)+`List"`).Replace(definitionOf(`{"type":"object"}`))
}

// onServer are attacks on the HTTP interface of crdsem-server.
func onServer() []attack {
	large := strings.Repeat("x", 1_400_000)
	return []attack{
		asks("600 definitions in a group", "600", func(ctx context.Context, d *door) int {
			return many(ctx, 600, func(i int) int {
				return d.ask(ctx, http.MethodPost, crdsPath, mediaJSON, defined(i, "g.io"))
			})
		}),
		asks("600 definitions in groups", "600", func(ctx context.Context, d *door) int {
			return many(ctx, 600, func(i int) int {
				return d.ask(ctx, http.MethodPost, crdsPath, mediaJSON,
					defined(0, fmt.Sprintf("g%d.io", i)))
			})
		}),
		asks("object doubled by patches", "30 patches", func(ctx context.Context, d *door) int {
			d.ask(ctx, http.MethodPost, mapsPath, mediaJSON,
				`{"metadata":{"name":"a"},"data":{"a":"`+large[:100_000]+`"}}`)
			return many(ctx, 30, func(i int) int {
				return d.ask(ctx, http.MethodPatch, mapsPath+"/a", "application/json-patch+json",
					fmt.Sprintf(`[{"op":"copy","from":"/data/a","path":"/data/b%d"}]`, i))
			})
		}),
		asks("updates of a large object", "40 x 1.4 MB", func(ctx context.Context, d *door) int {
			d.ask(ctx, http.MethodPost, mapsPath, mediaJSON, `{"metadata":{"name":"a"}}`)
			return many(ctx, 40, func(i int) int {
				return d.ask(ctx, http.MethodPatch, mapsPath+"/a", "application/merge-patch+json",
					fmt.Sprintf(`{"data":{"a":"%d%s"}}`, i, large))
			})
		}),
		asks("repeated keys of an apply", "3 MB", func(ctx context.Context, d *door) int {
			d.ask(ctx, http.MethodPost, crdsPath, mediaJSON, defined(0, "g.io"))
			body := `{"apiVersion":"g.io/v1","kind":"K0","metadata":{"name":"a"},` +
				repeat(100_000, `"a#":1`) + "," + repeat(100_000, `"a#":1`) + `}`
			return d.ask(ctx, http.MethodPatch,
				"/apis/g.io/v1/namespaces/default/k0s/a?fieldManager=m",
				"application/apply-patch+yaml", body)
		}),
	}
}
