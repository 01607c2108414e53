// Command celgo answers the op cel with cel-go and the libraries of
// k8s.io/apiserver alone: values have no types of a schema, nothing is
// estimated or ratcheted, and list items have no old value.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/cel/environment"
	"sigs.k8s.io/yaml"
)

type request struct {
	ID                  string
	Schema, Object, Old json.RawMessage
}

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
	fmt.Println(`{"protocol":1,"name":"cel-go","ops":["cel"]}`)
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
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		_ = json.Unmarshal(line, &r)
		answer := evaluate(env, &r)
		answer["id"] = r.ID
		text, _ := json.Marshal(answer)
		fmt.Println(string(text))
	}
}

func evaluate(env *cel.Env, r *request) (answer map[string]any) {
	defer func() {
		if p := recover(); p != nil {
			answer = map[string]any{"fault": fmt.Sprint("panic: ", p)}
		}
	}()
	s, object, old := &schema{}, any(nil), any(nil)
	err := errors.Join(read(r.Schema, s), read(r.Object, &object))
	if err == nil && len(r.Old) > 0 {
		err = read(r.Old, &old)
	}
	if err != nil {
		return map[string]any{"fault": err.Error()}
	}
	w := &walk{env, []any{}}
	w.node("", s, object, old)
	return map[string]any{"errors": w.errors, "warnings": []any{}, "cost": nil}
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
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	doc, err := yaml.YAMLToJSON(raw)
	if err != nil {
		return err
	}
	return utiljson.Unmarshal(doc, into)
}
