// Package migrating compares what programs import from Kubernetes' own code
// with what they write with this library, for each row of docs/migrating.md.
package migrating
