package webhook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "sigs.k8s.io/json"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/conversion/webhook"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/minors"
)

// exchange is the input of a case of kind webhookConversion.
type exchange struct {
	Strategy       string         `json:"strategy"`
	Group          string         `json:"group"`
	Versions       []string       `json:"versions"`
	ReviewVersions []string       `json:"conversionReviewVersions"`
	Object         map[string]any `json:"object"`
	To             string         `json:"to"`
	Response       struct {
		Status int    `json:"status"`
		Body   string `json:"body"` // $UID stands for the uid of the request
	} `json:"response"`
}

// outcome is the answer of such a case. Request and Headers are nil if the
// webhook was not called.
type outcome struct {
	Object  map[string]any    `json:"object"`
	Error   string            `json:"error"`
	Request map[string]any    `json:"request"`
	Headers map[string]string `json:"headers"`
}

// recorder is a webhook that gives the answer of a case and records the
// request.
type recorder struct {
	asked exchange
	mu    sync.Mutex
	uid   string
	saw   outcome
}

// ServeHTTP writes the response of the case.
func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	body, _ := io.ReadAll(req.Body)
	var asked struct{ Request struct{ UID string } }
	_ = json.Unmarshal(body, &asked)
	r.uid = asked.Request.UID
	_ = kjson.UnmarshalCaseSensitivePreserveInts(
		bytes.ReplaceAll(body, []byte(r.uid), []byte("$UID")),
		&r.saw.Request,
	)
	r.saw.Headers = map[string]string{
		"method":      req.Method,
		"path":        req.URL.Path,
		"query":       req.URL.RawQuery,
		"accept":      req.Header.Get("Accept"),
		"contentType": req.Header.Get("Content-Type"),
	}
	w.Header().Set("Content-Type", "application/json")
	if r.asked.Response.Status != 0 {
		w.WriteHeader(r.asked.Response.Status)
	}
	_, _ = io.WriteString(w, strings.ReplaceAll(r.asked.Response.Body, "$UID", r.uid))
}

func caBundle(server *httptest.Server) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}

// Every case runs against an HTTPS server on loopback (CONV-001 to CONV-032).
func TestCases(t *testing.T) {
	for _, c := range vectors.Cases[exchange, outcome](t, "webhookConversion") {
		t.Run(c.ID, func(t *testing.T) {
			if diff := cmp.Diff(c.Want, converted(t, c.Input, minors.Newest())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.Description, diff)
			}
			for _, u := range c.Until {
				minor, err := minors.Parse(u.Kubernetes)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(u.Want, converted(t, c.Input, minor)); diff != "" {
					t.Errorf("%s, %s (-want +got):\n%s", c.Description, u.Kubernetes, diff)
				}
			}
		})
	}
}

func converted(t *testing.T, c exchange, minor minors.Minor) outcome {
	t.Helper()
	hook := &recorder{asked: c}
	server := httptest.NewTLSServer(hook)
	defer server.Close()
	spec := conversion.Spec{
		CRD:            "foos." + c.Group,
		Group:          c.Group,
		Versions:       c.Versions,
		Strategy:       conversion.Strategy(c.Strategy),
		ReviewVersions: c.ReviewVersions,
		Kubernetes:     minor,
		Client: conversion.ClientConfig{
			URL:      server.URL + "/convert",
			CABundle: caBundle(server),
		},
	}
	client, err := webhook.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	object, err := convert(spec, client, c)
	hook.mu.Lock()
	defer hook.mu.Unlock()
	got := hook.saw
	got.Object, got.Error = object, errorText(err)
	if hook.uid != "" {
		got.Error = strings.ReplaceAll(got.Error, hook.uid, "$UID")
	}
	return got
}

func convert(spec conversion.Spec, hook conversion.Webhook, c exchange) (map[string]any, error) {
	converter, err := conversion.New(spec, hook)
	if err != nil {
		return nil, err
	}
	if _, isList := c.Object["items"]; isList {
		return converter.ConvertList(context.Background(), c.Object, c.To)
	}
	return converter.Convert(context.Background(), c.Object, c.To)
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
