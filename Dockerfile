# The command as a static image: docker build -t crdsem . && docker run --rm
# -v "$PWD:/work" -w /work crdsem validate .
FROM --platform=$BUILDPLATFORM golang:1.26.8@sha256:0f063af2d465d8dcae54cce04278ada488b96f77b42449c8d071e47d016cc65a AS build
ARG TARGETOS TARGETARCH
WORKDIR /src
COPY . .
RUN cd cmd/crdsem && CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags='-s -w' -o /crdsem .

FROM scratch
COPY --from=build /crdsem /crdsem
COPY LICENSE cmd/crdsem/THIRD_PARTY_LICENSES /
USER 65532:65532
ENTRYPOINT ["/crdsem"]
