// Package mutations has what expressions of mutating admission policies are
// tested with: the real types and those of this library.
package mutations

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"google.golang.org/protobuf/types/known/structpb"
)

// Variables returns the variables of the expressions of mutations: d is 1, and
// o has a list, a map and a null.
func Variables() map[string]any {
	return map[string]any{"d": types.IntOne, "o": map[string]any{
		"l": []any{int64(1), int64(2)}, "n": nil,
		"m": map[string]any{"k": []any{"v", map[string]any{"z": nil}}},
	}}
}

// Test asks for what expressions of mutations come to. The file has in each
// line an expression, a tab and what it comes to, as showMade writes it.
func Test(t *testing.T, file string, ask func(expression string) (ref.Val, error)) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		expression, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if got := showMade(ask(expression)); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", expression, got, want)
		}
	}
}

// showMade returns the type and the text of a value; an object's is JSON.
func showMade(v ref.Val, err error) string {
	if err != nil {
		return fmt.Sprintf("error %q", err)
	}
	name := v.Type().TypeName()
	if name != "Object" && !strings.HasPrefix(name, "Object.") {
		return name + " " + types.Format(v)
	}
	value, err := v.ConvertToNative(reflect.TypeFor[*structpb.Value]())
	if err != nil {
		return fmt.Sprintf("%s error %s", name, plainSpaces(err.Error()))
	}
	made, ok := value.(*structpb.Value)
	if !ok {
		return fmt.Sprintf("%s %T", name, value)
	}
	text, err := json.Marshal(made.AsInterface())
	if err != nil {
		return fmt.Sprintf("%s error %v", name, err)
	}
	return name + " " + string(text)
}

// plainSpaces replaces the spaces that package protobuf varies on purpose.
func plainSpaces(text string) string { return strings.ReplaceAll(text, "\u00a0", " ") }
