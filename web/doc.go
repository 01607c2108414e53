// Package web is empty for Go: it is the module of the page and of the npm
// package, which run this library in JavaScript. README.md describes them.
package web
