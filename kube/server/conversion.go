package server

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"sync"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/conversion/webhook"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kube/server/internal/admission"
)

// conversionHook asks the conversion webhook of a definition. It connects when
// it is first used.
type conversionHook struct {
	of      *definition.Model
	resolve admission.Resolver

	mu     sync.Mutex // guards client
	client *webhook.Client
}

// Call implements conversion.Webhook.
func (h *conversionHook) Call(ctx context.Context, review []byte) ([]byte, error) {
	client, err := h.connected()
	if err != nil {
		return nil, err
	}
	return client.Call(ctx, review)
}

func (h *conversionHook) connected() (*webhook.Client, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.client != nil {
		return h.client, nil
	}
	described := h.of.Conversion().Webhook
	if described == nil {
		return nil, fmt.Errorf("%s has no conversion webhook", h.of.Name())
	}
	var err error
	h.client, err = webhook.New(conversion.Spec{
		CRD: h.of.Name(), Client: described.ClientConfig,
	}, webhook.Resolve(h.address))
	return h.client, err
}

// address returns the address of a service.
func (h *conversionHook) address(ctx context.Context, s conversion.Service) (string, error) {
	if h.resolve != nil {
		return h.resolve(ctx, s.Namespace, s.Name, s.Port)
	}
	return net.JoinHostPort(s.Name+"."+s.Namespace+".svc", strconv.Itoa(int(s.Port))), nil
}

// asksWebhook reports whether a webhook converts the objects. Its answers may
// change.
func (k *kind) asksWebhook() bool {
	return k.crd != nil && k.crd.Model().Conversion().Webhook != nil
}

// close closes the connections that are not in use. A nil hook has none.
func (h *conversionHook) close() {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.client != nil {
		h.client.Close()
	}
}
