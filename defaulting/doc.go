// Package defaulting removes the nulls that a structural schema does not allow
// and fills in its defaults, e.g. `spec.replicas: 1` where the field is absent.
//
// A program calls [PruneDefaults] once for a schema, and [DropNulls] and then
// [Default] for each object to get what a server goes on with. Without
// PruneDefaults, a default brings fields that the schema does not specify.
//
// # Terms
//
//   - nullable: null is a value of the field.
//   - specified: the schema names the field in properties, or admits it by a
//     schema in additionalProperties.
//   - completed: a default is copied into the object and then gets the defaults
//     that the schema has below it, e.g. {} becomes {"replicas": 1}.
//
// # What happens to a field
//
// After [DropNulls] and then [Default], where D is the schema's default:
//
//	field                                        | absent | null    | present
//	specified                                    | absent | removed | kept
//	specified, default D                         | D      | D       | kept
//	specified, nullable                          | absent | null    | kept
//	specified, nullable, default D               | D      | null    | kept
//	key of additionalProperties                  | absent | removed | kept
//	key of additionalProperties, default D       | absent | D       | kept
//	key of additionalProperties, nullable        | absent | null    | kept
//	key of additionalProperties, nullable, D     | absent | null    | kept
//	item of a list                               | absent | null    | kept
//	item of a list, default D                    | absent | D       | kept
//	item of a list, nullable                     | absent | null    | kept
//	item of a list, nullable, default D          | absent | null    | kept
//	unspecified (preserved, or any key allowed)  | absent | null    | kept
//
// # Specification
//
// Rules DEF-001 to DEF-045;
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting.
package defaulting
