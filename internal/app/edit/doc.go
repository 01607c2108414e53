// Package edit answers what an editor asks about manifests while they are
// typed: what is wrong, what can stand here, what a field means, how to fix
// it.
//
//	w := edit.NewWorkspace(edit.UTF16)
//	w.Set(ctx, "crd.yaml", crd)
//	w.Set(ctx, "app.yaml", text)
//	w.Diagnose(ctx, "app.yaml")           // as crdsem validate and check say it
//	w.Complete("app.yaml", position)      // fields and values
//	w.Hover("app.yaml", position)         // a field's type, constraints and rules
//	w.Actions(ctx, "app.yaml", a, b)      // edits that fix findings
//
// It knows no protocol; `crdsem lsp` has it for editors.
//
// # Terms
//
//   - workspace: the files that are known: open ones, with what is typed, and
//     those with definitions.
//   - position: a line and a column from 0. Columns count what the workspace's
//     Encoding says, as editors do.
//   - way: the keys from the top of a document to a position.
//
// # Unfinished text
//
// Text that is being typed often does not parse. The way to a position is
// therefore read from lines and their indentation, not from a tree. Diagnose
// says where the text does not parse, and judges the other documents.
// Unfinished flow style ends at the first line that is not indented more than
// what holds it.
package edit
