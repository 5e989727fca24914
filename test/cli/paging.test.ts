import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { after, describe, test } from 'node:test';
import type { Io } from '../../src/cli/io.ts';
import { ListPart } from '../../src/cli/paging.ts';
import { startSession } from '../support/session.ts';

const { run } = await startSession({ after });
const titles = ['Nana', 'Germinal', 'Thérèse', 'Pot', 'Rome'];
const input = JSON.stringify(
  titles.flatMap((title) => [
    { title, author: 'Zola' },
    { title, author: 'Émile' },
  ]),
);
await run(['import', '-', '--format', 'json'], { input });
for (const id of [2, 4, 6, 8, 10]) await run(['delete', String(id)]);
await run(['import', '-', '--format', 'json'], { input });

describe('a list that is read in parts of two is the whole list', () => {
  for (const line of [
    ['list', '--format', 'csv'],
    ['list', 'zola', '--sort', '-title'],
    ['list', 'zol', 'nana', '--sort', 'best', '--json'],
    ['trash', '--format', 'tsv'],
    ['trash', '1-7', '--format', 'ndjson'],
    ['duplicates', '--format', 'ndjson'],
    ['duplicates', 'rome', '--format', 'ndjson'],
    ['authors', '--format', 'ndjson'],
    ['undo', '--list', '--format', 'ndjson'],
  ])
    test(line.join(' '), async () => {
      const recordsIn = (text: string) =>
        [...text.matchAll(/^.*\d.*$|\{[^}]*\}/gm)].map(([record]) => record);
      const whole = recordsIn((await run(line)).stdout);
      const parts: string[] = [];
      for (let more: string[] | undefined = [], i = 0; more !== undefined && i < 10; i++) {
        const { code, stdout, stderr } = await run([...line, '--limit', '2', ...more]);
        assert.equal(code, 0, stderr);
        parts.push(...recordsIn(stdout));
        const cursor = /^to go on, repeat this command with --after (\S+)\n$/.exec(stderr)?.[1];
        more = cursor === undefined ? undefined : ['--after', cursor];
      }
      assert.deepEqual(parts, whole);
      assert.ok(whole.length > 0);
    });
});

test('a corrected search is continued with its words, and ids have no cursor', async () => {
  const { stderr } = await run(['list', 'zolla', '--limit', '1']);
  const [, words = '', cursor = ''] =
    /repeat this command for (\w+) with --after (\S+)\n$/.exec(stderr) ?? [];
  assert.equal(words, 'zola');
  assert.equal((await run(['list', words, '--limit', '1', '--after', cursor])).code, 0);
  assert.match((await run(['list', '1-2', '--after', cursor])).stderr, /--after are for words and filters/);
});

test('a part that ends within pages that are shorter than asked for goes on exactly there', async () => {
  const all = Array.from({ length: 20 }, (_, i) => i);
  // Pages have at most three items; the cursor is the last one.
  const readPage = ({ limit = 9, after = '-1' }) => {
    const items = all.filter((item) => item > Number(after)).slice(0, Math.min(limit, 3));
    const last = items.at(-1);
    return Promise.resolve({ items, next: last === undefined || last === 19 ? undefined : String(last) });
  };
  const isOdd = (item: number) => item % 2 === 1;
  const found: number[] = [];
  const cursors: (string | undefined)[] = [undefined];
  for (const after of cursors) {
    const part = new ListPart({ limit: 2, ...(after !== undefined && { after }) });
    for await (const item of part.read(readPage, isOdd)) found.push(item);
    const stderr = new PassThrough();
    part.noteMore({ stderr } as unknown as Io);
    const said = String((stderr.read() as Buffer | null) ?? '');
    if (said !== '') cursors.push(/--after (\d+)/.exec(said)?.[1]);
  }
  assert.deepEqual(found, all.filter(isOdd));
});
