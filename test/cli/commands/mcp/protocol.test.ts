import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ProtocolError } from '../../../../src/cli/commands/mcp/json-rpc.ts';
import { createProtocol } from '../../../../src/cli/commands/mcp/protocol.ts';

const { signal } = new AbortController();
const handle = createProtocol((_tool, input) => Promise.resolve({ input }));
const ask = async (method: string, params?: object) =>
  (await handle(method, params, signal)) as Record<string, unknown>;
const of = (version: unknown, capabilities: unknown = {}) => ({
  _meta: {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  },
});

describe('initialize agrees on a revision', () => {
  const table: [asked: unknown, agreed: string][] = [
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    [undefined, '2025-11-25'],
  ];
  for (const [asked, agreed] of table)
    test(String(asked), async () => {
      const { protocolVersion, capabilities, serverInfo } = await ask('initialize', {
        protocolVersion: asked,
      });
      assert.deepEqual(
        { protocolVersion, capabilities },
        { protocolVersion: agreed, capabilities: { tools: {} } },
      );
      assert.equal((serverInfo as { name: string }).name, 'shelflist');
    });
});

test('a request that names its revision gets a result of that revision', async () => {
  const result = await ask('tools/call', { name: 'get_books', arguments: { ids: [1] }, ...of('2026-07-28') });
  assert.deepEqual([result.resultType, result.input], ['complete', { ids: [1] }]);
  const { supportedVersions, ttlMs, cacheScope } = await ask('server/discover', of('2026-07-28'));
  assert.deepEqual(
    { supportedVersions, ttlMs, cacheScope },
    { supportedVersions: ['2026-07-28'], ttlMs: 3_600_000, cacheScope: 'public' },
  );
});

describe('refused with an error of the protocol', () => {
  const table: [method: string, params: object | undefined, code: number, data?: unknown][] = [
    ['tools/list', of('1900-01-01'), -32022, { supported: ['2026-07-28'], requested: '1900-01-01' }],
    ['tools/list', of('2025-11-25'), -32022, { supported: ['2026-07-28'], requested: '2025-11-25' }],
    ['tools/list', of('2026-07-28', null), -32602],
    ['resources/list', undefined, -32601],
    ['toString', undefined, -32601],
    ['tools/call', { name: 'drop_table' }, -32602],
    ['tools/call', { name: 'constructor' }, -32602],
    ['tools/call', undefined, -32602],
  ];
  for (const [method, params, code, data] of table)
    test(`${method} ${JSON.stringify(params)}`, async () => {
      await assert.rejects(ask(method, params), (error) => {
        assert.ok(error instanceof ProtocolError);
        assert.deepEqual([error.code, error.data], [code, data]);
        return true;
      });
    });
});

test('ping answers with nothing', async () => {
  assert.deepEqual(await ask('ping'), {});
});

test('the schema of each tool is JSON Schema, and allows no unknown arguments', async () => {
  const { tools } = (await ask('tools/list')) as {
    tools: { name: string; description: string; inputSchema: object }[];
  };
  for (const { name, description, inputSchema } of tools) {
    const isValid = new Ajv2020({ strict: true, strictRequired: true }).compile(inputSchema);
    assert.equal(isValid({ unknown: 1 }), false, name);
    assert.ok(description.length > 20 && description.length < 300, name);
  }
});
