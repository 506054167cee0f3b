// The directory in a browser, in Node.js or in a worker: one WebAssembly module, one snapshot, no server.
//
//   import { Platbook } from "./platbook.js";
//   const directory = await Platbook.open(fetch("us.platbook.gz"));
//   const row = directory.resolve(44.9773, -93.2655);
//   row.county_name; // "Hennepin County"

/** Bytes of a snapshot's header up to the length of its file: library/container/src/lib.rs. */
const HEAD_BYTES = 24;
const MAGIC = "platbook";
/** More than any snapshot has, and less than the memory of a module. */
const FILE_BYTES_MAX = 2 ** 31;

export class Platbook {
  #exports;

  constructor(exports) {
    this.#exports = exports;
    const { snapshot_id, as_of, columns } = JSON.parse(this.#text(exports.about()));
    /** The 32 hexadecimal characters that name the exact data. */
    this.snapshotId = snapshot_id;
    /** The time of the data, such as 2026-11-26T00:00:00Z. */
    this.asOf = as_of;
    /** Name and type of each column: text, meters or truth. */
    this.columns = columns;
  }

  /**
   * Opens a snapshot, plain or packed by gzip. It is verified as a whole, so damage is an error.
   * @param source a Response, a File or Blob, a ReadableStream, bytes, or a promise of one of them
   * @param options.module the module: address, Response, bytes or a WebAssembly.Module; else the file beside this one
   * @param options.progress is called with the bytes received so far, and with their total or undefined
   */
  static async open(source, { module = new URL("platbook_browser.wasm", import.meta.url), progress } = {}) {
    const instance = instantiate(module);
    instance.catch(() => {}); // it is awaited below, after the source, which may fail first
    const { stream, total } = streamOf(await source);
    const { exports } = await instance;
    await receive(await unpacked(counted(stream, total, progress)), exports);
    const fault = await inMemory(() => exports.open());
    if (fault > 0) throw new Error(textOf(exports, fault));
    return new Platbook(exports);
  }

  /** The row of a point in degrees, WGS84: each column by name, null where it has no value. */
  resolve(lat, lon) {
    return JSON.parse(this.#text(this.#exports.resolve(lat, lon)));
  }

  /** The row of a government by its id, such as `place:2743000`. */
  place(id) {
    this.#say(id);
    return JSON.parse(this.#text(this.#exports.place()));
  }

  /** Whether the module was built with search by name, `NAMES=yes make browser`. */
  get knowsNames() {
    return "search" in this.#exports;
  }

  /** Governments with a name, the best first: id, name, legal type, county and state. */
  search(name, limit = 10) {
    if (!this.knowsNames) throw new Error("this module was built without names");
    this.#say(name);
    return JSON.parse(this.#text(this.#exports.search(limit)));
  }

  /** Bytes of memory that module and snapshot take. */
  get memoryBytes() {
    return this.#exports.memory.buffer.byteLength;
  }

  #say(words) {
    const bytes = new TextEncoder().encode(words);
    const at = this.#exports.words(bytes.length) >>> 0;
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
  }

  #text(length) {
    return textOf(this.#exports, length);
  }
}

function textOf(exports, length) {
  return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.answer() >>> 0, length));
}

async function instantiate(module) {
  if (module instanceof WebAssembly.Module) return WebAssembly.instantiate(module);
  const response = module instanceof URL || typeof module === "string" ? await fetch(module) : module;
  // From bytes, because some servers send no type for modules, which streaming would refuse.
  const bytes = response instanceof Response ? await whole(response).arrayBuffer() : response;
  return (await WebAssembly.instantiate(bytes)).instance;
}

function whole(response) {
  if (!response.ok) throw new Error(`${response.url} could not be fetched: status ${response.status}`);
  return response;
}

function streamOf(source) {
  if (source instanceof Response) {
    // With an encoding, the length is that of other bytes.
    const length = source.headers.has("Content-Encoding") ? null : source.headers.get("Content-Length");
    return { stream: whole(source).body, total: length ? Number(length) : undefined };
  }
  if (source instanceof ReadableStream) return { stream: source };
  const blob = source instanceof Blob ? source : new Blob([source]);
  return { stream: blob.stream(), total: blob.size };
}

function counted(stream, total, progress) {
  if (!progress) return stream;
  let received = 0;
  return stream.pipeThrough(new TransformStream({
    transform(chunk, next) {
      progress((received += chunk.length), total);
      next.enqueue(chunk);
    },
  }));
}

/** The bytes of the file itself: some servers unpack a file while they send it, and others do not. */
async function unpacked(stream) {
  const reader = stream.getReader();
  let first = new Uint8Array();
  while (first.length < 2) {
    const { done, value } = await reader.read();
    if (done) break;
    first = joined(first, value);
  }
  const again = new ReadableStream({
    start: (out) => out.enqueue(first),
    async pull(out) {
      const { done, value } = await reader.read();
      if (done) out.close();
      else out.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const isPacked = first[0] === 0x1f && first[1] === 0x8b;
  return isPacked ? again.pipeThrough(new DecompressionStream("gzip")) : again;
}

/** Writes the file straight into the memory that the snapshot keeps: there is never a second copy of it. */
async function receive(stream, exports) {
  let [head, room, at] = [new Uint8Array(), null, 0];
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      let chunk = value;
      if (!room) {
        head = chunk = joined(head, value);
        if (head.length < HEAD_BYTES) continue;
        room = await roomFor(head, exports);
      }
      if (at + chunk.length > room.length) throw new Error("the file is longer than it says: it is damaged");
      room.set(chunk, at);
      at += chunk.length;
    }
  } finally {
    reader.cancel().catch(() => {}); // what failed is thrown already
  }
  if (!room || at < room.length) throw new Error("the file is not whole: it ended too early");
}

async function roomFor(head, exports) {
  const length = Number(new DataView(head.buffer, head.byteOffset).getBigUint64(16, true));
  const magic = new TextDecoder().decode(head.subarray(0, MAGIC.length));
  if (magic !== MAGIC || length > FILE_BYTES_MAX) throw new Error("the file is not a platbook snapshot");
  const at = await inMemory(() => exports.room(length) >>> 0);
  return new Uint8Array(exports.memory.buffer, at, length);
}

/** A module without memory stops with an error that says nothing of memory. */
async function inMemory(call) {
  try {
    return call();
  } catch (error) {
    throw new Error("the snapshot needs more memory than there is", { cause: error });
  }
}

function joined(one, other) {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
