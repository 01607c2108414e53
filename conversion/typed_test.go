package conversion_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/conversion"
)

// sizeV1 and sizeV2 are two versions of a type of an API package.
type (
	sizeV1 struct {
		APIVersion string         `json:"apiVersion"`
		Kind       string         `json:"kind"`
		Metadata   map[string]any `json:"metadata"`
		Size       int            `json:"size"`
	}
	sizeV2 struct {
		APIVersion string         `json:"apiVersion"`
		Kind       string         `json:"kind"`
		Metadata   map[string]any `json:"metadata"`
		Bytes      int64          `json:"bytes"`
	}
)

// ConvertTo is as a controller writes it.
func (s *sizeV1) ConvertTo(to *sizeV2) error {
	to.Kind, to.Metadata, to.Bytes = s.Kind, s.Metadata, int64(s.Size)<<20
	if s.Size < 0 {
		return errors.New("no size")
	}
	return nil
}

// Functions of Go types convert objects.
func ExampleTyped() {
	functions, err := conversion.Pairwise(conversion.Route{
		From: "g.io/v1", To: "g.io/v2",
		Convert: conversion.Typed(func(from *sizeV1, to *sizeV2) error {
			return from.ConvertTo(to)
		}),
	})
	if err != nil {
		panic(err)
	}
	object := map[string]any{
		"apiVersion": "g.io/v1", "kind": "Foo", "metadata": map[string]any{"name": "a"},
		"size": int64(2),
	}
	converted, err := functions.Convert(context.Background(), object, "g.io/v2")
	fmt.Println(converted["apiVersion"], converted["bytes"], err)
	// Output: g.io/v2 2097152 <nil>
}

// What does not fit the Go type, and what the function refuses, is an error.
func TestTyped(t *testing.T) {
	convert := conversion.Typed(func(from *sizeV1, to *sizeV2) error {
		return from.ConvertTo(to)
	})
	for want, object := range map[string]map[string]any{
		"decoding *conversion_test.sizeV1: json: cannot unmarshal string": {"size": "x"},
		"no size": {"size": int64(-1)},
		"func()":  {"size": func() {}},
	} {
		_, err := convert(t.Context(), object)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
