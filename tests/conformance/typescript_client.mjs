// Both TypeScript SDKs call every tool, over HTTP and over standard input and output: typescript_client.mjs URL BINARY
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, command] = process.argv.slice(2);
const calls = JSON.parse(readFileSync(new URL('calls.json', import.meta.url), 'utf8'));
const info = { name: 'platbook-check', version: '1.0.0' };

async function talk(way, client, transport) {
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.equal(tools.length, 10);
  for (const call of calls) {
    const result = await client.callTool({ name: call.name, arguments: call.arguments });
    assert.ok(result.content[0].text.includes(call.says), `${call.name}: ${result.content[0].text}`);
    assert.equal(result.isError ?? false, call.isError ?? false);
    assert.equal(result.structuredContent === undefined, call.isError ?? false);
  }
  const { prompts } = await client.listPrompts();
  assert.equal(prompts.length, 1);
  const guide = await client.readResource({ uri: 'guide://zoning/MN' });
  assert.ok(guide.contents[0].text.includes('Minnesota'));
  await client.close();
  console.log(`${way}: ${calls.length} calls`);
}

for (const mode of ['auto', 'legacy']) {
  const client = () => new Client(info, { versionNegotiation: { mode } });
  await talk(`SDK 2, HTTP, ${mode}`, client(), new StreamableHTTPClientTransport(new URL(url)));
  await talk(`SDK 2, stdio, ${mode}`, client(), new StdioClientTransport({ command, args: ['mcp', '--offline'] }));
}
await talk('SDK 1, HTTP', new Client1(info), new Http1(new URL(url)));
await talk('SDK 1, stdio', new Client1(info), new Stdio1({ command, args: ['mcp', '--offline'] }));
