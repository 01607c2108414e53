package live

import (
	"context"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/conversion/webhook"
)

// hooks serves the conversion webhooks of all CRDs over HTTPS on loopback, with
// the library's own handler. The server converts over the network; the judge
// calls the functions directly.
type hooks struct {
	mux      *http.ServeMux
	url      string
	caBundle string // base64 of PEM
	lies     sync.Once
}

// startHooks starts the webhooks' server. The end of the test stops it.
func startHooks(t *testing.T) *hooks {
	t.Helper()
	h := &hooks{mux: http.NewServeMux()}
	server := httptest.NewTLSServer(h.mux)
	t.Cleanup(server.Close)
	certificate := pem.EncodeToMemory(
		&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw},
	)
	h.url, h.caBundle = server.URL, base64.StdEncoding.EncodeToString(certificate)
	return h
}

// attach serves the conversion of a CRD with the strategy Webhook. It writes
// the webhook's address into the CRD and returns the webhook. Other CRDs stay
// unchanged.
func (h *hooks) attach(r *resource, serial string) (conversion.Webhook, error) {
	stanza := child(child(r.object, "spec"), "conversion")
	if text(stanza, "strategy") != "Webhook" {
		return nil, nil
	}
	var routes []conversion.Route
	for _, from := range r.versions {
		for _, to := range r.versions {
			if from.name != to.name {
				routes = append(routes, conversion.Route{
					From:    r.group + "/" + from.name,
					To:      r.group + "/" + to.name,
					Convert: convert,
				})
			}
		}
	}
	functions, err := conversion.Pairwise(routes...)
	if err != nil {
		return nil, err
	}
	path := "/" + r.name + "/" + serial
	h.mux.Handle(path, webhook.Handler(functions))
	child(stanza, "webhook")["clientConfig"] = map[string]any{
		"url":      h.url + path,
		"caBundle": h.caBundle,
	}
	return functions, nil
}

// convert splits spec.hostPort into spec.host and spec.port, or joins them.
// Objects without these fields stay unchanged. It changes metadata of all
// kinds: labels, which is allowed, and fields that the server does not take
// over. The annotation "convert" of an object selects an error.
func convert(_ context.Context, object map[string]any) (map[string]any, error) {
	metadata := child(object, "metadata")
	if metadata == nil {
		return object, nil
	}
	switch wish := text(child(metadata, "annotations"), "convert"); wish {
	case "":
	case "name", "namespace", "uid":
		metadata[wish] = "other"
	case "kind":
		object["kind"] = "Other"
	case "no metadata":
		delete(object, "metadata")
	case "bad label":
		metadata["labels"] = map[string]any{"bad label!": "x"}
	case "no labels":
		delete(metadata, "labels")
		delete(metadata, "annotations")
	default:
		return nil, errors.New(wish)
	}
	metadata["finalizers"] = []any{"example.com/ignored"}
	if labels := child(metadata, "labels"); labels != nil {
		labels["converted"] = "yes"
	}
	return object, convertHost(child(object, "spec"))
}

func convertHost(spec map[string]any) error {
	if joined, ok := spec["hostPort"].(string); ok {
		host, port, found := strings.Cut(joined, ":")
		if !found {
			return fmt.Errorf("hostPort %q has no port", joined)
		}
		delete(spec, "hostPort")
		spec["host"], spec["port"] = host, port
		return nil
	}
	host, hasHost := spec["host"].(string)
	port, hasPort := spec["port"].(string)
	if hasHost && hasPort {
		delete(spec, "host")
		delete(spec, "port")
		spec["hostPort"] = host + ":" + port
	}
	return nil
}
