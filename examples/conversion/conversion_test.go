package conversion_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/kit/crdtest"
)

// RoomV1 is the API type of the storage version, RoomV1beta1 that of the old
// one.
type (
	RoomV1 struct {
		Head
		Spec struct {
			Width int    `json:"width"`
			Depth int    `json:"depth"`
			Floor string `json:"floor,omitempty"`
		} `json:"spec"`
	}
	RoomV1beta1 struct {
		Head
		Spec struct {
			Size string `json:"size,omitempty"`
		} `json:"spec"`
	}
	Head struct {
		APIVersion string         `json:"apiVersion"`
		Kind       string         `json:"kind"`
		Metadata   map[string]any `json:"metadata"`
	}
)

// ConvertTo converts an old room to a new one.
func (r *RoomV1beta1) ConvertTo(to *RoomV1) error {
	to.Head = r.Head
	if r.Spec.Size == "" {
		return errors.New("the room has no size")
	}
	_, err := fmt.Sscanf(r.Spec.Size, "%dx%d", &to.Spec.Width, &to.Spec.Depth)
	return err
}

// ConvertFrom converts a new room to an old one, which has no floor.
func (r *RoomV1beta1) ConvertFrom(from *RoomV1) error {
	r.Head = from.Head
	r.Spec.Size = fmt.Sprintf("%dx%d", from.Spec.Width, from.Spec.Depth)
	return nil
}

func functions(t *testing.T) *conversion.Functions {
	t.Helper()
	all, err := conversion.HubAndSpoke("example.com/v1", conversion.Spoke{
		APIVersion: "example.com/v1beta1",
		ToHub: conversion.Typed(func(from *RoomV1beta1, to *RoomV1) error {
			return from.ConvertTo(to)
		}),
		FromHub: conversion.Typed(func(from *RoomV1, to *RoomV1beta1) error {
			return to.ConvertFrom(from)
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSuite runs the suite with the functions in place of the webhook.
func TestSuite(t *testing.T) {
	suites, err := crdtest.ReadSuites("rooms.crdtest.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range suites {
		s.Webhook = functions(t)
	}
	crdtest.Run(t, nil, suites)
}

// TestRoundTrips is a table of objects of Go types. Each is taken to the other
// version and back.
func TestRoundTrips(t *testing.T) {
	crds, err := crdtest.ReadCRDs("crd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	crds[0].Options = []crdsem.DefinitionOption{crdsem.ConversionWebhook(functions(t))}
	api := crdtest.NewTester(crds)
	for _, size := range []string{"1x1", "4x6", "100x7"} {
		t.Run(size, func(t *testing.T) {
			room := &RoomV1beta1{Head: Head{APIVersion: "example.com/v1beta1", Kind: "Room"}}
			room.Spec.Size = size
			api.Convert(t, room)
		})
	}
	room := &RoomV1{Head: Head{APIVersion: "example.com/v1", Kind: "Room"}}
	room.Spec.Width, room.Spec.Depth, room.Spec.Floor = 2, 3, "stone"
	api.Convert(t, room, "spec.floor")
}
