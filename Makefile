# `make quick` checks a change. `make` checks every module. .ci/run does that as well, and builds and
# tests the page, asks a live API server, fuzzes for a minute, and builds for other systems.
# `make help` lists the targets.
GO         ?= go
# golangci-lint runs go vet and staticcheck among others; .golangci.yml has the list.
LINT        = $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run --timeout 20m
ORACLE      = conformance/oracle
# The modules that most changes touch.
QUICK       = . cmd/crdsem kube
# The modules of the workspace, except the oracle.
MODULES     = . cmd/crdsem kube examples/controller kit/fleet web tools
LINTED      = $(MODULES) $(ORACLE)
SEED       ?= 1
N          ?= 20000
FUZZTIME   ?= 5m
FUZZCACHE  ?= $(shell $(GO) env GOCACHE)/fuzz
FUZZGOAL   ?= 100000000
FUZZCOUNTS ?= fuzzcounts.out
PLATFORMS  ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

.PHONY: all
all: lint test ## lint and test every module

.PHONY: quick
quick: ## lint and test the library, the command and kube: minutes with warm caches
	@$(MAKE) --no-print-directory lint LINTED="$(QUICK)"
	for m in $(QUICK); do (cd $$m && $(GO) test -vet=off ./...) || exit 1; done
	cd tools && $(GO) test -vet=off -count=1 ./checks/...

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

.PHONY: test
test: ## run the tests of every module, without go vet, which lint runs
	for m in $(filter-out tools,$(MODULES)); do (cd $$m && $(GO) test -vet=off ./...) || exit 1; done
	cd tools && $(GO) test -vet=off -count=1 ./... # no cache: they read files of other modules
	cd $(ORACLE) && $(GO) test -vet=off -short -timeout 15m ./...

.PHONY: web
web: ## build the npm package and the page into web/dist (needs Node and npm)
	cd web && npm ci --silent --no-audit --no-fund && node build/all.js

.PHONY: web-test
web-test: ## test the built package in Node, and the page in Chromium (CHROMIUM names it)
	cd web && npm run --silent check && npm test --silent && npm run --silent test:browser

.PHONY: npm-rehearsal
npm-rehearsal: ## use the packed npm package in fresh projects (needs `make web` and the registry)
	cd web && node test/rehearsal.js

.PHONY: site
site: web ## build the page, the documentation and the specification as one site into web/dist/site

.PHONY: editors
editors: ## build the extension of VS Code, and test the language server with its protocol library
	cd cmd/crdsem/editors/vscode && npm ci --silent --no-audit --no-fund && npm run --silent check && \
	  npm run --silent package
	$(GO) build -o cmd/crdsem/editors/vscode/dist/crdsem ./cmd/crdsem
	cd cmd/crdsem/editors/vscode && CRDSEM=$$PWD/dist/crdsem npm test --silent

.PHONY: editors-long
editors-long: ## the long forms of the editor's tests, over CRDSEM_CORPUS, with the latencies
	CRDSEM_LONG=1 $(GO) test -count=1 -timeout 1h -v ./internal/app/edit
	cd cmd/crdsem && CRDSEM_LONG=1 $(GO) test -count=1 -v -run 'DiagnosticsAreFindings|Memory' .
	cd cmd/crdsem && $(GO) test -run '^$$' -bench Server .

.PHONY: web-figures
web-figures: ## sizes of the built program, and times of the page in Chromium
	cd web && node test/browser/figures.js 15

.PHONY: lint
lint: ## gofmt and golangci-lint (go vet among others) on every module; the library builds alone
	@out=$$(gofmt -l .); [ -z "$$out" ] || { echo "not gofmt'ed:"; echo "$$out"; exit 1; }
	GOWORK=off $(GO) build ./...
	for m in $(LINTED); do (cd $$m && $(LINT)) || exit 1; done

.PHONY: api
api: ## write the exported names of each module into tools/api/
	$(GO) run ./tools/api

.PHONY: openshift
openshift: ## run the suites of a checkout of openshift/api (OPENSHIFT) and write the outcome into docs/testing.md
	$(GO) run ./tools/openshift $(OPENSHIFT)

.PHONY: figures
figures: ## print the style figures: lengths, widths, cyclomatic numbers, lines by area
	$(GO) run ./tools/figures

.PHONY: race
race: ## run the tests with the race detector, except the oracle's
	for m in $(MODULES); do (cd $$m && $(GO) test -race -timeout 60m ./...) || exit 1; done

.PHONY: vectors
vectors: ## ask the real code again what vectors and cases ask; a drift fails
	cd $(ORACLE) && $(GO) run . record -check

# The older Kubernetes minors, newest first, and the folder of their programs.
MINORS     ?= 1.36 1.35 1.34 1.33 1.32 1.31 1.30 1.29
PROGRAMS   ?= $(or $(TMPDIR),/tmp)/crdsem-minors

# What expressions come to: cases.jsonl in the newest minor, others where an older one differs.
EXPRESSIONS = celrules/internal/celtable/testdata

.PHONY: minors-build
minors-build: ## build the real code of each older minor (MINORS, into PROGRAMS)
	@mkdir -p $(PROGRAMS)
	@for m in $(MINORS); do echo "== $$m"; $(ORACLE)/minors/build.sh $$m $(PROGRAMS)/$$m || exit 1; done

.PHONY: minors
minors: minors-build ## ask the real code of each older minor all vectors and cases again
	@for m in $(MINORS); do $(PROGRAMS)/$$m record -vectors conformance/vectors -check || exit 1; done
	@cd $(EXPRESSIONS) && for m in *.*.jsonl; do m=$${m%.jsonl}; \
		$(PROGRAMS)/$$m expressions cases.jsonl | cmp - $$m.jsonl || exit 1; done

.PHONY: minors-differential
minors-differential: ## compare with each older minor on generated input (N, SEED)
	cd $(ORACLE) && ok=true; for m in $(MINORS); do echo "== $$m"; \
	  $(GO) run . differential -n $(N) -seed $(SEED) -kubernetes $$m -real $(PROGRAMS)/$$m || ok=false; \
	  done; $$ok

.PHONY: functions
functions: ## compare every function of CEL by typical arguments with every minor (N calls of each)
	cd $(ORACLE) && ok=true; $(GO) run . differential -functions $(N) || ok=false; \
	  for m in $(MINORS); do echo "== $$m"; $(GO) run . differential -functions $(N) \
	  -kubernetes $$m -real $(PROGRAMS)/$$m || ok=false; done; $$ok

.PHONY: minors-matrix
minors-matrix: minors-build ## verdicts of every minor and of the library on the definitions of CRDSEM_CORPUS
	cd $(ORACLE) && $(GO) run . matrix -corpus $(CRDSEM_CORPUS) -programs $(PROGRAMS)

.PHONY: differential
differential: ## compare with the real code on generated input (N cases per operation, SEED)
	cd $(ORACLE) && $(GO) run . differential -n $(N) -seed $(SEED)

.PHONY: upgrade-brute
upgrade-brute: ## 2,000 random changes of definitions, a thousand objects each: is what is fine fine?
	cd $(ORACLE) && CRDSEM_CHANGES=2000 CRDSEM_OBJECTS=1000 \
		$(GO) test -timeout 2h -run 'TestFineIsFine|TestRandomChanges' -v ./upgrade

.PHONY: oracle-tests
oracle-tests: ## every test of the oracle module, the long ones included
	cd $(ORACLE) && $(GO) test -timeout 60m ./...

.PHONY: live
live: ## compare with a running API server over etcd (SEED; LIVE=-short for this repository's CRDs only)
	cd $(ORACLE) && $(GO) test -count=1 -timeout 60m -v -run '^Test(Live|Fake|Server|Policies)$$' ./live -live.required -live.seed $(SEED) $(LIVE)

.PHONY: server-suites
server-suites: ## crdsem-server for upstream's tests, controller-runtime's, and the client for Node
	$(ORACLE)/upstream/run.sh
	$(ORACLE)/controllerruntime/run.sh
	$(ORACLE)/clientnode/run.sh

.PHONY: attacks
attacks: ## hostile input to the library and the real code: time, memory, lateness, as one table
	cd $(ORACLE) && $(GO) run ./attacks

.PHONY: schema-editors
schema-editors: ## compare JSON Schemas, as yaml-language-server reads them, with the library (npm, 10 minutes)
	npm install --silent --no-audit --no-fund --prefix bin/yamlls yaml-language-server@2.0.0
	cd tools && YAML_LANGUAGE_SERVER=$(CURDIR)/bin/yamlls/node_modules/.bin/yaml-language-server \
	  $(GO) test -v -timeout 30m -run LanguageServer ./jsonschema

.PHONY: bench
bench: ## measure beside the real code and the floors, in one run, as one table
	cd $(ORACLE) && $(GO) run ./bench

.PHONY: growth
growth: ## each place of the input that can be long, longer: exponents of time and memory
	cd $(ORACLE) && $(GO) run ./attacks/growth

.PHONY: fuzz
fuzz: fuzz-seeds ## run all fuzz targets for FUZZTIME together; keeps new inputs in FUZZCACHE
	$(GO) run ./tools/fuzz -time $(FUZZTIME) -cache $(FUZZCACHE)

.PHONY: fuzz-seeds
fuzz-seeds: ## requests of the vectors as inputs of the fuzz targets, 50 for each
	$(GO) run ./tools/seeds -most 50 $(FUZZCACHE)/github.com/crdsem/crdsem/conformance/fuzz

.PHONY: fuzz-count
fuzz-count: fuzz-seeds ## fuzz until FUZZCOUNTS adds up to FUZZGOAL executions
	$(GO) run ./tools/fuzz -goal $(FUZZGOAL) -counts $(FUZZCOUNTS) -cache $(FUZZCACHE)

.PHONY: cross
cross: ## build the command for the platforms of a release (PLATFORMS)
	@for p in $(PLATFORMS); do \
	  echo $$p; (cd cmd/crdsem && \
	    GOOS=$${p%/*} GOARCH=$${p#*/} CGO_ENABLED=0 $(GO) build -o /dev/null .) || exit 1; \
	done

.PHONY: release-check
release-check: cross ## check what a release needs
	cd .ci/goreleaser && GOWORK=off $(GO) run . ../goreleaser.yaml

.PHONY: release
release: ## commit and tag VERSION of all modules, in a clean clone; pushes nothing
	$(GO) run ./tools/release make $(VERSION)

.PHONY: release-rehearsal
release-rehearsal: ## make VERSION in a scratch clone and use it from a file proxy, with an empty module cache (REHEARSAL: flags)
	$(GO) run ./tools/release -test '$(GO) build ./...' $(REHEARSAL) rehearse $(or $(VERSION),v0.1.0)

# goreleaser and cyclonedx-gomod in the versions that the configuration was written for.
GORELEASER ?= release --snapshot --clean --skip=sign,publish

.PHONY: release-tools
release-tools:
	GOBIN=$(CURDIR)/bin GOWORK=off $(GO) install github.com/goreleaser/goreleaser/v2@v2.16.0
	GOBIN=$(CURDIR)/bin GOWORK=off $(GO) install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.9.0

.PHONY: goreleaser
goreleaser: release-tools ## build the archives and packages of a release with goreleaser, as a snapshot, into dist
	PATH=$(CURDIR)/bin:$$PATH goreleaser $(GORELEASER) --config .ci/goreleaser.yaml

.PHONY: packages
packages: release-tools ## build the snapshot twice, compare the files, install and remove packages (root, dpkg)
	PATH=$(CURDIR)/bin:$$PATH .ci/packages $(GORELEASER)

.PHONY: image-rehearsal
image-rehearsal: ## do what the Dockerfile says without docker, and run the command in its image (root)
	.ci/image

.PHONY: vulnerabilities
vulnerabilities: ## ask Go's database of vulnerabilities about all modules (network: vuln.go.dev)
	for m in $(LINTED); do (cd $$m && \
	  $(GO) run golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./...) || exit 1; done

.PHONY: licenses
licenses: ## write the licenses of what the binaries contain
	$(GO) run ./tools/licenses >THIRD_PARTY_LICENSES.new
	mv THIRD_PARTY_LICENSES.new cmd/crdsem/THIRD_PARTY_LICENSES

.PHONY: reproducible
reproducible: ## build the command of the last commit twice, in two folders: the files must be equal
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	for name in one another/folder; do \
	  git clone -q . $$dir/$$name && (cd $$dir/$$name/cmd/crdsem && \
	    GOCACHE=$$dir/cache-$${name%%/*} CGO_ENABLED=0 $(GO) build -trimpath -o $$dir/$${name%%/*}.bin .) \
	    || exit 1; \
	done && sha256sum $$dir/one.bin $$dir/another.bin && cmp $$dir/one.bin $$dir/another.bin

.PHONY: bench-ci
bench-ci: ## fail where a ratio to the floor got worse by a half against the recorded one
	cd $(ORACLE) && $(GO) run ./bench -passes 3 -check bench/ratios.json

.PHONY: benchmarks
benchmarks: ## every Go benchmark of the oracle module
	cd $(ORACLE) && $(GO) test -run '^$$' -bench . -benchmem -cpu 1 ./...
