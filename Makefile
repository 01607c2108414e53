# `make quick` checks a change. `make` checks every module. .ci/run does that as well, and builds and
# tests the page, fuzzes for a minute, and builds for other systems.
# `make help` lists the targets, and the Makefiles of folders that have targets of their own.
GO         ?= go
# golangci-lint runs go vet and staticcheck among others; .golangci.yml has the list.
LINT        = $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run --timeout 20m
ORACLE      = conformance/oracle
# The modules that most changes touch.
QUICK       = . cmd/crdsem kube kube/server
# The modules of the workspace, except the oracle.
MODULES     = . cmd/crdsem kube kube/server examples/controller kit/fleet web tools
# What lint checks: modules of the workspace in one run, which reads what they share once, and those
# with a workspace of their own.
LINTED      = $(filter-out $(ALONE),$(MODULES)) $(ORACLE)
ALONE       = kit/fleet
SEED       ?= 1
FUZZTIME   ?= 5m
FUZZCACHE  ?= $(shell $(GO) env GOCACHE)/fuzz
FUZZ       ?= -time $(FUZZTIME)
# Other folders with a Makefile.
FOLDERS     = conformance/oracle tools/release web cmd/crdsem/editors

.PHONY: all
all: lint test ## lint and test every module

.PHONY: quick
quick: ## lint and test the library, the command, kube and its server: minutes with warm caches
	@$(MAKE) --no-print-directory lint LINTED="$(QUICK)" ALONE=
	for m in $(QUICK); do (cd $$m && $(GO) test -vet=off -short -timeout 20m ./...) || exit 1; done
	cd tools && $(GO) test -vet=off -short -timeout 20m -count=1 ./checks/...

.PHONY: test
test: ## run the tests of every module, without go vet, which lint runs; etcd: a live API server too
	for m in $(filter-out tools,$(MODULES)); do (cd $$m && $(GO) test -vet=off -timeout 30m ./...) || exit 1; done
	cd tools && $(GO) test -vet=off -timeout 30m -count=1 ./... # no cache: they read files of other modules
	cd $(ORACLE) && $(GO) test -vet=off -short -timeout 30m ./...

.PHONY: race
race: ## run the tests with the race detector, except the oracle's; a minute of faults in the server
	for m in $(MODULES); do (cd $$m && CRDSEM_FAULTS=60s $(GO) test -race -timeout 60m ./...) || exit 1; done

.PHONY: lint
lint: ## gofmt and golangci-lint (go vet among others) on every module; the library builds alone
	@out=$$(gofmt -l .); [ -z "$$out" ] || { echo "not gofmt'ed:"; echo "$$out"; exit 1; }
	GOWORK=off $(GO) build ./...
	$(LINT) $(LINTED:%=./%/...)
	for m in $(ALONE); do (cd $$m && $(LINT)) || exit 1; done

.PHONY: vectors
vectors: ## ask the real code again what vectors and cases ask; a drift fails
	cd $(ORACLE) && $(GO) run . record -check

.PHONY: live
live: ## compare with a running API server over etcd (SEED; LIVE=-short for this repository's CRDs only)
	cd $(ORACLE) && $(GO) test -count=1 -timeout 60m -v -run '^Test(Live|Fake|Server|HTTP|Policies)$$' ./live -live.required -live.seed $(SEED) $(LIVE)

.PHONY: fuzz
fuzz: ## run all fuzz targets for FUZZTIME together; keeps new inputs in FUZZCACHE
	$(GO) run ./tools/seeds -most 50 $(FUZZCACHE)/github.com/crdsem/crdsem/conformance/fuzz
	$(GO) run ./tools/fuzz $(FUZZ) -cache $(FUZZCACHE)

.PHONY: web
web: ## build the npm package and the page into web/dist (needs Node and npm)
	@$(MAKE) -C web

.PHONY: scores
scores: ## run the vectors against other implementations; writes docs/implementations.md (Node, npm)
	[ -f web/dist/npm/index.js ] || $(MAKE) web
	cd conformance/ports/ajv && npm ci --no-audit --no-fund
	$(GO) run ./conformance/ports/scores $(SCORES)

.PHONY: api
api: ## write the exported names of each module into tools/api/
	$(GO) run ./tools/api

.PHONY: figures
figures: ## print the style figures: lengths, widths, cyclomatic numbers, lines by area
	$(GO) run ./tools/figures

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 22
	@for f in $(FOLDERS); do echo; echo "make -C $$f"; \
	  grep -hE '^[a-z-]+:.*##' $$f/Makefile | sed -E 's/:.*## /\t/' | expand -t 22; done

# The short way to three targets of other folders.
.PHONY: bench growth release
bench growth:
	@$(MAKE) -C $(ORACLE) $@
release:
	@$(MAKE) -C tools/release $@ VERSION=$(VERSION)
