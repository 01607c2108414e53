// Command celgo answers the op cel with cel-go and the libraries of
// k8s.io/apiserver alone: values have no types of a schema, nothing is
// estimated or ratcheted, and list items have no old value.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/cel/environment"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/conformance/ports/internal/adapter"
)

type schema struct {
	Properties           map[string]*schema `json:"properties"`
	AdditionalProperties json.RawMessage    `json:"additionalProperties"`
	Items                *schema            `json:"items"`
	Validations          []struct {
		Rule    string `json:"rule"`
		Message string `json:"message"`
	} `json:"x-kubernetes-validations"`
}

type walk struct {
	env    *cel.Env
	errors []any
}

func main() {
	set, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(
		environment.VersionedOptions{
			IntroducedVersion: environment.DefaultCompatibilityVersion(),
			EnvOptions: []cel.EnvOption{
				cel.Variable("self", cel.DynType), cel.Variable("oldSelf", cel.DynType),
			},
		})
	if err != nil {
		panic(err)
	}
	env := set.StoredExpressionsEnv()
	adapter.Serve("cel-go", "cel", func(r *adapter.Request) adapter.Answer {
		return evaluate(env, r)
	})
}

// evaluate evaluates the rules of a schema.
func evaluate(env *cel.Env, r *adapter.Request) adapter.Answer {
	s, object, old := &schema{}, any(nil), any(nil)
	err := errors.Join(read(r.Schema, s), read(r.Object, &object))
	if err == nil && len(r.Old) > 0 {
		err = read(r.Old, &old)
	}
	if err != nil {
		return adapter.Fault(err)
	}
	w := &walk{env, []any{}}
	w.node("", s, object, old)
	return adapter.Answer{"errors": w.errors, "warnings": []any{}, "cost": nil}
}

func (w *walk) node(path string, s *schema, value, old any) {
	if s == nil || value == nil {
		return
	}
	for _, v := range s.Validations {
		w.rule(path, v.Rule, v.Message, value, old)
	}
	switch value := value.(type) {
	case map[string]any:
		before, _ := old.(map[string]any)
		values := &schema{} // none if it is a boolean, or not given
		_ = json.Unmarshal(s.AdditionalProperties, values)
		for key, member := range value {
			of := cmp.Or(s.Properties[key], values)
			w.node(strings.TrimPrefix(path+"."+key, "."), of, member, before[key])
		}
	case []any:
		for i, item := range value {
			w.node(fmt.Sprintf("%s[%d]", path, i), s.Items, item, nil)
		}
	}
}

func (w *walk) rule(path, rule, message string, value, old any) {
	if old == nil && strings.Contains(rule, "oldSelf") {
		return
	}
	ast, issues := w.env.Compile(rule)
	if issues.Err() != nil {
		w.fail(path, issues.Err().Error())
		return
	}
	var out ref.Val
	program, err := w.env.Program(ast, cel.CostLimit(1_000_000))
	if err == nil {
		out, _, err = program.Eval(map[string]any{"self": value, "oldSelf": old})
	}
	switch {
	case err != nil:
		w.fail(path, err.Error())
	case out.Value() != true:
		w.fail(path, cmp.Or(message, "failed rule: "+rule))
	}
}

func (w *walk) fail(path, text string) {
	w.errors = append(w.errors, map[string]any{
		"type": "FieldValueInvalid", "field": path, "detail": text, "text": path + ": " + text,
	})
}

// read decodes an input: a value, or a string of JSON or YAML.
func read(raw json.RawMessage, into any) error {
	doc, err := yaml.YAMLToJSON(adapter.Document(raw))
	if err != nil {
		return err
	}
	return utiljson.Unmarshal(doc, into)
}
