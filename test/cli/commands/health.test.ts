import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { serve, settings, shelflist, shell } from '../../support/cli.ts';
import { startStranger } from '../../support/session.ts';
import { temporaryFolder } from '../../support/temp.ts';

test('health exits with 0 when the service is ready, without a login', async (t) => {
  const cwd = await temporaryFolder(t);
  const { url } = await serve(t, cwd, { ...settings, PREFIX: '/catalogue' });
  assert.match(url, /:\d+\/catalogue$/);
  const { code, stdout, stderr } = await shelflist(['health', '--url', url], { cwd });
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '', stderr: `${url} is ready\n` });
});

describe('health exits with 5', () => {
  const envelope = (status: number, message: string) => JSON.stringify({ status, message, data: null });
  const table: { what: string; status: number; body: string; says: RegExp }[] = [
    {
      what: 'the service cannot read its store',
      status: 503,
      body: envelope(503, 'Service unavailable'),
      says: /is not ready: Service unavail/,
    },
    { what: 'another program listens there', status: 200, body: 'hello', says: /is not ready: / },
    { what: 'a proxy asks for a login', status: 401, body: 'Who are you?', says: /is not ready: / },
    { what: 'a proxy limits requests', status: 429, body: '', says: /is not ready: / },
    {
      what: 'the service has another prefix',
      status: 404,
      body: envelope(404, 'Not found'),
      says: /is not ready: Not found/,
    },
  ];
  for (const { what, status, body, says } of table) {
    test(`because ${what}`, async (t) => {
      const { url, requests } = await startStranger(t, (_, response) => response.writeHead(status).end(body));
      const { code, stderr } = await shelflist(['health', '--url', url], {
        cwd: await temporaryFolder(t),
      });
      assert.match(stderr, says);
      assert.equal(code, 5);
      assert.deepEqual(requests, ['GET /readyz -']);
    });
  }

  test('because nothing listens there', async (t) => {
    const cwd = await temporaryFolder(t);
    const { code, stderr } = await shelflist(['health', '--url', 'http://127.0.0.1:1'], { cwd });
    assert.match(stderr, /^shelflist: .+127\.0\.0\.1:1/);
    assert.equal(code, 5);
  });
});

test('health asks the service that .env describes', async (t) => {
  const cwd = await temporaryFolder(t);
  const dotenv = 'AUTH_USERNAME=a\nAUTH_PASSWORD=b\nPORT=1\nPREFIX=/x\n';
  const { stderr } = await shell(`printf '${dotenv}' > .env; shelflist health`, { cwd });
  assert.match(stderr, /http:\/\/127\.0\.0\.1:1:/);
});
