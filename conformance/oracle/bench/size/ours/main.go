// Command ours is the smallest program that judges custom resources with this
// library. Its size is measured.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/crdsem/crdsem"
)

func main() {
	crd, err := os.ReadFile(os.Args[1])
	check(err)
	object, err := os.ReadFile(os.Args[2])
	check(err)
	def, err := crdsem.Parse(crd)
	check(err)
	version, err := def.Version(os.Args[3])
	check(err)
	result := version.CreateBytes(context.Background(), object)
	fmt.Println(result.Stage, result.Errors, result.Object)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
