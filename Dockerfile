# The command as a static image: docker build -t crdsem . && docker run --rm
# -v "$PWD:/work" -w /work crdsem validate .
FROM golang:1.26 AS build
WORKDIR /src
COPY . .
RUN cd cmd/crdsem && CGO_ENABLED=0 go build -trimpath -o /crdsem .

FROM scratch
COPY --from=build /crdsem /crdsem
COPY LICENSE THIRD_PARTY_LICENSES /
USER 65532:65532
ENTRYPOINT ["/crdsem"]
