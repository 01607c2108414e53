// Package regexmatch matches strings against the regular expressions of
// schemas, e.g. `^[a-z0-9]+$`. It answers as Go's regexp does, many times
// faster for the usual patterns.
//
// A usual pattern becomes a table of states, a deterministic automaton, with
// one look-up for each byte. The automaton is built when the pattern is
// compiled, and its size is bounded. It knows ASCII only. Go's regexp matches
// everything else:
//
//   - strings with a character outside ASCII,
//   - patterns with word boundaries or line anchors,
//   - patterns with too many states.
//
// # Terms
//
//   - match: the pattern is found anywhere in the string.
//   - thread: one way in which the pattern can go on from a place in the
//     string.
//   - state: the set of all threads at a place. The automaton moves from state
//     to state, one character at a time.
//
// # Specification
//
// Rules VAL-042 and VAL-043; https://github.com/google/re2/wiki/Syntax.
package regexmatch
