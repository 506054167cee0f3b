// Compares the rows of the module with those of the command line, value by value. Points lie inside, on borders, at sea
// and nowhere. Then damaged and shortened files must not open.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const { PLATBOOK, SNAPSHOT, BUILT } = process.env;
const { Platbook } = await import(join(BUILT, "platbook.js"));
const module = new WebAssembly.Module(readFileSync(join(BUILT, "platbook_browser.wasm")));
const packed = readFileSync(join(BUILT, readdirSync(BUILT).find((name) => name.endsWith(".platbook.gz"))));

const began = performance.now();
const directory = await Platbook.open(packed, { module });
const opened = performance.now() - began;
const file = gunzipSync(packed);

/** Numbers from 0 to 1, the same in each run: the generator of Park and Miller. */
let seed = 20;
const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
const anywhere = () => [24.5 + random() * 25, -125 + random() * 58];

/** Two points 1e-7 degree apart, at most, in different counties; or in one and beyond its border. */
function atBorder() {
  let [one, other] = [anywhere(), anywhere()];
  const county = ([lat, lon]) => directory.resolve(lat, lon).county;
  if (county(one) === county(other)) return [one, other];
  for (let turn = 0; turn < 30; turn += 1) {
    const middle = [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
    if (county(middle) === county(one)) one = middle;
    else other = middle;
  }
  return [one, other];
}

const points = [
  [44.9773, -93.2655], [40.7128, -74.006], [21.3069, -157.8583], [61.2181, -149.9003], [18.4655, -66.1057], [13.4443, 144.7937],
  [0, 0], [90, 0], [-90, 180], [30, -140], [91, 0], [0, 181], [NaN, -93], [44, NaN], [Infinity, 0], [44, -Infinity],
];
while (points.length < 160) points.push(anywhere());
while (points.length < 300) points.push(...atBorder());

const folder = mkdtempSync(join(tmpdir(), "platbook-"));
writeFileSync(join(folder, "points.csv"), `lat,lon\n${points.map((point) => `${point.join(",")}\n`).join("")}`);
const given = ["resolve", "--in", join(folder, "points.csv"), "--columns", "all", "--functions", "all", "--to", "jsonl"];
const native = spawnSync(PLATBOOK, SNAPSHOT ? [...given, "--snapshot", SNAPSHOT] : given, { encoding: "utf8", maxBuffer: 2 ** 28 });
rmSync(folder, { recursive: true });
const rows = native.stdout.trim().split("\n").map((line) => JSON.parse(line));
assert.equal(rows.length, points.length, native.stderr);

let values = 0;
const kinds = {};
points.forEach(([lat, lon], at) => {
  const { lat: _lat, lon: _lon, ...expected } = rows[at];
  const got = directory.resolve(lat, lon);
  if (![lat, lon].every(Number.isFinite)) {
    // The command line reads a text, so its reason speaks of a text.
    assert.ok(got.error && expected.error, `${lat},${lon}`);
    expected.error = got.error;
  }
  assert.deepEqual(Object.entries(got), Object.entries(expected), `${lat},${lon}`);
  values += Object.keys(got).length;
  kinds[got.quality] = (kinds[got.quality] ?? 0) + 1;
});
assert.deepEqual(Object.keys(directory.resolve(0, 0)), directory.columns.map((column) => column.name));
assert.ok(kinds.inside > 100 && kinds.outside > 10 && kinds.invalid > 3, JSON.stringify(kinds));

assert.equal(directory.place("place:2743000").county_name, "Hennepin County");
assert.match(directory.place("county:99999").error, /no government/);
if (directory.knowsNames) {
  assert.equal(directory.search("Minneapolis, MN")[0].name, "Minneapolis");
  assert.deepEqual(directory.search("zzzzqqqq"), []);
}
assert.match(directory.snapshotId, /^[0-9a-f]{32}$/);

const cold = performance.now();
const each = 2000;
for (let turn = 0; turn < each; turn += 1) directory.resolve(...anywhere());
const ms = ((performance.now() - cold) / each).toFixed(2);
console.log(`ok   ${points.length} points, ${values} values as from the command line: ${JSON.stringify(kinds)}`);
console.log(`ok   opened in ${opened.toFixed(0)} ms, ${ms} ms a point, ${(directory.memoryBytes / 1e6).toFixed(1)} MB for a file of ${(file.length / 1e6).toFixed(1)} MB`);

const damaged = Buffer.from(file);
damaged[file.length >> 1] ^= 1;
for (const [name, bytes, words] of [
  ["damaged", damaged, /checksum/], ["cut", file.subarray(0, file.length - 9), /not whole/], ["empty", Buffer.alloc(0), /not whole/],
  ["longer", Buffer.concat([file, Buffer.alloc(1)]), /longer/], ["other", Buffer.from("<html>no such page</html>".repeat(9)), /not a platbook/],
  ["cut and packed", packed.subarray(0, packed.length >> 1), /./],
]) {
  await assert.rejects(Platbook.open(bytes, { module }), words, name);
}
const plain = await Platbook.open(file, { module });
assert.equal(plain.snapshotId, directory.snapshotId);
console.log("ok   damaged files are refused, plain and packed ones open");
