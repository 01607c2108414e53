// Package sample makes objects of a definition for people: the smallest one
// that the server admits, and one that has every field with a comment.
//
//	object, err := sample.Smallest(ctx, version, search)
//	text := sample.YAML(object)
//	text = sample.Full(version)
package sample
