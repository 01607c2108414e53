package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/conversion/webhook"
)

// webhookChoice is the conversion webhook of a command line.
type webhookChoice struct{ url, caFile string }

// webhookFlags declares --webhook and --ca.
func webhookFlags(cmd *cobra.Command, to *webhookChoice) {
	flags := cmd.Flags()
	flags.StringVar(&to.url, "webhook", "",
		"ask the converter at this https `URL` where the definition's strategy is Webhook")
	flags.StringVar(&to.caFile, "ca", "",
		"trust the PEM certificates of this `FILE` at the webhook, not the system's")
}

// open returns the client of the webhook, or nil if none is asked for; stop
// closes it.
func (w *webhookChoice) open() (hook conversion.Webhook, stop func(), err error) {
	switch {
	case w.url == "" && w.caFile != "":
		return nil, nil, errUsage("--ca needs --webhook")
	case w.url == "":
		return nil, func() {}, nil
	}
	config := conversion.ClientConfig{URL: w.url}
	if w.caFile != "" {
		if config.CABundle, err = os.ReadFile(w.caFile); err != nil {
			return nil, nil, err
		}
	}
	// http in a URL is meant.
	client, err := webhook.New(conversion.Spec{CRD: w.url, Client: config}, webhook.AllowHTTP(),
		webhook.Timeout(callTimeout))
	if err != nil {
		return nil, nil, fmt.Errorf("--webhook: %w", err)
	}
	return &patientWebhook{hook: client}, client.Close, nil
}

// callTimeout is how long a webhook may take, as at the server. Tests change
// it.
var callTimeout = webhook.DefaultTimeout

// patience is how many calls in a row may take all their time before a webhook
// is not asked any more.
const patience = 3

// patientWebhook stops asking a webhook that does not answer.
type patientWebhook struct {
	hook conversion.Webhook
	late atomic.Int32 // calls in a row
	last atomic.Pointer[error]
}

// Call asks the webhook.
func (p *patientWebhook) Call(ctx context.Context, review []byte) ([]byte, error) {
	if p.late.Load() >= patience {
		return nil, *p.last.Load()
	}
	answer, err := p.hook.Call(ctx, review)
	if isTimeout(err) && ctx.Err() == nil {
		p.last.Store(&err)
		p.late.Add(1)
	} else {
		p.late.Store(0)
	}
	return answer, err
}

// isTimeout reports whether a call ended because its time was over.
func isTimeout(err error) bool {
	timed, ok := errors.AsType[net.Error](err)
	return ok && timed.Timeout() || errors.Is(err, context.DeadlineExceeded)
}
