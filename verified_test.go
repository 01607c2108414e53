package crdsem

import (
	"fmt"
	"runtime/debug"
	"testing"
)

func TestVerified(t *testing.T) {
	cel := func(version string) *debug.Module {
		return &debug.Module{Path: "cel.dev/cel-go", Version: version}
	}
	machinery := func(version string) *debug.Module {
		return &debug.Module{Path: "k8s.io/apimachinery", Version: version}
	}
	other := &debug.Module{Path: "example.com/other", Version: "v1.0.0"}
	folder, fork := cel("v0.33.2"), cel("v0.33.2")
	folder.Replace = &debug.Module{Path: "../cel-go"}
	fork.Replace = &debug.Module{Path: "example.com/fork", Version: "v0.33.2"}
	for want, deps := range map[string][]*debug.Module{
		"[cel.dev/cel-go v0.33.2] true":                           {other, cel("v0.33.2")},
		"[cel.dev/cel-go v0.99.0 (not compared)] false":           {cel("v0.99.0")},
		"[k8s.io/apimachinery v0.34.7] true":                      {machinery("v0.34.7")},
		"[k8s.io/apimachinery v0.34.0-rc.0 (not compared)] false": {machinery("v0.34.0-rc.0")},
		"[k8s.io/apimachinery v0.3 (not compared)] false":         {machinery("v0.3")},
		"[cel.dev/cel-go (not compared)] false":                   {folder},
		"[cel.dev/cel-go v0.33.2 (not compared)] false":           {fork},
		"[] false": {other},
		"[cel.dev/cel-go v0.33.2 k8s.io/apimachinery v0.1.0 (not compared)] false": {cel("v0.33.2"), machinery("v0.1.0")},
	} {
		linked, ok := verified(&debug.BuildInfo{Deps: deps})
		if got := fmt.Sprint(linked, ok); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
