import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, describe, test, type TestContext } from 'node:test';
import { createClient } from '../../src/index.ts';
import { compiledPath } from '../support/compiled-path.ts';
import { newDatabaseUrl, startMongod } from '../support/mongod.ts';
import { credentials, startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temp.ts';

const mongod = await startMongod();
const skip = 'skip' in mongod && mongod.skip;
after(() => ('skip' in mongod ? undefined : mongod.stop()));

describe('a create whose service was killed between commit and answer', () => {
  test('is repeated on an SQLite file: one book', async (t) => {
    await killAndRepeat(t, `file:${await temporaryFolder(t)}`);
  });

  test('is repeated on MongoDB: one book', { skip }, async (t) => {
    if ('skip' in mongod) return;
    await killAndRepeat(t, newDatabaseUrl(mongod));
  });
});

async function killAndRepeat(t: TestContext, databaseUrl: string): Promise<void> {
  const create = {
    method: 'POST',
    headers: { 'Idempotency-Key': 'one-book' },
    body: JSON.stringify({ title: 'Emma', author: 'Jane Austen', year: 1815 }),
  };
  const child = spawn(
    process.execPath,
    [
      ...process.execArgv,
      compiledPath(join(import.meta.dirname, '../support/killed-service.ts')),
      databaseUrl,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const [ready] = (await once(child.stdout, 'data')) as [Buffer];
  const url = ready.toString();
  const token = await createClient({ url }).login(credentials.username, credentials.password);
  const authorized = { ...create, headers: { ...create.headers, Authorization: token } };
  await assert.rejects(fetch(`${url}/book`, authorized));
  assert.equal((await ended)[1], 'SIGKILL');
  const service = await startService(t, { databaseUrl });
  const repeat = await fetch(`${service.url}/book`, authorized);
  assert.equal(repeat.headers.get('Idempotency-Replayed'), 'true');
  assert.equal(((await repeat.json()) as { data: { id: number } }).data.id, 1);
  const list = await fetch(`${service.url}/books`, { headers: { Authorization: token } });
  assert.equal(((await list.json()) as { data: unknown[] }).data.length, 1);
}
