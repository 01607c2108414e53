package evaluator

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

// A request over its bounds is a fault, within bounded memory.
func TestRequestsOverTheirBounds(t *testing.T) {
	const length, findings, most = 500_000, 20_000, 1200 << 20
	key := strings.Repeat("k", length)
	list := func(item string) string {
		return `{"m":{"` + key + `":[` + strings.TrimSuffix(strings.Repeat(item+",", findings), ",") + `]}}`
	}
	object := func(fields string) string {
		return `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},` + fields[1:]
	}
	items := func(item string) string {
		return `{"type":"object","properties":{"m":{"type":"object","additionalProperties":` +
			`{"type":"array","items":` + item + `}}}}`
	}
	below := func(property string) string {
		names := make([]string, findings)
		for i := range names {
			names[i] = fmt.Sprintf(`"p%d":%s`, i, property)
		}
		return `{"type":"object","properties":{"` + key + `":{"type":"object","properties":{` +
			strings.Join(names, ",") + `}}}}`
	}
	crd := func(schema string) string {
		return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":` +
			`{"name":"ks.g.io"},"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks",` +
			`"kind":"K"},"versions":[{"name":"v1","served":true,"storage":true,` +
			`"additionalPrinterColumns":[` + strings.TrimSuffix(strings.Repeat(
			`{"name":"c","type":"string","jsonPath":".m"},`, 1000), ",") +
			`],"schema":{"openAPIV3Schema":` + schema + `}}]}}`
	}
	defaults := `{"type":"object"}`
	for range 9 {
		defaults = `{"type":"object","properties":{"a":{"type":"array","default":[{},{},{},{},{},{},` +
			`{},{}],"items":` + defaults + `}}}`
	}
	const rule = `{"type":"string","x-kubernetes-validations":[{"rule":"self == ''"}]}`
	loop := items(`{"type":"string"}`)
	faults := map[string]string{
		"prune":                   "the paths of the unknown fields take more than 32 MiB",
		"default":                 "the defaults take too much memory",
		"validate":                "the errors take more than 256 MiB: validation was stopped",
		"cel":                     "the failures of rules take more than 64 MiB: no further rules were run",
		"structural":              "the errors take more than 64 MiB: validation was stopped",
		"cost":                    "the paths of the rules take more than 64 MiB",
		"crd":                     "the errors take more than 64 MiB: validation was stopped",
		"crd unknown":             "and more fields, whose paths take more than 32 MiB",
		"crd rules":               "the errors take more than 64 MiB: validation was stopped",
		"crd defaults":            "the errors take more than 64 MiB: validation was stopped",
		"admit":                   "19933 unknown fields have no room",
		"admit, errors":           "the errors take more than 256 MiB: validation was stopped",
		"admit, defaults":         "the defaults of the object take more than 268435456 bytes",
		"admit, memory of a rule": "operation cancelled: values exceed 67108864 bytes evaluating rule: self.a.replace('k', self.a) != ''",
		"admit, duplicates":       "and more fields, whose paths take more than 32 MiB",
		"table":                   "the cells of the table take more than 256 MiB",
	}
	for name, request := range map[string]string{
		"prune":      `"op":"prune","schema":` + items(`{"type":"object"}`) + `,"object":` + list(`{"u":1}`),
		"default":    `"op":"default","schema":` + defaults + `,"object":{}`,
		"validate":   `"op":"validate","schema":` + loop + `,"object":` + list(`1`),
		"cel":        `"op":"cel","schema":` + items(rule) + `,"object":` + list(`"a"`),
		"structural": `"op":"structural","schema":` + below(`{}`),
		"cost": `"op":"cost","schema":` + below(`{"type":"string","x-kubernetes-validations":[`+
			`{"rule":"true"}]}`),
		"crd":         `"op":"crd","crd":` + crd(below(`{}`)),
		"crd unknown": `"op":"crd","crd":` + crd(below(`{"type":"string","u":1}`)),
		"crd rules": `"op":"crd","crd":` + crd(below(`{"type":"string","x-kubernetes-validations":[`+
			`{"rule":"self.x"}]}`)),
		"crd defaults": `"op":"crd","crd":` + crd(below(`{"type":"string","default":1}`)),
		"admit":        `"op":"admit","version":"v1","crd":` + crd(items(`{"type":"object"}`)) + `,"object":` + object(list(`{"u":1}`)),
		"admit, errors": `"op":"admit","version":"v1","crd":` + crd(loop) + `,"object":` +
			object(list(`1`)),
		"admit, defaults": `"op":"admit","version":"v1","crd":` + crd(defaults) + `,"object":` + object(`{"b":1}`),
		"admit, memory of a rule": `"op":"admit","version":"v1","crd":` + crd(`{"type":"object","properties":{`+
			`"a":{"type":"string"}},"x-kubernetes-validations":[{"rule":"self.a.replace('k', self.a) != ''"}]}`) +
			`,"object":` + object(`{"a":"`+key+`"}`),
		"admit, duplicates": `"op":"admit","version":"v1","crd":` + crd(`{"type":"object"}`) + `,"object":` +
			text(object(list(`{"d":1,"d":2}`))),
		"table": `"op":"table","version":"v1","now":"2026-07-01T12:00:00Z","crd":` + crd(`{"type":"object"}`) +
			`,"objects":[` + object(`{"m":"`+key+`"}`) + `]`,
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			answer := protocol.AnswerLine(t.Context(), []byte(`{"id":"1",`+request+`}`), New())
			line := answer.AppendJSON(nil)
			runtime.ReadMemStats(&after)
			if want := `{"id":"1","fault":"` + faults[name] + `"}`; string(line) != want {
				t.Errorf("%.300s, want %s", line, want)
			}
			if made := after.TotalAlloc - before.TotalAlloc; made > most {
				t.Errorf("%d MB were allocated, at most %d", made>>20, most>>20)
			}
		})
	}
}

// text returns JSON as a string of text.
func text(document string) string {
	quoted, err := json.Marshal(document)
	if err != nil {
		return err.Error()
	}
	return string(quoted)
}
