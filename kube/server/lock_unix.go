//go:build unix && !solaris && !illumos && !aix

package server

import (
	"os"
	"syscall"
)

// tryLock locks a file for this process until it is closed. It fails if another
// one has it.
func tryLock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
