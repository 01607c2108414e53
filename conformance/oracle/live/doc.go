// Package live x
package live
