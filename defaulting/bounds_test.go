package defaulting_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/internal/test/requests"
	"github.com/crdsem/crdsem/merge/apply"
)

// nestedDefaults is 1 KB of a definition whose defaults are 8^levels values.
func nestedDefaults(levels int) string {
	const open = `{"type":"object","properties":{"a":{"type":"array","default":[{},{},{},{},{},{},{},{}],` +
		`"items":`
	return `"a":` + strings.Repeat(open, levels) + `{"type":"object"}` + strings.Repeat(`}}}`, levels)
}

// Defaults within defaults end at their bound: on the way in, on reading, and
// when a configuration is applied.
func TestDefaultsAreBounded(t *testing.T) {
	const most = 1 << 30
	body := []byte(`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{"a":{}}}`)
	v := requests.GrowingVersion(t, nestedDefaults(9))
	for name, do := range map[string]func() *crdsem.Result{
		"create": func() *crdsem.Result { return v.CreateBytes(t.Context(), body) },
		"read":   func() *crdsem.Result { return v.Read(t.Context(), requests.Object(t, string(body))) },
		"apply": func() *crdsem.Result {
			return v.Apply(t.Context(), requests.Object(t, string(body)), nil, crdsem.FieldManager("m"))
		},
	} {
		var result *crdsem.Result
		start := time.Now()
		made := allocs.Bytes(func() { result = do() })
		t.Logf("%s: %v, %d MB: %v", name, time.Since(start), made>>20, result.Err())
		limit, ok := errors.AsType[*crdsem.LimitError](result.Err())
		if !ok || limit.Limit != crdsem.DefaultDefaultsMemory || result.Object != nil ||
			made > most {
			t.Errorf("%s: %d bytes, %v", name, made, result.Err())
		}
	}
}

// The bound of defaults is an option.
func TestDefaultsMemory(t *testing.T) {
	body := []byte(`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{"a":{}}}`)
	for bytes, fits := range map[int64]bool{1: false, 0: false, 1000: false, 1 << 20: true} {
		text := fmt.Appendf(nil, requests.Growing, nestedDefaults(3))
		def, err := crdsem.Parse(text, apply.Server(), crdsem.DefaultsMemory(bytes))
		if err != nil {
			t.Fatal(err)
		}
		v, err := def.Version("v1")
		if err != nil {
			t.Fatal(err)
		}
		result := v.CreateBytes(t.Context(), body)
		limit, exceeded := errors.AsType[*crdsem.LimitError](result.Err())
		if exceeded == fits || exceeded && limit.Limit != max(bytes, 1) {
			t.Errorf("%d bytes: %v", bytes, result.Err())
		}
	}
}

// What a server would store has room: an object of 1.5 MB that is nothing but
// defaults.
func TestDefaultsOfAnObjectThatFits(t *testing.T) {
	v := requests.GrowingVersion(t, `"a":{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer","default":1}}}}`)
	const items = 1_500_000 / len(`{"a":1},`)
	body := `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{"a":[` +
		strings.Repeat("{},", items-1) + `{}]}}`
	result := v.CreateBytes(t.Context(), []byte(body))
	if err := result.Err(); err != nil || len(result.Defaulted) != items {
		t.Errorf("%d defaults: %v", len(result.Defaulted), err)
	}
}
