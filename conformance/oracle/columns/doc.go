// Package columns compares the tables of package columns with those of the
// server's table convertor, and its JSONPath with that of client-go.
package columns
