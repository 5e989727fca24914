import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test, type TestContext } from 'node:test';
import { cleanEnvironment, settings } from '../support/cli.ts';
import { newDatabaseUrl } from '../support/mongod.ts';
import { useMongod } from '../support/mongodb-tests.ts';
import { root } from '../support/packed.ts';
import { temporaryFolder } from '../support/temp.ts';

const { mongod, skip: noMongod } = await useMongod();
const hono = join(root, 'examples/node_modules/hono');
const noPackages =
  !existsSync(hono) && 'the packages of the examples are not installed (npm --prefix examples ci)';

interface Result {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded: boolean;
}
type Invoke = (event: object) => Promise<Result>;

/** Loads the app as Lambda does, in a process of its own. Gives a function that handles an event. */
async function load(context: TestContext): Promise<Invoke> {
  const cwd = await temporaryFolder(context);
  await mkdir(join(cwd, 'node_modules'));
  await symlink(hono, join(cwd, 'node_modules/hono'));
  await symlink(root, join(cwd, 'node_modules/shelflist'));
  await writeFile(join(cwd, 'package.json'), '{"type":"module"}');
  for (const name of ['lambda.js', 'settings.js'])
    await copyFile(join(root, 'examples', name), join(cwd, name));
  const runtime = `
    import { createInterface } from 'node:readline';
    import { handler } from './lambda.js';
    for await (const line of createInterface(process.stdin))
      process.send(await handler(JSON.parse(line), {}));
    process.exit();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', runtime], {
    cwd,
    env: {
      ...cleanEnvironment(cwd),
      ...settings,
      NODE_OPTIONS: '', // The recorder of responses does not know the handler of Hono.
      DATABASE_URL: newDatabaseUrl(mongod),
    },
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'], // Its output must have no token.
  });
  const exited = once(child, 'exit');
  context.after(async () => {
    child.stdin?.end();
    assert.deepEqual(await exited, [0, null]);
  });
  return async (event) => {
    const answer = once(child, 'message', { signal: AbortSignal.timeout(30_000) });
    child.stdin?.write(`${JSON.stringify(event)}\n`);
    const [result] = (await answer) as [Result];
    return result;
  };
}

interface Request {
  method: string;
  path: string;
  query?: string;
  headers?: Record<string, string>;
  body?: string;
  isBase64Encoded?: boolean;
}

/** What an HTTP API of API Gateway sends (payload format 2.0), as its documentation shows it. */
function apiGatewayEvent({ method, path, query = '', headers, body, isBase64Encoded = false }: Request) {
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    headers: {
      accept: '*/*',
      host: 'abcde12345.execute-api.eu-west-1.amazonaws.com',
      'user-agent': 'curl/8.11.0',
      'x-amzn-trace-id': 'Root=1-674860d4-5f1a2b3c4d5e6f708192a3b4',
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
      ...headers,
    },
    ...(query && { queryStringParameters: Object.fromEntries(new URLSearchParams(query)) }),
    requestContext: {
      accountId: '123456789012',
      apiId: 'abcde12345',
      domainName: 'abcde12345.execute-api.eu-west-1.amazonaws.com',
      domainPrefix: 'abcde12345',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7', userAgent: 'curl/8.11.0' },
      requestId: 'B6qgTgBHjoEEJKg=',
      routeKey: '$default',
      stage: '$default',
      time: '27/Nov/2026:14:00:00 +0000',
      timeEpoch: 1795788000000,
    },
    ...(body !== undefined && { body }),
    isBase64Encoded,
  };
}

/** What a function URL sends: the same format, from another host, and with an anonymous account. */
function functionUrlEvent(request: Request) {
  const event = apiGatewayEvent(request);
  const host = 'abcdefghijklmnopqrstuvwxyz012345.lambda-url.eu-west-1.on.aws';
  return {
    ...event,
    headers: { ...event.headers, host },
    requestContext: { ...event.requestContext, accountId: 'anonymous', domainName: host },
  };
}

describe('examples/lambda.js', { skip: noPackages || noMongod }, () => {
  const sources = { 'API Gateway': apiGatewayEvent, 'a function URL': functionUrlEvent };
  for (const [name, toEvent] of Object.entries(sources))
    test(`answers the events of ${name}`, async (t) => {
      const invoke = await load(t);
      const send = async (request: Request) => {
        const result = await invoke(toEvent(request));
        assert.equal(result.isBase64Encoded, false);
        return { ...result, data: (JSON.parse(result.body) as { data: unknown }).data };
      };
      const login = await send({
        method: 'POST',
        path: '/catalogue/token',
        body: JSON.stringify({ username: settings.AUTH_USERNAME, password: settings.AUTH_PASSWORD }),
      });
      assert.equal(login.statusCode, 200, login.body);
      const headers = { authorization: (login.data as { token: string }).token };

      // API Gateway encodes bodies of types that it does not know.
      const created = await send({
        method: 'POST',
        path: '/catalogue/book',
        headers,
        body: Buffer.from('{"title":"L\'Été","author":"Albert Camus","year":1954}').toString('base64'),
        isBase64Encoded: true,
      });
      assert.deepEqual(
        [created.statusCode, created.data],
        [201, { id: 1, title: "L'Été", author: 'Albert Camus', year: 1954 }],
      );
      const found = await send({
        method: 'GET',
        path: '/catalogue/books',
        query: 'q=%C3%A9t%C3%A9',
        headers,
      });
      assert.deepEqual([found.statusCode, found.data], [200, [created.data]]);
      const deleted = await send({ method: 'DELETE', path: '/catalogue/book/1', headers });
      assert.equal(deleted.statusCode, 200, deleted.body);

      assert.equal((await send({ method: 'GET', path: '/catalogue/books' })).statusCode, 401);
      assert.equal((await send({ method: 'GET', path: '/catalogue/changes', headers })).statusCode, 404);
      const own = await invoke(toEvent({ method: 'GET', path: '/' }));
      assert.deepEqual([own.statusCode, own.body], [200, 'my own app']);
    });

  test('limits the failed logins of one address, and not those of others', async (t) => {
    const invoke = await load(t);
    const logIn = async (password: string, sourceIp: string) => {
      const event = apiGatewayEvent({
        method: 'POST',
        path: '/catalogue/token',
        body: JSON.stringify({ username: settings.AUTH_USERNAME, password }),
      });
      event.requestContext.http.sourceIp = sourceIp;
      return (await invoke(event)).statusCode;
    };
    let last = 401;
    for (let count = 0; count < 50 && last === 401; count++) last = await logIn('wrong', '203.0.113.8');
    assert.equal(last, 429);
    assert.equal(await logIn(settings.AUTH_PASSWORD, '203.0.113.9'), 200);
  });
});
