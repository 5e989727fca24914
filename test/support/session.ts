import { once } from 'node:events';
import { appendFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { KeptSettings } from '../../src/cli/commands/serve/kept-settings.ts';
import { createStorePassword, listen, openServer } from '../../src/cli/commands/serve/open-server.ts';
import { readServiceSettings } from '../../src/config/read-settings.ts';
import { cleanEnvironment, run, shelflist, type Command, type Outcome, type RunOptions } from './cli.ts';
import { temporaryFolder, type Scope } from './temp.ts';

export interface Session {
  /** It runs in the process of the test, because starting another one takes a second. */
  service: { readonly url: string; readonly stop: () => Promise<void> };
  /** The folder in which `shelflist init` was run, with `.env`, the books and the token. */
  folder: string;
  /** Runs a command there, against the service. */
  run: (command: Command, options?: Omit<RunOptions, 'cwd'>) => Promise<Outcome>;
}

/** A running service, and a logged-in user. @param variables More settings of the service. */
export async function startSession(context: Scope, variables: Record<string, string> = {}): Promise<Session> {
  const folder = await temporaryFolder(context);
  await shelflist(['init'], { cwd: folder });
  const service = await serveHere(context, folder, variables);
  await describeService(folder, service.url);
  const inFolder: Session['run'] = (command, { env, ...options } = {}) =>
    run(command, { cwd: folder, env: { SHELFLIST_URL: service.url, ...env }, ...options });
  const { code, stderr } = await inFolder(['login']);
  if (code !== 0) throw new Error(stderr);
  return { service, folder, run: inFolder };
}

/** Does what `shelflist serve` does in a folder, on a free port, until the test ends. */
async function serveHere(
  context: Scope,
  folder: string,
  variables: Record<string, string>,
): Promise<Session['service']> {
  const sources = {
    flags: { port: '0', databaseUrl: `file:${join(folder, 'data')}`, logLevel: 'error' },
    env: cleanEnvironment(folder, variables),
    directory: folder,
    program: 'shelflist',
  };
  const settings = await readServiceSettings(sources);
  const kept = new KeptSettings(sources, settings);
  const server = await openServer(settings, createStorePassword(folder), { settings: kept });
  let stopped: Promise<void> | undefined;
  const stop = () =>
    (stopped ??= new Promise((resolve) => {
      server.close(() => {
        resolve(kept.close());
      });
    }));
  context.after(stop);
  return { url: await listen(server, settings), stop };
}

/** Adds the address of the service, whose port is random, to the `.env` of a folder, so that `login` sends the password there. */
export async function describeService(folder: string, url: string): Promise<void> {
  await appendFile(join(folder, '.env'), `SHELFLIST_URL=${url}\n`);
}

export interface StrangeServer {
  url: string;
  port: number;
  /** `METHOD path Authorization`, for every request so far. */
  requests: string[];
}

/** A plain HTTP server that is not shelflist, and records its requests. */
export async function startStranger(
  context: Scope,
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => {
    response.end('hello');
  },
): Promise<StrangeServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push([request.method, request.url, request.headers.authorization ?? '-'].join(' '));
    request.resume();
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, requests };
}
