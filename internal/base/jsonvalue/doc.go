// Package jsonvalue defines the one object representation of this module: JSON
// in the Go types that the API server uses. A value is map[string]any, []any,
// string, bool, int64, float64 or nil, and nothing else. For example,
// {"spec":{"replicas":3}} is map[string]any{"spec": map[string]any{"replicas":
// int64(3)}}.
//
// # Contents
//
//   - value.go: copies, kinds and the check that a value is of these types.
//   - equality.go: the equalities of values, with a table of how they differ.
//   - decode.go: the entry points for JSON and YAML. They choose between the
//     fast readers (packages jsonfast and yamlfast) and the libraries.
//   - encode.go, asstored.go: JSON as written, and values as read back.
//
// # Specification
//
// Decoding follows the API server (rules PIPE-001 to PIPE-005). Keys are
// case-sensitive and integers are kept as int64. The last of duplicate keys
// wins, and each duplicate is reported once. Nesting is limited to 10,000
// levels. YAML is read as YAML 1.1 and converted to JSON first.
package jsonvalue
