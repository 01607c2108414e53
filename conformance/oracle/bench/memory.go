package main

import (
	"path/filepath"
	"runtime"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conformance/oracle/kube"
)

// memoryRows measure the bytes kept on the heap. The floor is the size of the
// definitions. alone leaves the real code out.
func memoryRows(w *workload, alone bool) []measurement {
	for _, d := range w.definitions[:1] { // creates what all definitions share
		ready(d.text)
	}
	rows := []measurement{
		retainedBy(w, "HTTPRoute", "httproutes.gateway.networking.k8s.io.yaml", 1.4e6, alone),
		retainedBy(w, "Prometheus", "prometheuses.monitoring.coreos.com.yaml", 1.0e6, alone),
	}
	corpus := ofText("retained by all ready definitions", 0, 0)
	for _, d := range w.definitions {
		corpus.floor += float64(len(d.text))
	}
	all := func(make func(text string) any) float64 {
		return retained(1, func() any {
			var keep []any
			for _, d := range w.definitions {
				keep = append(keep, make(d.text))
			}
			return keep
		})
	}
	corpus.ours = all(func(text string) any { return ready(text) })
	if !alone {
		corpus.real = all(func(text string) any { return serving(text) })
	}
	cached := ofText("the same, ours with one cache", corpus.floor, corpus.real)
	var cache crdsem.Cache
	cached.ours = all(func(text string) any { return ready(text, crdsem.InCache(&cache)) })
	dropped := ofText("the same, the cache dropped", corpus.floor, corpus.real)
	dropped.ours = retained(1, func() any {
		var cache crdsem.Cache
		var keep []any
		for _, d := range w.definitions {
			keep = append(keep, ready(d.text, crdsem.InCache(&cache)))
		}
		cache.Drop()
		return keep
	})
	parsed := ofText("retained by all definitions, parsed only", corpus.floor, 0)
	parsed.ours = all(func(text string) any {
		d, err := crdsem.Parse([]byte(text))
		must(err)
		return d
	})
	return append(rows, corpus, cached, dropped, parsed)
}

// ofText returns a row in megabytes whose floor is the definitions' text.
func ofText(name string, floor, real float64) measurement {
	return measurement{name: name, floorName: "text", unit: megabytes, floor: floor, real: real}
}

func retainedBy(w *workload, kind, file string, limit float64, alone bool) measurement {
	const copies = 5
	m := measurement{
		name:      "retained by a ready " + kind,
		floorName: "text",
		unit:      megabytes,
		target:    target{absolute, limit},
	}
	for _, d := range w.definitions {
		if filepath.Base(d.file) != file || m.ours != 0 {
			continue
		}
		m.floor = float64(len(d.text))
		m.ours = retained(copies, func() any { return ready(d.text) })
		if !alone {
			m.real = retained(copies, func() any { return serving(d.text) })
		}
	}
	return m
}

func serving(text string) any {
	s, err := kube.NewServing(text)
	must(err)
	return s
}

// retained returns the bytes that one of several values keeps.
func retained(copies int, make func() any) float64 {
	before := heap()
	var keep []any
	for range copies {
		keep = append(keep, make())
	}
	after := heap()
	runtime.KeepAlive(keep)
	return float64(after-before) / float64(copies)
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
