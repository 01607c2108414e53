package mergepath_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/kit/mergepath"
)

func TestIndexed(t *testing.T) {
	object := map[string]any{
		"metadata": map[string]any{"annotations": map[string]any{
			"a": "1", "a.io/b": "2", "a.io": map[string]any{"c": "3"},
		}},
		"ports": []any{
			map[string]any{"name": "x]", "port": int64(80)},
			map[string]any{"name": "http", "port": int64(80), "tls": true},
		},
		"tags": []any{"b", "a"},
	}
	for path, want := range map[string]string{
		".metadata.annotations.a":         "metadata.annotations.a",
		".metadata.annotations.a.io/b":    "metadata.annotations[a.io/b]",
		".metadata.annotations.a.io.c":    "metadata.annotations[a.io].c",
		`.ports[name="http",port=80].tls`: "ports[1].tls",
		`.ports[name="x]",port=80]`:       "ports[0]",
		`.ports[name="y"].port`:           "ports",
		`.ports[name="y",proto="T"].port`: "ports",
		// Keys that an item lacks may have defaults.
		`.ports[name="http",proto="T"].tls`: "ports[1].tls",
		`.ports[port=80,proto="T"].name`:    "ports",
		`.tags[="a"]`:                       "tags[1]",
		".tags[0]":                          "tags[0]",
		".tags[7]":                          "tags",
		".tags[":                            "tags",
		".ports[name=]":                     "ports",
		".none.here":                        "",
		".":                                 "",
	} {
		if got := mergepath.Indexed(object, path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
