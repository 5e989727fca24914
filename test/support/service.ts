import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger, ServerConfig } from '../../src/index.ts';
import { createFace } from './faces.ts';
import { ownOutput, ownSecrets } from './output.ts';
import { temporaryFolder, type Scope } from './temp.ts';
import type { AnyConfig } from '../../src/server/config.ts';

/** The secret and the credentials of every service in the tests. */
export const secretToken = 'a-secret-for-tests-only-with-40-bytes!!!';
export const credentials = { username: 'librarian', password: 'correct horse' };

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed body; `undefined` without a body. */
  envelope: { status: number; message: string; data: unknown } | undefined;
}

export interface RequestOptions {
  headers?: http.OutgoingHttpHeaders;
  /** Text or bytes are sent unchanged, other values as JSON. */
  body?: unknown;
  /** Sent as `Authorization`. */
  token?: string | undefined;
  /** The address that it is sent from. */
  localAddress?: string;
}

export interface TestService {
  server: Server;
  url: string;
  port: number;
  /** A token that is valid for the service. */
  token: string;
  /** The warnings and errors in the log of the service. */
  log: string[];
  /** Its access log. */
  requests: string[];
  /** Sends a request on its own connection; checks that the response is an envelope. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  close(): Promise<void>;
}

/** The address of a new embedded store. */
export async function embeddedStore(context: Scope): Promise<{ databaseUrl: string }> {
  return { databaseUrl: `file:${join(await temporaryFolder(context), 'data')}` };
}

/** Starts a real service on a free port, over a new store in memory unless told otherwise. */
export async function startService(context: Scope, config: Partial<AnyConfig> = {}): Promise<TestService> {
  const log: string[] = [];
  const requests: string[] = [];
  const place = config.store ? {} : { databaseUrl: 'memory:' };
  const server = await createFace(
    telling({
      secretToken,
      authUsername: credentials.username,
      authPassword: credentials.password,
      logger: collectInto(log, requests),
      ...place,
      ...config,
    } as ServerConfig),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const close = () =>
    (closed ??= new Promise<void>((resolve, reject) => {
      server.close((error) => {
        if (error) reject(error);
        else resolve();
      });
    }));
  context.after(close);
  const url = `http://127.0.0.1:${port}`;
  const service: TestService = {
    server,
    url,
    port,
    token: '',
    log,
    requests,
    close,
    request: (method, path, options) => sendRequest(url, method, path, options),
  };
  const { authUsername: username = credentials.username, authPassword: password = credentials.password } =
    config;
  const login = await service.request('POST', `${config.prefix ?? ''}/token`, {
    body: { username, password },
  });
  service.token = (login.envelope?.data as { token: string }).token;
  return service;
}

/** Registers the secrets of a service, so that all output of the tests is searched for them. */
function telling(config: ServerConfig): ServerConfig {
  for (const kind of ['secretToken', 'secretTokenPrevious', 'authPassword'] as const)
    if (config[kind] !== undefined) ownSecrets.publish([kind, config[kind]]);
  return config;
}

export function collectInto(log: string[], requests: string[] = []): Logger {
  const addTo = (lines: string[]) => (fields: object, message: string) => {
    const line = `${message} ${JSON.stringify(fields)}`;
    ownOutput.publish(line);
    lines.push(line);
  };
  return { info: addTo(requests), warn: addTo(log), error: addTo(log) };
}

/** Sends a request; checks that a response with a body is an envelope with the HTTP status. */
export async function sendRequest(
  url: string,
  method: string,
  path: string,
  { headers, body, token, localAddress }: RequestOptions = {},
): Promise<Answer> {
  const payload =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const request = http.request(url + path, {
    method,
    agent: false,
    localAddress,
    headers: { ...headers, ...(token !== undefined && { Authorization: token }) },
  });
  request.end(payload);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const status = response.statusCode ?? 0;
  if (text === '') return { status, headers: response.headers, text, envelope: undefined };
  const envelope = JSON.parse(text) as Answer['envelope'];
  assert.deepEqual(Object.keys(envelope ?? {}), ['status', 'message', 'data']);
  assert.equal(envelope?.status, status);
  return { status, headers: response.headers, text, envelope };
}
