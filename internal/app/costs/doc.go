// Package costs provides the estimated costs of the validation rules of a
// definition, one table for each version, with the edits of the schema that
// bring a rule below its limit.
//
// # Terms
//
//   - share: a cost divided by its limit, e.g. 0.5.
//   - bound: maxItems, maxProperties or maxLength.
//   - edit: a bound to set in the schema.
//
// # Specification
//
// Rules COST-001 to COST-024.
package costs
