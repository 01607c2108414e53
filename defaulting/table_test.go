package defaulting_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/structural"
)

// kinds are the kinds of fields in the table of the package documentation. %s
// stands for the keywords nullable and default.
var kinds = []struct {
	name, schema string
	variants     []string
	place        func(value any, present bool) any
}{
	{"specified", `{"properties":{"f":{%s}}}`, []string{"", ", default D", ", nullable", ", nullable, default D"}, inObject},
	{"key of additionalProperties", `{"additionalProperties":{%s}}`, []string{"", ", default D", ", nullable", ", nullable, D"}, inObject},
	{"item of a list", `{"items":{%s}}`, []string{"", ", default D", ", nullable", ", nullable, default D"}, inList},
	{"unspecified (preserved, or any key allowed)", `{"x-kubernetes-preserve-unknown-fields":true}`, []string{""}, inObject},
	{"unspecified (preserved, or any key allowed)", `{"additionalProperties":true}`, []string{""}, inObject},
}

func inObject(value any, present bool) any {
	if !present {
		return map[string]any{}
	}
	return map[string]any{"f": value}
}

func inList(value any, present bool) any {
	if !present {
		return []any{}
	}
	return []any{value}
}

// outcome names the result for a field.
func outcome(container any) string {
	var value any
	switch c := container.(type) {
	case map[string]any:
		v, ok := c["f"]
		if !ok {
			return "absent"
		}
		value = v
	case []any:
		if len(c) == 0 {
			return "absent"
		}
		value = c[0]
	}
	switch value {
	case nil:
		return "null"
	case "D":
		return "D"
	case "V":
		return "kept"
	}
	return fmt.Sprintf("unexpected %v", value)
}

// The table in the package documentation is what the code does (DEF-036).
func TestTableInDocumentation(t *testing.T) {
	var lines []string
	for _, kind := range kinds {
		for _, variant := range kind.variants {
			line := row(t, kind.schema, kind.name+variant, kind.place)
			if len(lines) == 0 || lines[len(lines)-1] != line {
				lines = append(lines, line)
			}
		}
	}
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	if table := strings.Join(lines, "\n") + "\n"; !strings.Contains(string(doc), table) {
		t.Errorf("doc.go does not have this table:\n%s", table)
	}
}

func row(t *testing.T, schemaText, name string, place func(any, bool) any) string {
	t.Helper()
	var keywords []string
	if strings.Contains(name, "nullable") {
		keywords = append(keywords, `"nullable":true`)
	}
	if strings.HasSuffix(name, "D") {
		keywords = append(keywords, `"default":"D"`)
	}
	if strings.Contains(schemaText, "%s") {
		schemaText = fmt.Sprintf(schemaText, strings.Join(keywords, ","))
	}
	schema := testschema.Schema(t, schemaText)
	absent := after(place(nil, false), schema)
	null := after(place(nil, true), schema)
	if null == "absent" {
		null = "removed"
	}
	present := after(place("V", true), schema)
	return fmt.Sprintf("//\t%-44s | %-6s | %-7s | %s", name, absent, null, present)
}

func after(value any, schema *structural.Schema) string {
	value = jsonvalue.DeepCopy(value)
	defaulting.DropNulls(value, schema)
	defaulting.Default(value, schema)
	return outcome(value)
}
