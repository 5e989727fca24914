import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isChangeKind, isPosition, readFrames } from '../../src/catalogue/changes.ts';

const encoder = new TextEncoder();

/** Reads a stream that arrives in these parts. */
async function read(...parts: readonly (string | Uint8Array)[]) {
  async function* chunks() {
    await Promise.resolve();
    for (const part of parts) yield typeof part === 'string' ? encoder.encode(part) : part;
  }
  const frames = [];
  for await (const frame of readFrames(chunks())) frames.push(frame);
  return frames;
}

const change = 'id: 7-a\nevent: change\ndata: {"id":1,"change":"updated"}\n\n';
const frame = { position: '7-a', event: { position: '7-a', id: 1, change: 'updated' } };

describe('a stream of changes', () => {
  test('has a frame for each change', async () => {
    assert.deepEqual(await read(change + change.replace('7-a', '8')), [
      frame,
      { position: '8', event: { position: '8', id: 1, change: 'updated' } },
    ]);
  });

  test('may be cut anywhere, also within a character and between the two characters of a line end', async () => {
    const bytes = encoder.encode(change.replace('data', 'name: é\ndata').replaceAll('\n', '\r\n'));
    for (let i = 1; i < bytes.length; i++)
      assert.deepEqual(await read(bytes.slice(0, i), bytes.slice(i)), [frame], String(i));
    assert.deepEqual(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte))), [frame]);
  });

  for (const end of ['\n', '\r\n', '\r'])
    test(`may have lines that end with ${JSON.stringify(end)}`, async () => {
      assert.deepEqual(await read(change.replaceAll('\n', end), 'x'), [frame]);
    });

  test('may omit the space after a colon, and the colon', async () => {
    assert.deepEqual(await read('id:7-a\nevent:change\ndata:{"id":1,"change":"updated"}\nretry\n\n'), [
      frame,
    ]);
  });

  test('keeps its position through blocks without one, such as heartbeats', async () => {
    assert.deepEqual(await read(`${change}: still there\n\n\nid\n\nid: not a position\n\n`), [
      frame,
      ...[1, 2, 3, 4].map(() => ({ position: '7-a', event: undefined })),
    ]);
  });

  test('may begin with its position', async () => {
    assert.deepEqual(await read(': hello\n\nid: 1\n\n'), [
      { position: undefined, event: undefined },
      { position: '1', event: undefined },
    ]);
  });

  test('may reset', async () => {
    assert.deepEqual(await read('id: 9\nevent: reset\ndata: {}\n\n'), [
      { position: '9', event: { position: '9', reset: true } },
    ]);
  });

  test('may have events that this client does not know, and ends within one', async () => {
    assert.deepEqual(await read('id: 9\nevent: news\ndata: {}\n\nid: 10\nevent: change\ndata: {}\n'), [
      { position: '9', event: undefined },
    ]);
    assert.deepEqual(await read('id: 9\nevent: change\n\n'), [{ position: '9', event: undefined }]);
  });

  test('begins each event anew', async () => {
    assert.deepEqual(await read(`${change}id: 8\ndata: {"id":2,"change":"deleted"}\n\n`), [
      frame,
      { position: '8', event: undefined },
    ]);
  });
});

describe('what is not a stream of changes', () => {
  const table: [what: string, text: string, reason: RegExp][] = [
    ['an event without a position', 'event: reset\ndata: {}\n\n', /an event has no position/],
    [
      'data without an id',
      'id: 1\nevent: change\ndata: {"change":"updated"}\n\n',
      /an event is not a change/,
    ],
    ['data with id 0', 'id: 1\nevent: change\ndata: {"id":0,"change":"updated"}\n\n', /not a change/],
    ['data without a kind', 'id: 1\nevent: change\ndata: {"id":1,"change":"moved"}\n\n', /not a change/],
    ['data that is not JSON', 'id: 1\nevent: change\ndata: {\n\n', /not a change/],
    ['data that is null', 'id: 1\nevent: change\ndata: null\n\n', /not a change/],
    ['a line that never ends', `data: ${'x'.repeat(10_000)}`, /a line is too long/],
    ['a long line', `data: ${'x'.repeat(10_000)}\n`, /a line is too long/],
  ];
  for (const [what, text, reason] of table)
    test(what, async () => {
      const message = new RegExp(`^the server's response is not a stream of changes: .*${reason.source}`);
      await assert.rejects(read(text), { code: 'bad_response', message });
    });

  test('a line of 10,000 characters is none of these', async () => {
    assert.equal((await read(`name: ${'x'.repeat(9994)}\n\n`)).length, 1);
  });
});

test('a position is 1 to 1000 letters, digits, full stops, underscores and hyphens', () => {
  for (const text of ['7', 'A-z_0.', 'x'.repeat(1000)]) assert.ok(isPosition(text), text);
  for (const text of ['', 'x'.repeat(1001), 'a b', 'é', 'a\n', ' a']) assert.ok(!isPosition(text), text);
});

test('a book is created, updated, deleted or reverted', () => {
  for (const kind of ['created', 'updated', 'deleted', 'reverted']) assert.ok(isChangeKind(kind));
  for (const kind of ['', 'moved', 'Created', undefined, ['created']]) assert.ok(!isChangeKind(kind));
});
