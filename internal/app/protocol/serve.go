package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Handler carries out one request. It returns a result, or an error whose text
// becomes the fault. It may be called from several goroutines at a time. A
// panic of the handler becomes a fault whose text starts with "panic:".
type Handler func(ctx context.Context, req *Request) (Result, error)

// Options configures [Serve]. The zero value answers one request at a time.
type Options struct {
	// Parallel is the number of requests that are evaluated at a time. Values
	// below 2 mean one.
	Parallel int
	// Timeout ends the evaluation of a request, which is a fault then; 0 means
	// that nothing does.
	Timeout time.Duration
}

// Serve reads request lines from in until its end. It writes an answer line to
// out for each, in the order of the requests, flushed one by one. Lines that
// are not valid requests do not stop it. It returns the error of reading or
// writing, or that of a canceled context, which it checks between two lines.
// After an error it may leave a goroutine behind that waits for a last line of
// in.
//
// The requests are those of one [Session]. A definition that a request names is
// known to all requests after it, also if several are evaluated at a time.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options, handler Handler) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	workers := max(opts.Parallel, 1)
	s := &server{
		lines:   newLineReader(in),
		out:     bufio.NewWriterSize(out, 64<<10),
		session: NewSession(handler),
		free:    make(chan struct{}, workers),
		queue:   make(chan chan *Answer, workers),
		timeout: opts.Timeout,
	}
	go s.read(ctx, cancel)
	return s.write(ctx)
}

// server is the state of one call of Serve. The reading goroutine starts the
// evaluations and queues a place for each answer. The writing goroutine takes
// the places in order and waits for their answers.
type server struct {
	lines   *lineReader
	out     *bufio.Writer
	session *Session
	free    chan struct{}     // one element for each running evaluation
	queue   chan chan *Answer // places of answers in the order of requests
	timeout time.Duration
}

// read starts an evaluation for every line. It closes the queue at the end of
// the input, and cancels the context if reading fails.
func (s *server) read(ctx context.Context, cancel context.CancelCauseFunc) {
	for {
		line, err := s.lines.next()
		if err != nil && err != errLongLine {
			if err != io.EOF {
				cancel(err)
				return
			}
			close(s.queue)
			return
		}
		select {
		case s.free <- struct{}{}:
		case <-ctx.Done():
			return
		}
		answer := s.answer(line, err)
		place := make(chan *Answer, 1)
		go func() {
			place <- s.within(ctx, answer)
			<-s.free
		}()
		select {
		case s.queue <- place:
		case <-ctx.Done():
			return
		}
	}
}

// errTimeout is the fault of a request that takes too long.
var errTimeout = errors.New("the request took too long")

// within answers within the time of a request.
func (s *server) within(ctx context.Context, answer func(context.Context) *Answer) *Answer {
	if s.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, s.timeout, errTimeout)
		defer cancel()
	}
	return answer(ctx)
}

// write writes the answers in order until the queue ends or the context does.
func (s *server) write(ctx context.Context) error {
	var buf []byte
	for {
		var place chan *Answer
		var more bool
		select {
		case place, more = <-s.queue:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if !more {
			return nil
		}
		answer := <-place
		buf = append(answer.AppendJSON(buf[:0]), '\n')
		if _, err := s.out.Write(buf); err != nil {
			return err
		}
		if err := s.out.Flush(); err != nil {
			return err
		}
	}
}

// answer returns the function that answers a line. What depends on the order of
// the lines is done before it returns.
func (s *server) answer(line []byte, err error) func(context.Context) *Answer {
	switch {
	case err != nil:
		return always(&Answer{Fault: err.Error()})
	case dependsOnOrder(line):
		return s.session.read(line)
	}
	return func(ctx context.Context) *Answer { return s.session.Answer(ctx, line) }
}

// AnswerLine answers one request line. It never returns nil.
func AnswerLine(ctx context.Context, line []byte, handler Handler) *Answer {
	req, err := ParseRequest(line)
	if err != nil {
		return &Answer{ID: req.ID, Fault: err.Error()}
	}
	return AnswerRequest(ctx, req, handler)
}

// AnswerRequest answers one request. It never returns nil.
func AnswerRequest(ctx context.Context, req *Request, handler Handler) (answer *Answer) {
	answer = &Answer{ID: req.ID}
	defer func() {
		if p := recover(); p != nil {
			answer.Result, answer.Fault = nil, fmt.Sprintf("panic: %v", p)
		}
	}()
	result, err := handler(ctx, req)
	switch {
	case err != nil && err.Error() == "":
		answer.Fault = "the request failed without a reason"
	case err != nil:
		answer.Fault = err.Error()
	default:
		answer.Result = result
	}
	return answer
}
