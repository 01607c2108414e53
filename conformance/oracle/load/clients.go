package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	definition = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",` +
		`"metadata":{"name":"crontabs.load.example.com"},"spec":{"group":"load.example.com",` +
		`"scope":"Namespaced","names":{"plural":"crontabs","singular":"crontab",` +
		`"kind":"CronTab","listKind":"CronTabList"},"versions":[{"name":"v1","served":true,` +
		`"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":` +
		`{"type":"object","properties":{"cronSpec":{"type":"string"},"image":{"type":"string"},` +
		`"replicas":{"type":"integer","x-kubernetes-validations":[{"rule":"self < 100"}]}}}}}}}]}}`
	definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	objectsPath     = "/apis/load.example.com/v1/namespaces/default/crontabs"
)

// client returns a client with a connection of its own. The servers are on
// loopback and were started here.
func (t *target) client() *http.Client {
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // loopback: the server was started here
		ForceAttemptHTTP2: true,
	}}
}

// ask sends a request.
func (t *target) ask(
	ctx context.Context, by *http.Client, method, path, body string,
) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, t.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+t.token)
	r.Header.Set("Content-Type", "application/json")
	return by.Do(r)
}

// text sends a request and returns the text of the answer, which is a success.
func (t *target) text(
	ctx context.Context, by *http.Client, method, path, body string,
) ([]byte, error) {
	answer, err := t.ask(ctx, by, method, path, body)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(answer.Body)
	err = errors.Join(err, answer.Body.Close())
	if err == nil && answer.StatusCode >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s %s: %d: %s", method, path, answer.StatusCode, text)
	}
	return text, err
}

// define creates the definition and waits until it is served.
func (t *target) define(ctx context.Context) error {
	by := t.client()
	if _, err := t.text(ctx, by, http.MethodPost, definitionsPath, definition); err != nil {
		return err
	}
	return t.until(func() error {
		_, err := t.text(ctx, by, http.MethodGet, objectsPath, "")
		return err
	})
}

// until tries until something succeeds.
func (t *target) until(try func() error) (err error) {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
		if err = try(); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

// create creates objects by eight clients. It returns how long the slowest
// answer took, and how long the last one is.
func (t *target) create(
	ctx context.Context, prefix string, n int,
) (longest time.Duration, size int, err error) {
	const clients = 8
	var next atomic.Int64
	var mu sync.Mutex
	var all sync.WaitGroup
	for range clients {
		by := t.client()
		all.Go(func() {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				body := fmt.Sprintf(`{"apiVersion":"load.example.com/v1","kind":"CronTab",`+
					`"metadata":{"name":"%s-%07d","labels":{"i":"%d"}},"spec":{"cronSpec":`+
					`"*/5 1 * * *","image":"img-%d","replicas":%d}}`, prefix, i, i%10, i, 1+i%10)
				before := time.Now()
				text, failed := t.text(ctx, by, http.MethodPost, objectsPath, body)
				mu.Lock()
				longest, size = max(longest, time.Since(before)), len(text)
				err = errors.Join(err, failed)
				mu.Unlock()
				if failed != nil {
					return
				}
			}
		})
	}
	all.Wait()
	return longest, size, err
}

// events are those that watches have got.
type events struct {
	seen, cut atomic.Int64
	cancel    context.CancelFunc
	all       sync.WaitGroup
}

// follow opens watches at once, each by a connection of its own.
func (t *target) follow(ctx context.Context, watches int) *events {
	ctx, cancel := context.WithCancel(ctx)
	e := &events{cancel: cancel}
	for range watches {
		by := t.client()
		e.all.Go(func() {
			answer, err := t.ask(ctx, by, http.MethodGet, objectsPath+"?watch=true", "")
			if err == nil {
				e.read(answer.Body)
				err = answer.Body.Close()
			}
			if ctx.Err() == nil {
				e.cut.Add(1)
			}
			_ = err // a watch that is cut is counted
		})
	}
	return e
}

// read counts the lines of a watch.
func (e *events) read(from io.Reader) {
	lines := bufio.NewReaderSize(from, 1<<16)
	for {
		part, err := lines.ReadSlice('\n')
		if bytes.HasSuffix(part, []byte("\n")) {
			e.seen.Add(1)
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

// wait waits until so many events have come, at most for a time. It ends the
// watches and returns how many were cut before.
func (e *events) wait(ctx context.Context, n int64, most time.Duration) int64 {
	for end := time.Now().Add(most); e.seen.Load() < n && time.Now().Before(end) &&
		ctx.Err() == nil; {
		time.Sleep(10 * time.Millisecond)
	}
	cut := e.cut.Load()
	e.cancel()
	e.all.Wait()
	return cut
}
