// Package book writes folders of Markdown as pages of the site: the
// specification and the documentation. A book has a page for each chapter of
// its table of contents, with the anchors of the source.
//
// Examples of vectors are elements of the class "example" that contain the
// request as JSON in a script element, so that the page can send it.
package book
