# Inkstone without the embedded database: it needs MONGODB_URI.
# NOT RUN HERE: written without a Docker engine at hand.

FROM rust:1.95-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked

FROM debian:bookworm-slim
COPY --from=build /src/target/release/inkstone /usr/local/bin/inkstone
# A user of no rights; the program writes nothing to its own disk.
USER 10001:10001
ENV INKSTONE_BIND=0.0.0.0:8080
EXPOSE 8080
STOPSIGNAL SIGTERM
CMD ["inkstone", "serve"]
