#!/bin/sh
# The service against bare hyper with a body of the same size, on loopback, one server thread each.
# Alternating runs, so that a busy moment of the machine hits both; medians are the result.
#   requests/s  what a client sees; if the client is the slower side, see the server's busy share
#   us          processor time of the server per request: other programs hardly change it
# With ENCODING=gzip or zstd the service is asked to compress; bare hyper still sends the plain body.
# With TARGET, such as TARGET=/places/county:27053, each request is for that page or answer.
#   [ENCODING=..] [TARGET=..] benches/http.sh [RUNS] [SECONDS_PER_RUN] [CONNECTIONS]
set -eu
runs=${1:-7} seconds=${2:-4} connections=${3:-16}
service_port=18431 bare_port=18432 spread_port=18433
path=${TARGET:-'/v1/jurisdictions/resolve?lat=44.9773&lon=-93.2655'}
target=${CARGO_TARGET_DIR:-target}/dist
scratch=$(mktemp -d)
pids=
trap 'kill $pids 2>/dev/null || true; rm -rf "$scratch"' EXIT INT TERM

command -v wrk >/dev/null || { echo "wrk is missing: make bench-http installs it" >&2; exit 1; }

fetch() { curl --silent --fail --retry 20 --retry-connrefused --retry-delay 1 --output "$1" "$2"; }

"$target/platbook" serve ${SNAPSHOT:+--snapshot "$SNAPSHOT"} --listen 127.0.0.1:$service_port --threads 1 --limits off 2>"$scratch/service.log" &
service_pid=$! pids="$pids $!"
fetch "$scratch/body" "http://127.0.0.1:$service_port$path"
"$target/bare_hyper" 127.0.0.1:$bare_port "$scratch/body" 1 &
bare_pid=$! pids="$pids $!"
fetch /dev/null "http://127.0.0.1:$bare_port/"
# As many bodies as the answers for 10,000 points have different functions, each as long as such an answer.
awk -v base="http://127.0.0.1:$service_port/v1/jurisdictions/resolve" 'BEGIN {
    srand(4711)
    for (i = 0; i < 4000; i++)
        printf "url = %s?lat=%.6f&lon=%.6f\noutput = /dev/null\n", base, 32 + 14 * rand(), -118 + 40 * rand() }' >"$scratch/points"
curl --silent --config "$scratch/points" --write-out '%{http_code} %{size_download}\n' |
    awk '$1 == 200 && count++ < 2500 { print $2 }' >"$scratch/sizes"
"$target/bare_hyper" 127.0.0.1:$spread_port "$scratch/body" 1 "$scratch/sizes" &
spread_pid=$! pids="$pids $!"
fetch /dev/null "http://127.0.0.1:$spread_port/"

# ticks PID: processor time so far
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }

# load PORT PID POINTS: "requests/s us-per-request busy-share"; runs with socket errors do not count
load() {
    before=$(ticks "$2")
    case $3 in
        one) set -- "$1" "$2" "http://127.0.0.1:$1$path" ;;
        many) set -- "$1" "$2" --script benches/resolve.lua "http://127.0.0.1:$1" ;;
        *) export PATHS="$3"; set -- "$1" "$2" --script benches/paths.lua "http://127.0.0.1:$1" ;;
    esac
    server=$2
    shift 2
    if [ -n "${tag:-}" ]; then set -- --header "If-None-Match: $tag" "$@"; fi
    if [ -n "${ENCODING:-}" ]; then set -- --header "Accept-Encoding: $ENCODING" "$@"; fi
    wrk --threads 1 --connections "$connections" --duration "${seconds}s" "$@" >"$scratch/wrk"
    after=$(ticks "$server")
    if grep --quiet 'Socket errors' "$scratch/wrk"; then cat "$scratch/wrk" >&2; exit 1; fi
    awk -v ticks=$((after - before)) -v per_second="$(getconf CLK_TCK)" -v seconds="$seconds" '
        / requests in / { requests = $1 }
        /Requests\/sec/ { rate = $2 }
        END { busy = ticks / per_second; print rate, 1e6 * busy / requests, busy / seconds }' "$scratch/wrk"
}

# compare POINTS PORT PID: alternating runs of the service and of a bare hyper, then the medians of their ratios
compare() {
    : >"$scratch/results"
    load $service_port $service_pid "$1" >/dev/null # warm-up
    load "$2" "$3" "$1" >/dev/null
    run=1
    while [ "$run" -le "$runs" ]; do
        echo "$(load $service_port $service_pid "$1") $(load "$2" "$3" "$1")" | awk '{
            printf "service %7.0f/s %5.2f us, busy %.2f   bare %7.0f/s %5.2f us, busy %.2f   ratios %.3f %.3f\n",
                $1, $2, $3, $4, $5, $6, $1 / $4, $5 / $2 }' | tee -a "$scratch/results"
        run=$((run + 1))
    done
    echo "median ratio: requests/s $(median 1), processor time $(median 0)"
}
median() {
    awk -v back="$1" '{ print $(NF - back) }' "$scratch/results" | sort -n \
        | awk '{ value[NR] = $1 } END { print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'
}

echo "body $(wc -c <"$scratch/body") bytes, $connections connections, $runs runs of $seconds s"
echo "$path, so that both send the same body:"
compare one $bare_port $bare_pid
if [ -z "${TARGET:-}" ]; then
    echo "10,000 points of the contiguous states, against that one body:"
    compare many $bare_port $bare_pid
    mean=$(awk '{ sum += $1 } END { printf "%d", sum / NR }' "$scratch/sizes")
    echo "10,000 points of the contiguous states, against $(wc -l <"$scratch/sizes") bodies of the sizes of such answers, $mean bytes in the mean:"
    compare many $spread_port $spread_pid
fi
tag=$(curl --silent --head "http://127.0.0.1:$service_port$path" | tr -d '\r' | sed -n 's/^etag: //p')
echo "the same that the client has already, 304 from both:"
compare one $bare_port $bare_pid

# alone WHAT FILE: sends the paths of a file to the service in turn, and prints medians of its processor time
alone() {
    : >"$scratch/results"
    load $service_port $service_pid "$2" >/dev/null # warm-up
    run=1
    while [ "$run" -le "$runs" ]; do
        load $service_port $service_pid "$2" >>"$scratch/results"
        run=$((run + 1))
    done
    echo "$1, $(wc -l <"$2") questions: $(median 1) us"
}
tag=
site="http://127.0.0.1:$service_port"
curl --silent "$site/sitemaps/0.xml" | grep -o '/places/[a-z]*:[0-9]*' | awk 'NR % 40 == 0 { print "/v1" $0 }' >"$scratch/places"
# Names as the answers themselves have them, with the state.
while read -r place; do
    curl --silent --write-out "\n" "$site$place?limit=1" | sed -n 's/.*"jurisdiction":{[^}]*"name":"\([^"]*\)"[^}]*"state":"\([A-Z]*\)".*/\1 \2/p'
done <"$scratch/places" | awk 'NF > 1 {
    state = $NF; sub(/ [A-Z]*$/, ""); gsub(/[^A-Za-z]+/, "+")
    print "/v1/jurisdictions/resolve?place=" $0 "&state=" state >names
    print "/v1/search?q=" $0 >searches }' names="$scratch/names" searches="$scratch/searches"
echo "processor time of other answers, each question again and again:"
alone "/places/{jurisdiction_id}" "$scratch/places"
alone "place= and state=" "$scratch/names"
alone "/search" "$scratch/searches"
