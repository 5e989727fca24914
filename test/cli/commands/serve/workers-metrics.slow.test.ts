import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { serve, workersOf } from '../../../support/cli.ts';
import { temporaryFolder } from '../../../support/temp.ts';

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
const livezLabels = '{method="GET",route="/livez"}';
/** Not the gauges: the free bytes of a disk decrease. */
const counters = (all: Map<string, number>) =>
  [...all].filter(([name]) => /^shelflist_\w+_(?:total|bucket|sum|count)(?:\{|$)/.test(name));
const workersIn = (all: Map<string, number>) =>
  [...all.keys()].filter((name) => /^process_resident_memory_bytes\{worker="\d+"\}$/.test(name));

test('every worker returns the sum over all workers, which never decreases', async () => {
  await ask(60);
  let before = await metrics();
  assert.equal(before.get(livez), 60);
  for (let i = 1; i < 20; i++) {
    const now = await metrics();
    assert.equal(now.get(livez), 60);
    assert.equal(now.get('shelflist_requests_total{method="GET",route="/metrics",status="200"}'), i);
    assert.equal(now.get(`shelflist_request_duration_seconds_count${livezLabels}`), 60);
    assert.equal(now.get('shelflist_worker_restarts_total'), 0);
    assert.ok((now.get('shelflist_store_duration_seconds_count{operation="count"}') ?? 0) >= i - 1);
    for (const [name, value] of counters(before)) assert.ok((now.get(name) ?? 0) >= value, name);
    assert.equal(workersIn(now).length, 3);
    before = now;
  }
});

test('concurrent scrapes are all answered', async () => {
  for (const all of await Promise.all(Array.from({ length: 20 }, metrics))) assert.equal(all.get(livez), 60);
});

test('for a worker that does not answer, its last known counts are used', async (context) => {
  const [pid = 0] = await workersOf(service);
  context.after(() => process.kill(pid, 'SIGCONT'));
  process.kill(pid, 'SIGSTOP');
  const all = await metrics();
  assert.equal(all.get(livez), 60);
  assert.equal(workersIn(all).length, 3);
});

test('the counts of killed workers are kept', async () => {
  const before = await metrics();
  const [, ...killed] = await workersOf(service); // One is left to answer while others take their places.
  for (const pid of killed) {
    process.kill(pid, 'SIGKILL');
    await service.said(new RegExp(`worker ${pid} exited \\(SIGKILL\\); replacing it\n`));
  }
  const now = await metrics();
  for (const [name, value] of counters(before)) assert.ok((now.get(name) ?? 0) >= value, name);
  assert.equal(now.get(livez), 60);
  assert.equal(now.get('shelflist_worker_restarts_total'), killed.length);
});
