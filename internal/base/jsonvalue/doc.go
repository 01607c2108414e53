// Package unstructured is the one object representation of this module: what JSON can say, in the Go shapes that the API
// server uses. A value is map[string]any, []any, string, bool, int64, float64 or nil, and nothing else.
//
// # Specification
//
// Decoding follows the API server (rules PIPE-001 to PIPE-005): case-sensitive keys, integers kept as int64, the last of
// duplicate keys wins and each duplicate is told once, nesting limited to 10,000 levels; YAML is read as YAML 1.1 and turned into JSON first.
package jsonvalue
