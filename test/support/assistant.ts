import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { main } from '../../src/cli/program/main.ts';
import type { Scope } from './temp.ts';

/** What the data of an answer may have. */
export interface ToolData {
  readonly [member: string]: unknown;
  readonly batch?: string;
}

/** An assistant that runs `shelflist mcp`. */
export interface Assistant {
  readonly client: Client;
  /** Calls a tool, and returns the data of its answer. It fails if that is an error. */
  readonly call: (name: string, input?: object) => Promise<ToolData>;
  /** Calls a tool that must fail, and returns the message. */
  readonly fail: (name: string, input?: object) => Promise<string>;
  /** Closes its input, and returns its exit status and standard error. */
  readonly end: () => Promise<{ code: number; stderr: string }>;
}

/**
 * Connects the official client to `shelflist mcp` within this process.
 *
 * @param mode How the client finds the revision of the protocol: by `initialize`, or in each request.
 */
export async function startAssistant(
  context: Scope,
  { url, token }: { url: string; token: string },
  mode: 'legacy' | { pin: string } = 'legacy',
): Promise<Assistant> {
  const io = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: { SHELFLIST_URL: url, SHELFLIST_TOKEN: token },
    directory: tmpdir(),
  };
  const running = main(['mcp'], io);
  const stderr = text(io.stderr);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transportOver(io));
  const end = async () => {
    io.stdin.end();
    const code = await running;
    io.stdout.end();
    io.stderr.end();
    return { code, stderr: await stderr };
  };
  context.after(end);
  const request = async (name: string, input: object) => {
    const {
      content,
      structuredContent,
      isError = false,
    } = await client.callTool({
      name,
      arguments: input as Record<string, unknown>,
    });
    const [only] = content;
    assert.ok(content.length === 1 && only?.type === 'text');
    return { text: only.text, data: structuredContent as ToolData | undefined, isError };
  };
  return {
    client,
    end,
    async call(name, input = {}) {
      const { text: shown, data, isError } = await request(name, input);
      assert.equal(isError, false, shown);
      assert.ok(data);
      assert.deepEqual(JSON.parse(shown), data);
      return data;
    },
    async fail(name, input = {}) {
      const { text: shown, data, isError } = await request(name, input);
      assert.deepEqual({ data, isError }, { data: undefined, isError: true });
      return shown;
    },
  };
}

/** The transport of the client over streams: every line of the output must be a message. */
function transportOver({ stdin, stdout }: { stdin: PassThrough; stdout: PassThrough }): Transport {
  let rest = '';
  const transport: Transport = {
    start() {
      stdout.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split(/[\n\u2028\u2029]/);
        rest = lines.pop() ?? '';
        for (const line of lines) transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
      });
      return Promise.resolve();
    },
    send(message) {
      stdin.write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    close() {
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
}
