package wasmfile

import (
	"encoding/binary"
	"errors"
)

var errTruncated = errors.New("the file ends too early")

// A Reader reads the numbers and byte strings of WebAssembly. After an error it
// returns nothing more.
type Reader struct {
	data []byte
	size int
	err  error
}

// NewReader returns a reader of the data.
func NewReader(data []byte) *Reader { return &Reader{data: data, size: len(data)} }

// Err returns the first error.
func (r *Reader) Err() error { return r.err }

// More reports whether there is more to read.
func (r *Reader) More() bool { return len(r.data) > 0 }

// Offset returns how many bytes were read.
func (r *Reader) Offset() int { return r.size - len(r.data) }

// Byte reads a byte.
func (r *Reader) Byte() byte {
	b := r.Take(1)
	if len(b) == 0 {
		return 0
	}
	return b[0]
}

// Number reads an unsigned number of 32 bits.
func (r *Reader) Number() int {
	n, size := binary.Uvarint(r.data)
	if size <= 0 || n > 1<<32-1 {
		r.fail()
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

// Signed reads a signed number of 32 or 64 bits.
func (r *Reader) Signed() int64 {
	var n int64
	for shift := 0; shift < 70; shift += 7 {
		b := r.Byte()
		n |= int64(b&0x7f) << shift
		if b < 0x80 {
			if unused := 64 - shift - 7; unused > 0 {
				n = n << unused >> unused // the sign
			}
			return n
		}
	}
	r.fail()
	return 0
}

// Bytes reads a length and as many bytes.
func (r *Reader) Bytes() []byte { return r.Take(r.Number()) }

// Take reads so many bytes.
func (r *Reader) Take(n int) []byte {
	if n > len(r.data) {
		r.fail()
		return nil
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}

func (r *Reader) fail() { r.data, r.err = nil, errTruncated }
