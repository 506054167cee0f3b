#!/usr/bin/env node
// Runs the binary of this platform with the same arguments, streams, signals and exit code.
"use strict";
const { spawn } = require("node:child_process");

const name = `@platbook/${process.platform}-${process.arch}`;
let binary;
try {
    binary = require.resolve(`${name}/platbook${process.platform === "win32" ? ".exe" : ""}`);
} catch {
    console.error(`platbook: the package ${name} is not installed. There is one for linux-x64, linux-arm64 and win32-x64; ` +
        "npm leaves it out with --omit=optional.");
    process.exit(1);
}
const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR2"]) {
    process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
    console.error(`platbook: cannot start ${binary}: ${error.message}`);
    process.exit(1);
});
child.on("exit", (code, signal) => {
    if (signal) {
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
    } else {
        process.exit(code);
    }
});
