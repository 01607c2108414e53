package yaml11_test

import (
	"strconv"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/kit/yaml11"
)

// Texts are booleans for the server's YAML library if they are for Bool.
func TestBool(t *testing.T) {
	for _, text := range []string{
		"y", "Y", "yes", "Yes", "YES", "yEs", "yES", "on", "On", "ON", "oN", "true", "True", "TRUE", "tRUE",
		"n", "N", "no", "No", "NO", "nO", "off", "Off", "OFF", "oFF", "false", "False", "FALSE", "falsE",
		"a", "null", "ye", "é", "É",
	} {
		var read map[string]any
		if err := yaml.Unmarshal([]byte("a: "+text), &read); err != nil {
			t.Fatal(err)
		}
		want, isBool := read["a"].(bool)
		value, ok := yaml11.Bool(text)
		if ok != isBool || ok && value != strconv.FormatBool(want) {
			t.Errorf("%s: %q %v, the server reads %v", text, value, ok, read["a"])
		}
	}
	if _, ok := yaml11.Bool(""); ok {
		t.Error("an empty text is a boolean")
	}
}
