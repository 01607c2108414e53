package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/conversion/webhook"
)

// converting serves a conversion webhook that answers with what a function
// returns for the uid and the objects of a review.
func converting(t *testing.T, answer func(uid string, to string,
	objects []map[string]any) string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		uid, to, objects := reviewIn(t, r)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, answer(uid, to, objects))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// reviewIn returns what a request asks for.
func reviewIn(t *testing.T, r *http.Request) (uid, to string, objects []map[string]any) {
	t.Helper()
	var review struct {
		Request struct {
			UID               string
			DesiredAPIVersion string
			Objects           []map[string]any
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		t.Error(err)
	}
	return review.Request.UID, review.Request.DesiredAPIVersion, review.Request.Objects
}

// reviewOf returns a successful answer with objects.
func reviewOf(uid string, objects ...map[string]any) string {
	text, _ := json.Marshal(objects)
	return fmt.Sprintf(`{"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "response":
{"uid": %q, "result": {"status": "Success"}, "convertedObjects": %s}}`, uid, text)
}

// A webhook is asked where it decides. One that fails or lies is named with the
// place of the object, and the others are judged.
func TestWebhook(t *testing.T) {
	in := folder(t, map[string]string{
		"crd.yaml": boxes(byWebhook, [2]string{"v1", onlyA}, [2]string{"v1beta2", withDep}),
		"objs.yaml": boxOf("v1beta2", "a: x, dep: d") + "---\n" + strings.Replace(boxOf("v1",
			"a: x"), "name: a,", "name: b,", 1),
	})
	convert := func(to string, objects []map[string]any) []map[string]any {
		for _, o := range objects {
			o["apiVersion"] = to
		}
		return objects
	}
	for _, c := range []struct {
		name   string
		answer func(uid, to string, objects []map[string]any) string
		want   []string
	}{
		{"it converts", func(uid, to string, o []map[string]any) string {
			return reviewOf(uid,
				convert(to, o)...)
		},
			[]string{"objs.yaml:4:14: warning: Box default/a: spec.dep is not stored",
				"accepted: Box default/a", "accepted: Box default/b"}},
		{"another uid", func(_, to string, o []map[string]any) string {
			return reviewOf("other",
				convert(to, o)...)
		},
			[]string{`objs.yaml:1:1: error: Box default/a: conversion webhook for ex.io/v1beta2, Kind=Box failed`, "accepted: Box default/b"}},
		{"no objects", func(uid, _ string, _ []map[string]any) string { return reviewOf(uid) },
			[]string{"conversion webhook for ex.io/v1beta2, Kind=Box returned 0 objects, expected 1", "accepted: Box default/b"}},
		{"another object", func(uid, to string, o []map[string]any) string {
			o[0]["metadata"].(map[string]any)["name"] = "other"
			return reviewOf(uid, convert(to, o)...)
		}, []string{"must have the same name", "accepted: Box default/b"}},
		{"no JSON", func(string, string, []map[string]any) string { return "{" },
			[]string{"conversion webhook for ex.io/v1beta2, Kind=Box failed",
				"accepted: Box default/b"}},
		{"100 MB", func(string, string, []map[string]any) string {
			return strings.Repeat(" ",
				100<<20)
		},
			[]string{"the response is longer than 67108864 bytes", "accepted: Box default/b"}},
	} {
		url := converting(t, c.answer)
		_, out, errs := execute(t, "", "admit", "--crd", in("crd.yaml"), "--webhook", url,
			in("objs.yaml"))
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is missing in\n%s%s", c.name, want, out, errs)
			}
		}
	}
	url := converting(t, func(uid, to string, o []map[string]any) string {
		return reviewOf(uid,
			convert(to, o)...)
	})
	code, out, errs := execute(t, "", "convert", "--crd", in("crd.yaml"), "--to", "v1", "--webhook",
		url, in("objs.yaml"))
	if code != exitOK || strings.Contains(out, "dep") || !strings.Contains(errs,
		"warning: spec.dep is lost") {
		t.Errorf("convert: exit code %d\n%s%s", code, out, errs)
	}
	write(t, in("s.crdtest.yaml"),
		"crds: crd.yaml\ncases:\n- name: c\n"+
			"  convert: {apiVersion: ex.io/v1beta2, kind: Box, spec: {a: x, dep: d}}\n"+
			"  want: {mayLose: [spec.dep]}\n")
	if code, out, errs = execute(t, "", "test", "--webhook", url,
		in("s.crdtest.yaml")); code != exitOK {
		t.Errorf("test: exit code %d\n%s%s", code, out, errs)
	}
	if code, out, _ = execute(t, "", "test", in("s.crdtest.yaml")); code != exitRefused ||
		!strings.Contains(out, "--webhook URL") {
		t.Errorf("test without: exit code %d\n%s", code, out)
	}
}

// lateWebhook takes all its time.
type lateWebhook struct{ calls int }

func (l *lateWebhook) Call(context.Context, []byte) ([]byte, error) {
	l.calls++
	return nil, context.DeadlineExceeded
}

// hanging returns the address of a server that accepts connections and never
// answers.
func hanging(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open []net.Conn
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			open = append(open, conn) // or it would be closed when it is collected
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
		for _, conn := range open {
			_ = conn.Close()
		}
	})
	return "http://" + l.Addr().String() + "/convert"
}

// A server that accepts connections and never answers is given up when the time
// is over, and named with that reason by every command that asks it.
func TestServerThatHangs(t *testing.T) {
	callTimeout = 50 * time.Millisecond
	t.Cleanup(func() { callTimeout = webhook.DefaultTimeout })
	url := hanging(t)
	in := folder(t, map[string]string{
		"crd.yaml":  boxes(byWebhook, [2]string{"v1", onlyA}, [2]string{"v1beta2", withDep}),
		"new.yaml":  boxes(byWebhook, [2]string{"v1", boundA}, [2]string{"v1beta2", withDep}),
		"obj.yaml":  boxOf("v1beta2", "a: x"),
		"live.yaml": boxOf("v1", "a: x"),
		"s.crdtest.yaml": "crds: crd.yaml\ncases:\n- name: c\n" +
			"  convert: {apiVersion: ex.io/v1beta2, kind: Box, spec: {a: x}}\n  want: {}\n",
	})
	failed := "kind=box failed: post \"" + url + "?timeout=50ms\": context deadline exceeded " +
		"(client.timeout exceeded while awaiting headers)"
	for _, c := range []struct {
		command string
		code    int
		want    string
	}{
		{"admit --crd crd.yaml obj.yaml", exitRefused, failed},
		{"admit --crd crd.yaml --old live.yaml obj.yaml", exitRefused, failed},
		{"validate --crd crd.yaml obj.yaml", exitRefused, failed},
		{"convert --crd crd.yaml --to v1 obj.yaml", exitRefused, failed},
		{"test s.crdtest.yaml", exitRefused, failed},
		{"upgrade crd.yaml new.yaml obj.yaml", exitRefused, failed},
	} {
		args := strings.Fields(c.command)
		for i, arg := range args {
			if strings.HasSuffix(arg, ".yaml") {
				args[i] = in(arg)
			}
		}
		start := time.Now()
		code, out, errs := execute(t, "", append(args, "--webhook", url)...)
		took := time.Since(start)
		if code != c.code || !strings.Contains(strings.ToLower(out+errs), c.want) ||
			took > 10*time.Second {
			t.Errorf("%s: exit code %d after %v\n%s%s", c.command, code, took, out, errs)
		}
	}
}

// The configuration names a webhook and the certificates of its authority, by a
// path from its own folder.
func TestConfiguredWebhook(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		uid, to, objects := reviewIn(t, r)
		for _, o := range objects {
			o["apiVersion"] = to
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, reviewOf(uid, objects...))
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // the handshake that fails
	t.Cleanup(s.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	in := folder(t, map[string]string{
		"crd.yaml": boxes(byWebhook, [2]string{"v1", onlyA}, [2]string{"v1beta2", withDep}),
		"obj.yaml": boxOf("v1beta2", "a: x"),
		"ca.pem":   string(authority),
		"with.yaml": "validate: {webhook: " + s.URL + ", ca: ca.pem}\n" +
			"upgrade: {webhook: " + s.URL + ", ca: ca.pem}\n",
		"without.yaml": "validate: {webhook: " + s.URL + "}\n",
		"alone.yaml":   "validate: {ca: ca.pem}\n",
		"missing.yaml": "validate: {webhook: " + s.URL + ", ca: none.pem}\n",
	})
	for _, c := range []struct {
		config string
		code   int
		want   string
	}{
		{"with.yaml", exitOK, "1 object: 1 accepted"},
		{"without.yaml", exitRefused, "tls: failed to verify certificate"},
		{"alone.yaml", exitFailed, "--ca needs --webhook"},
		{"missing.yaml", exitFailed, "none.pem"},
	} {
		code, out, errs := execute(t, "", "validate", "--config", in(c.config), "--crd",
			in("crd.yaml"), in("obj.yaml"))
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: exit code %d\n%s%s", c.config, code, out, errs)
		}
	}
	code, out, errs := execute(t, "", "upgrade", "--config", in("with.yaml"), in("crd.yaml"),
		in("crd.yaml"), in("obj.yaml"))
	if code != exitOK || strings.Contains(out+errs, "webhook decides") {
		t.Errorf("upgrade: exit code %d\n%s%s", code, out, errs)
	}
	// The command line wins.
	code, out, errs = execute(t, "", "validate", "--config", in("missing.yaml"), "--ca",
		in("ca.pem"), "--crd", in("crd.yaml"), in("obj.yaml"))
	if code != exitOK {
		t.Errorf("--ca: exit code %d\n%s%s", code, out, errs)
	}
}

// A webhook that hangs is not asked for each of many objects.
func TestWebhookThatHangs(t *testing.T) {
	late := &lateWebhook{}
	p := &patientWebhook{hook: late}
	for range 10 {
		if _, err := p.Call(t.Context(), nil); err == nil {
			t.Error("no error")
		}
	}
	if late.calls != patience {
		t.Errorf("%d calls", late.calls)
	}
	p = &patientWebhook{hook: conversion.WebhookFunc(
		func(context.Context, []byte) ([]byte, error) {
			return []byte("{}"), nil
		})}
	if answer, err := p.Call(t.Context(), nil); err != nil || !bytes.Equal(answer, []byte("{}")) {
		t.Error(string(answer), err)
	}
}
