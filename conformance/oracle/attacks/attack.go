package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/merge/apply"
)

// attack is one hostile input.
type attack struct {
	name, size string

	prepare subjects
}

// work is what is measured. It returns the outcome, e.g. "admitted".
type work func(ctx context.Context) string

// subjects prepare the work for this library and for the real code, nil where
// that is not run.
type subjects struct{ ours, real func() (work, error) }

// definitionOf returns a definition whose only version has a schema.
func definitionOf(schema string) string {
	return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",` +
		`"metadata":{"name":"ks.g.io"},"spec":{"group":"g.io","scope":"Namespaced",` +
		`"names":{"plural":"ks","kind":"K","singular":"k","listKind":"KList"},"versions":[` +
		`{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":` + schema + `}}]}}`
}

// objectOf returns an object with some fields, as JSON.
func objectOf(fields string) string {
	return `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},` + fields + `}`
}

// versionOf returns the version of a definition, without its rules compiled.
func versionOf(schema string) (*crdsem.Version, error) {
	def, err := crdsem.Parse([]byte(definitionOf(schema)), apply.Server())
	if err != nil {
		return nil, err
	}
	return def.Version("v1")
}

// verdict returns the outcome of a request.
func verdict(r *crdsem.Result) string {
	if err := r.Err(); errors.Is(err, context.DeadlineExceeded) {
		return "deadline"
	} else if err != nil && r.Stage != crdsem.StageInvalid {
		return fmt.Sprintf("%.60s", strings.ReplaceAll(err.Error(), "|", "/"))
	}
	return string(r.Stage)
}

func accepted(ok bool) string {
	if ok {
		return "admitted"
	}
	return "invalid"
}

// creates is an attack by creating an object. Its rules are compiled before.
func creates(name, schema, fields string) attack {
	body := []byte(objectOf(fields))
	return attack{name, sizeOf(len(schema), len(body)), subjects{
		ours: func() (work, error) {
			v, err := versionOf(schema)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context) string {
				return verdict(v.CreateBytes(ctx, body))
			}, v.Prepare(context.Background())
		},
		real: func() (work, error) {
			s, err := kube.NewServing(definitionOf(schema))
			return func(ctx context.Context) string {
				ok, _ := s.CreateJSON(ctx, "v1", body)
				return accepted(ok)
			}, err
		},
	}}
}

// evaluates is an attack by a rule on an object with a string a and a list l.
func evaluates(name, rule string, letters, items int) attack {
	list := strings.TrimSuffix(strings.Repeat(`"x",`, items), ",")
	a := creates(name, ruled(rule),
		fmt.Sprintf(`"a":%q,"l":[%s]`, strings.Repeat("x", letters), list))
	a.name = "rule: " + name
	return a
}

// ruled is a schema with one rule.
func ruled(rule string) string {
	return fmt.Sprintf(`{"type":"object","properties":{"a":{"type":"string"},"l":{"type":"array",`+
		`"items":{"type":"string"}}},"x-kubernetes-validations":[{"rule":%q}]}`, rule)
}

// reads is an attack by the body of a create, e.g. in YAML.
func reads(name, schema, body string) attack {
	return attack{"body: " + name, sizeOf(len(body)), subjects{
		ours: func() (work, error) {
			v, err := versionOf(schema)
			return func(ctx context.Context) string {
				return verdict(v.CreateBytes(ctx, []byte(body)))
			}, err
		},
		real: func() (work, error) {
			handle := kube.New()
			request := &protocol.Request{
				Op: protocol.OpAdmit, CRD: protocol.TextInput(definitionOf(schema)),
				Object: protocol.TextInput(body), Version: "v1",
			}
			return func(ctx context.Context) string { return answered(handle(ctx, request)) }, nil
		},
	}}
}

func answered(result protocol.Result, err error) string {
	if err != nil {
		return fmt.Sprintf("%.60s", err)
	}
	if admitted, ok := result.(protocol.Admitted); ok {
		return admitted.Stage
	}
	return "answered"
}

// defines is an attack by a definition that is validated.
func defines(name, schema string) attack {
	text := definitionOf(schema)
	return attack{"definition: " + name, sizeOf(len(text)), subjects{
		ours: func() (work, error) {
			return func(ctx context.Context) string {
				crd, _, err := definition.Parse([]byte(text))
				if err != nil {
					return "refused"
				}
				found := validate.Create(ctx, crd.ForCreate())
				if found.Err != nil {
					return "deadline"
				}
				return accepted(len(found.Errors) == 0)
			}, nil
		},
		real: func() (work, error) {
			return func(ctx context.Context) string {
				crd, err := kube.DecodeDefinition(text)
				if err != nil {
					return "refused"
				}
				return accepted(crd.Validate(ctx) == nil)
			}, nil
		},
	}}
}

// compiles is an attack by a rule that is compiled.
func compiles(name, rule string) attack {
	a := defines(name, ruled(rule))
	a.name, a.size = "compiled rule: "+name, sizeOf(len(rule))
	return a
}

// patches is an attack by a patch of an object.
func patches(name, stored, patch string, patchType crdsem.PatchType) attack {
	const open = `{"type":"object","x-kubernetes-preserve-unknown-fields":true}`
	return attack{"patch: " + name, sizeOf(len(stored), len(patch)), subjects{
		ours: func() (work, error) {
			v, err := versionOf(open)
			if err != nil {
				return nil, err
			}
			old, err := decoded(objectOf(stored))
			return func(ctx context.Context) string {
				return verdict(v.Patch(ctx, []byte(patch), patchType, old))
			}, err
		},
		real: func() (work, error) { return realPatch(objectOf(stored), patch, patchType), nil },
	}}
}

// applies is an attack by a server-side apply.
func applies(name, schema, stored, config string) attack {
	return attack{"apply: " + name, sizeOf(len(stored), len(config)), subjects{
		ours: func() (work, error) {
			v, err := versionOf(schema)
			if err != nil {
				return nil, err
			}
			live, err := decoded(stored)
			if err != nil {
				return nil, err
			}
			wanted, err := decoded(config)
			return func(ctx context.Context) string {
				return verdict(v.Apply(ctx, wanted, live, crdsem.FieldManager("m"), crdsem.Force()))
			}, err
		},
		real: func() (work, error) { return realApply(definitionOf(schema), stored, config) },
	}}
}

func decoded(text string) (object map[string]any, err error) {
	if text == "" {
		return nil, nil
	}
	err = json.Unmarshal([]byte(text), &object)
	return object, err
}

// sizeOf writes lengths, e.g. "3 KB, 1.2 MB".
func sizeOf(lengths ...int) string {
	texts := make([]string, len(lengths))
	for i, n := range lengths {
		if n < 1_000_000 {
			texts[i] = fmt.Sprintf("%.1f KB", float64(n)/1e3)
		} else {
			texts[i] = fmt.Sprintf("%.1f MB", float64(n)/1e6)
		}
	}
	return strings.Join(texts, ", ")
}
