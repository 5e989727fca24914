import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test, type TestContext } from 'node:test';
import { exampleBook as emma, fieldsOf, type Book } from '../src/catalogue/book.ts';
import { cleanEnvironment } from './support/cli.ts';
import { installBeside, installPackage } from './support/packed.ts';

const login = { username: 'librarian', password: 'correct horse' };
const types = { json: 'application/json', curl: 'application/x-www-form-urlencoded' };

interface Answer {
  status: number;
  data: unknown;
}

async function send(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
) {
  const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  // Parsers refuse with a text of their own.
  const isEnvelope = text.startsWith('{"status":');
  return { status: response.status, data: isEnvelope ? (JSON.parse(text) as Answer).data : undefined };
}

/** Starts the apps; gives their addresses by name. */
async function startApps(context: TestContext): Promise<Map<string, string>> {
  const { tarball } = await installPackage(context);
  const place = await installBeside(context, tarball, 'express', 'fastify', 'koa', 'koa-bodyparser');
  await copyFile(join(import.meta.dirname, 'support/framework-apps.mjs'), join(place, 'apps.mjs'));
  const apps = spawn(process.execPath, ['apps.mjs'], {
    cwd: place,
    // Without the recorder of answers: parsers and frameworks add answers and headers of their own.
    env: { ...cleanEnvironment(place), NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.after(() => apps.kill());
  const [line] = (await once(apps.stdout, 'data')) as [Buffer];
  const ports = Object.entries(JSON.parse(line.toString()) as Record<string, number>);
  return new Map(ports.map(([name, port]) => [name, `http://127.0.0.1:${port}`]));
}

/** Those in which a body of another type than JSON arrives as it was sent. */
const readsEveryType = [
  'none',
  'express, no parser',
  'express.json',
  'express.raw',
  'express.text',
  'koa, no parser',
  'fastify, no parser',
];
/** Those that keep a parsed body where the service does not find it. */
const refusesJson = ['koa-bodyparser', 'fastify, its parsers'];

describe('behind the parsers of real frameworks', () => {
  test('each request is stored as sent, or refused, and changes nothing', async (context) => {
    const apps = await startApps(context);
    const bare = apps.get('none') ?? assert.fail();
    const { data } = await send(bare, 'POST', '/token', {}, JSON.stringify(login));
    const { token: Authorization } = data as { token: string };
    const readAll = async () => (await send(bare, 'GET', '/books', { Authorization })).data as Book[];

    for (const [name, url] of apps)
      for (const [what, type] of Object.entries(types))
        for (const isEmpty of [false, true]) {
          const headers = { Authorization, 'Content-Type': type };
          const bodyOf = (value: unknown) => (isEmpty ? '' : JSON.stringify(value));
          const title = `${name}, ${what}${isEmpty ? ', empty' : ''}`;
          const mustSucceed =
            !isEmpty && (what === 'json' ? !refusesJson.includes(name) : readsEveryType.includes(name));
          const check = (status: number, success: number) => {
            assert.equal(status === success, mustSucceed, `${title}: ${status}`);
            if (!mustSucceed) assert.ok(status >= 400, title);
          };

          const answer = await send(url, 'POST', '/token', { 'Content-Type': type }, bodyOf(login));
          check(answer.status, 200);
          const before = await readAll();
          check((await send(url, 'POST', '/book', headers, bodyOf(emma))).status, 201);
          check((await send(url, 'POST', '/books', headers, bodyOf([emma]))).status, 200);
          const added = (await readAll()).slice(before.length);
          assert.deepEqual(added.map(fieldsOf), mustSucceed ? [emma, emma] : [], title);

          const made = await send(bare, 'POST', '/book', { Authorization }, '{"title":"before"}');
          const { id } = made.data as Book;
          check((await send(url, 'PUT', `/book/${id}`, headers, bodyOf(emma))).status, 200);
          const stored = (await readAll()).find((book) => book.id === id) ?? assert.fail();
          assert.deepEqual(
            fieldsOf(stored),
            mustSucceed ? emma : { ...emma, title: 'before', author: '', year: 0 },
            title,
          );
        }
  });
});
