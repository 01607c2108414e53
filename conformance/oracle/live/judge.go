package live

import "errors"

// judge is an implementation whose verdicts are held against the server's answers.
type judge interface {
	// definition judges a CRD object on create or, where old is not nil, on update.
	definition(crd, old []byte) (*verdict, error)
	// open prepares for the requests to a CRD that the server accepted.
	open(crd []byte) (resourceJudge, error)
}

// resourceJudge judges requests to one CRD. A method that cannot tell returns errUnjudged.
type resourceJudge interface {
	// write judges a create, an update or a status update.
	write(w *write) (*verdict, error)
	// read says what a read in a version returns for the bytes that etcd holds.
	read(version string, stored []byte) (any, error)
	// readWarnings says which warnings a read in a version brings.
	readWarnings(version string) ([]string, error)
}

// errUnjudged says that an implementation has no verdict on a question.
var errUnjudged = errors.New("not judged")

// write is a request that creates or updates an object.
type write struct {
	version         string
	subresource     string // "" or "status"
	fieldValidation string // "", "Strict", "Warn" or "Ignore"
	media           string // mediaJSON or mediaYAML
	body            []byte
	old             []byte // what is stored, with its resourceVersion; nil on create
}

// stage is how far a request came.
type stage string

const (
	stageDecode   stage = "decode"   // refused with 400 before validation
	stageInvalid  stage = "invalid"  // refused with 422
	stageAdmitted stage = "admitted" // carried out
)

// verdict is what an implementation, or the server, says to a write.
type verdict struct {
	stage    stage
	message  string    // at stageDecode
	errors   []finding // at stageInvalid
	warnings []string
	returned any    // the object in the answer at stageAdmitted; nil if not told
	stored   []byte // what etcd holds then; nil if not told
}

// finding is one error of an object.
type finding struct{ Type, Field, Message string }
