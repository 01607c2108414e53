// Package relang compares the languages of regular expressions. It decides
// whether every string of one [Language] is a string of another one, e.g. that
// those of `^[a-z]{1,5}$` are those of `^[a-z]+$`, and finds the shortest
// string that is not. [Shortest] finds the shortest string of one.
//
// # Terms
//
//   - language: the strings that match some patterns and have a length within
//     some bounds.
//   - machine: the deterministic automaton of one pattern. Its states are built
//     when they are first reached.
//   - letter: a set of characters that no pattern of a comparison
//     distinguishes.
//
// Patterns have the syntax and the meaning of package regexp: a pattern is
// found anywhere in the string, unless it is anchored. All of the syntax is
// understood, word boundaries and multi-line anchors too. A comparison has a
// budget of steps, beyond which it is undecided.
package relang
