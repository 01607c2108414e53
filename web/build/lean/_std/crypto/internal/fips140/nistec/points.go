package nistec

// A point has the methods that points of all curves have. The program parses
// keys, but does not use them.
type point[P any] struct{}

const unused = "nistec: the program was built without signatures"

func (*point[P]) Bytes() []byte                    { panic(unused) }
func (*point[P]) BytesX() ([]byte, error)          { panic(unused) }
func (*point[P]) SetBytes([]byte) (P, error)       { panic(unused) }
func (*point[P]) Add(P, P) P                       { panic(unused) }
func (*point[P]) Double(P) P                       { panic(unused) }
func (*point[P]) ScalarMult(P, []byte) (P, error)  { panic(unused) }
func (*point[P]) ScalarBaseMult([]byte) (P, error) { panic(unused) }

// Points of the curves.
type (
	P224Point struct{ point[*P224Point] }
	P256Point struct{ point[*P256Point] }
	P384Point struct{ point[*P384Point] }
	P521Point struct{ point[*P521Point] }
)

func NewP224Point() *P224Point { return &P224Point{} }
func NewP256Point() *P256Point { return &P256Point{} }
func NewP384Point() *P384Point { return &P384Point{} }
func NewP521Point() *P521Point { return &P521Point{} }

func P256OrdInverse([]byte) ([]byte, error) { panic(unused) }
