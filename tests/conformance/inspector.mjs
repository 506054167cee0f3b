// The Inspector's command line calls every tool, over HTTP and over standard input and output: inspector.mjs CLI URL BINARY
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [cli, url, binary] = process.argv.slice(2);
const calls = JSON.parse(readFileSync(new URL('calls.json', import.meta.url), 'utf8'));

for (const [way, target] of [['HTTP', ['--transport', 'http', '--server-url', url]], ['stdio', ['--', binary, 'mcp', '--offline']]]) {
  for (const call of calls) {
    const given = Object.entries(call.arguments).flatMap(([name, value]) => ['--tool-arg', `${name}=${value}`]);
    // Arguments after the program to start go to that program, so they come last.
    const asked = ['--method', 'tools/call', '--tool-name', call.name, ...given, ...target];
    const { stdout, stderr } = spawnSync(process.execPath, [cli, ...asked], { encoding: 'utf8' });
    const text = stdout.slice(stdout.indexOf('{'));
    assert.ok(text.startsWith('{'), `${call.name}: ${stdout}${stderr}`);
    const result = JSON.parse(text);
    assert.ok(result.content[0].text.includes(call.says), `${call.name}: ${text}`);
    assert.equal(result.isError ?? false, call.isError ?? false);
  }
  console.log(`Inspector, ${way}: ${calls.length} calls`);
}
