// Package jsonschema compares the schemas of internal/app/jsonschema with the
// library: kubeconform and yaml-language-server judge objects by the schemas.
// They have to find what the library finds, except for what JSON Schema cannot
// say.
package jsonschema
