// Package reproduce makes a verdict small enough for a report: the smallest
// definition and object that get the same answer, without the values that may
// be secret.
package reproduce
