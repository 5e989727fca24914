import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { serve, workersOf } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temp.ts';

const service = await serve({ after }, await temporaryFolder({ after }), {
  SECRET_TOKEN: 'the-secret-of-this-test-with-38-bytes!',
  AUTH_USERNAME: 'librarian',
  AUTH_PASSWORD: 'the-password-of-this-test',
  WORKERS: '3',
  METRICS: 'true',
});

/** One request on a connection of its own, which any worker may get. */
async function get(path: string): Promise<string> {
  const response = await fetch(service.url + path, { headers: { Connection: 'close' } });
  assert.equal(response.status, 200);
  return response.text();
}

const ask = async (times: number) => {
  await Promise.all(Array.from({ length: times }, () => get('/livez')));
};

/** Every number of `GET /metrics`, by its name and labels. */
async function metrics(): Promise<Map<string, number>> {
  const text = await get('/metrics');
  return new Map(
    [...text.matchAll(/^(?!#)(.+) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
  );
}

const livez = 'shelflist_requests_total{method="GET",route="/livez",status="200"}';
const counters = (all: Map<string, number>) => [...all].filter(([name]) => name.startsWith('shelflist_'));
const workersIn = (all: Map<string, number>) =>
  [...all.keys()].filter((name) => /^process_resident_memory_bytes\{worker="\d+"\}$/.test(name));

test('whichever worker is asked, the sum of all is told, and never falls', async () => {
  await ask(60);
  let before = await metrics();
  assert.equal(before.get(livez), 60);
  for (let i = 1; i < 20; i++) {
    const now = await metrics();
    assert.equal(now.get(livez), 60);
    assert.equal(now.get('shelflist_requests_total{method="GET",route="/metrics",status="200"}'), i);
    assert.equal(now.get('shelflist_request_duration_seconds_count'), 60 + i);
    assert.equal(now.get('shelflist_request_duration_seconds_bucket{le="+Inf"}'), 60 + i);
    for (const [name, value] of counters(before)) assert.ok((now.get(name) ?? 0) >= value, name);
    assert.equal(workersIn(now).length, 3);
    before = now;
  }
});

test('scrapers that come at the same time are all answered', async () => {
  for (const all of await Promise.all(Array.from({ length: 20 }, metrics))) assert.equal(all.get(livez), 60);
});

test('a worker that does not answer is taken at what it said last', async (context) => {
  const [pid = 0] = await workersOf(service);
  context.after(() => process.kill(pid, 'SIGCONT'));
  process.kill(pid, 'SIGSTOP');
  const all = await metrics();
  assert.equal(all.get(livez), 60);
  assert.equal(workersIn(all).length, 3);
});

test('what workers have counted that were killed is not lost', async () => {
  const before = await metrics();
  const [, ...killed] = await workersOf(service); // One is left to answer while others take their places.
  for (const pid of killed) {
    process.kill(pid, 'SIGKILL');
    await service.said(new RegExp(`worker ${pid} ended \\(SIGKILL\\); another takes its place\n`));
  }
  const now = await metrics();
  for (const [name, value] of counters(before)) assert.ok((now.get(name) ?? 0) >= value, name);
  assert.equal(now.get(livez), 60);
});
