// Command kubectl runs the commands of a transcript and compares what they
// print. See run.sh.
//
// A line "$ COMMAND" is a command for a shell. The lines up to the next empty
// one are its output and its errors. A line "..." stands for any lines. A line
// "< NAME" begins a file whose lines follow.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: kubectl TRANSCRIPT")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	passed, failed := 0, 0
	for part := range strings.SplitSeq(string(text), "\n\n") {
		head, rest, _ := strings.Cut(strings.Trim(part, "\n"), "\n")
		if name, ok := strings.CutPrefix(head, "< "); ok {
			if err := os.WriteFile(name, []byte(rest+"\n"), 0o600); err != nil {
				return err
			}
			continue
		}
		command, ok := strings.CutPrefix(head, "$ ")
		if !ok {
			continue // a comment
		}
		// a command that fails prints why
		out, _ := exec.Command("sh", "-c", command).CombinedOutput()
		if got := strings.TrimRight(string(out), "\n"); matches(got, rest) {
			passed++
		} else {
			failed++
			fmt.Printf("$ %s\n%s\n--- want\n%s\n\n", command, got, rest)
		}
	}
	fmt.Printf("%d of %d commands print what the transcript says\n", passed, passed+failed)
	if failed > 0 {
		return fmt.Errorf("%d differ", failed)
	}
	return nil
}

// matches reports whether an output has the lines of a text in order, of which
// "..." stands for any.
func matches(got, want string) bool {
	parts := strings.Split("\n"+want+"\n", "\n...")
	got = "\n" + got + "\n"
	for i, part := range parts {
		at := strings.Index(got, part)
		if at < 0 || i == 0 && at > 0 {
			return false
		}
		got = got[at+len(part):]
		if i < len(parts)-1 {
			got = "\n" + strings.TrimPrefix(got, "\n")
		}
	}
	return strings.HasSuffix(want, "...") || strings.TrimSpace(got) == ""
}
