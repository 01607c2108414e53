package webhook_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "sigs.k8s.io/json"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/conversion/webhook"
)

// vector is a line of conformance/vectors/stages/conversion.jsonl; $UID stands for the uid of the request.
type vector struct {
	ID, Kind, Strategy, Group, DesiredAPIVersion string
	ConversionReviewVersions, Versions           []string
	Input, Output, Request                       map[string]any
	ResponseStatus                               int
	ResponseBody, Error                          string
	WebhookCalled                                bool
	RequestHeaders                               map[string]string
}

func readVectors(t *testing.T) []vector {
	t.Helper()
	file, err := os.Open("../../conformance/vectors/stages/conversion.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var list []vector
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v vector
		if err := kjson.UnmarshalCaseSensitivePreserveInts(capitalised(t, lines.Bytes()), &v); err != nil {
			t.Fatalf("%v: %s", err, lines.Bytes())
		}
		if v.Kind == "convert" {
			list = append(list, v)
		}
	}
	return list
}

// capitalised gives the keys of a line the names of the struct's fields, for the decoder is case-sensitive.
func capitalised(t *testing.T, line []byte) []byte {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		t.Fatal(err)
	}
	out := map[string]json.RawMessage{}
	for name, value := range fields {
		name = strings.ToUpper(name[:1]) + name[1:]
		out[strings.Replace(name, "Id", "ID", 1)] = value
	}
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// recorder is a webhook that answers as a vector says and remembers what it was asked.
type recorder struct {
	vector  vector
	mu      sync.Mutex
	called  bool
	uid     string
	request map[string]any
	headers map[string]string
}

// ServeHTTP answers with the vector's response.
func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	body, _ := io.ReadAll(req.Body)
	r.called = true
	var asked struct{ Request struct{ UID string } }
	_ = json.Unmarshal(body, &asked)
	r.uid = asked.Request.UID
	_ = kjson.UnmarshalCaseSensitivePreserveInts(bytes.ReplaceAll(body, []byte(r.uid), []byte("$UID")), &r.request)
	r.headers = map[string]string{"method": req.Method, "path": req.URL.Path, "query": req.URL.RawQuery,
		"accept": req.Header.Get("Accept"), "contentType": req.Header.Get("Content-Type")}
	w.Header().Set("Content-Type", "application/json")
	if r.vector.ResponseStatus != 0 {
		w.WriteHeader(r.vector.ResponseStatus)
	}
	_, _ = io.WriteString(w, strings.ReplaceAll(r.vector.ResponseBody, "$UID", r.uid))
}

func caBundle(server *httptest.Server) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}

// TestVectors runs every conversion vector against an HTTPS server on loopback.
func TestVectors(t *testing.T) {
	vectors := readVectors(t)
	if len(vectors) != 75 {
		t.Fatalf("read %d vectors, want 75", len(vectors))
	}
	for _, v := range vectors {
		t.Run(v.ID, func(t *testing.T) { runVector(t, v) })
	}
}

func runVector(t *testing.T, v vector) {
	hook := &recorder{vector: v}
	server := httptest.NewTLSServer(hook)
	defer server.Close()
	spec := conversion.Spec{CRD: "foos." + v.Group, Group: v.Group, Versions: v.Versions, Strategy: conversion.Strategy(v.Strategy),
		ReviewVersions: v.ConversionReviewVersions,
		Client:         conversion.ClientConfig{URL: server.URL + "/convert", CABundle: caBundle(server)}}
	client, err := webhook.New(spec, webhook.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	output, err := convert(spec, client, v)
	if got := strings.ReplaceAll(errorText(err), hook.uid+"\"", "$UID\""); hook.called && got != v.Error || !hook.called && errorText(err) != v.Error {
		t.Errorf("error %q\nwant %q", errorText(err), v.Error)
	}
	if diff := cmp.Diff(v.Output, output); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
	if hook.called != v.WebhookCalled {
		t.Errorf("webhook called: %t, want %t", hook.called, v.WebhookCalled)
	}
	if diff := cmp.Diff(v.Request, hook.request); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(v.RequestHeaders, hook.headers); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
}

func convert(spec conversion.Spec, hook conversion.Webhook, v vector) (map[string]any, error) {
	converter, err := conversion.New(spec, hook)
	if err != nil {
		return nil, err
	}
	if _, isList := v.Input["items"]; isList {
		return converter.ConvertList(context.Background(), v.Input, v.DesiredAPIVersion)
	}
	return converter.Convert(context.Background(), v.Input, v.DesiredAPIVersion)
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
