# The service with its snapshot inside, and no shell: docker build -t platbook .
#   docker run -p 8080:8080 -e PLATBOOK_SITE_URL=https://land.example.gov platbook
FROM rust:1.95-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --profile dist --locked --features parquet --bin platbook

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /src/target/dist/platbook /usr/local/bin/
# All addresses of the container; the outside reaches what is published of them.
ENV PLATBOOK_LISTEN=:8080
EXPOSE 8080
ENTRYPOINT ["platbook"]
CMD ["serve"]
