import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InvalidArgumentError, type Command } from 'commander';
import { version } from '../../../package.json';
import { parseWorkers, readServiceSettings, type ServiceSettings } from '../../config.ts';
import { ShelflistError } from '../../errors.ts';
import type { Logger } from '../../server/log.ts';
import { addJsonOption } from '../arguments.ts';
import { workerVariable } from '../cluster/messages.ts';
import { watchInterrupt } from '../interrupt.ts';
import { notice, programName, type Io } from '../io.ts';
import { writeJson } from '../output/records.ts';
import { loginLine } from '../login.ts';

interface ServeOptions {
  databaseUrl?: string;
  host?: string;
  port?: string;
  workers?: string;
  json?: boolean;
}

const help = `
Settings come from these flags, else the environment, else the .env file in this
folder, else their defaults:

  SECRET_TOKEN       the secret that signs tokens; 32 bytes or more (required)
  AUTH_USERNAME      the one user (required)
  AUTH_PASSWORD      and the password (required)
  DATABASE_URL       file:PATH, mongodb://… or mongodb+srv://… (file:./data)
  HOST               the address to listen on (127.0.0.1)
  PORT               the port; 0 takes a free one and says which (8080)
  ACCEPT_BEARER      true: take "Authorization: Bearer TOKEN" as well (false)
  BODY_LIMIT_BYTES   the longest request body, at most 7340032 (1048576)
  WORKERS            processes that share the work; auto: one a core (1)

X_FILE names a file that holds the value of X. Secrets are never flags: every user of
the machine could read them.

Examples:
  $ shelflist init && shelflist serve
  $ shelflist serve --port 0 --database-url file:/var/lib/shelflist
  $ SECRET_TOKEN_FILE=/run/secrets/token shelflist serve --host 0.0.0.0
  $ shelflist serve --workers auto
  $ shelflist serve --port 0 --json      # writes {"url": …, "pid": …} once it listens`;

export function defineServe(command: Command, io: Io): void {
  addJsonOption(command)
    .option('-p, --port <port>', 'the port to listen on')
    .option('-H, --host <address>', 'the address to listen on')
    .option(
      '-d, --database-url <url>',
      'where the books are; an address with a password belongs in DATABASE_URL',
    )
    .option('-w, --workers <number>', 'how many processes share the work; auto: one a core', checkWorkers)
    .addHelpText('after', help)
    .action((options: ServeOptions) => serve(io, options));
}

function checkWorkers(text: string): string {
  if (parseWorkers(text) !== undefined) return text;
  throw new InvalidArgumentError('It is a whole number from 1 to 1024, or auto.');
}

/** What answers requests: this process, or workers that it starts. */
interface Service {
  /** Gives the address. */
  listen(): Promise<string>;
  /** Aborted, with the reason, when it cannot go on. */
  readonly failure?: AbortSignal;
  close(): Promise<void>;
}

async function serve(io: Io, { databaseUrl, host, port, workers, json }: ServeOptions): Promise<void> {
  if (io.env[workerVariable] !== undefined) {
    const { isWorker, serveAsWorker } = await import('../cluster/worker.ts');
    if (isWorker()) return serveAsWorker({ open, listen });
  }
  if (databaseUrl !== undefined && /^(?!file:)[^/]*:\/\/.*@/.test(databaseUrl)) {
    throw new ShelflistError('usage', {
      message:
        'a database address with a password is no argument: every user could read it; set DATABASE_URL',
    });
  }
  const settings = await readServiceSettings({
    flags: { DATABASE_URL: databaseUrl, HOST: host, PORT: port, WORKERS: workers },
    env: io.env,
    directory: io.directory,
    program: programName(io),
  });
  const service = await createService(io, settings);
  const interrupt = watchInterrupt(io.env);
  try {
    const url = await service.listen();
    greet(io, url, settings);
    if (json) await writeJson(io, { url, pid: process.pid });
    const ends = [interrupt.signal, ...(service.failure ? [service.failure] : [])];
    if (!ends.some(({ aborted }) => aborted)) await Promise.race(ends.map((end) => once(end, 'abort')));
    service.failure?.throwIfAborted();
    notice(io, 'stopping: requests under way are answered first');
  } catch (error) {
    // Ctrl-C in a terminal ends a worker that is about to start: a start that was stopped has not failed.
    if (!interrupt.signal.aborted) throw error;
  } finally {
    await service.close();
    await interrupt.settled();
    interrupt.release();
  }
  notice(io, 'stopped');
}

async function createService(io: Io, settings: ServiceSettings): Promise<Service> {
  if (settings.workers.value > 1) {
    const { Workers } = await import('../cluster/primary.ts');
    return new Workers(io, settings);
  }
  const server = await open(settings);
  return {
    listen: () => listen(server, settings),
    close: () =>
      new Promise((resolve) =>
        server.close(() => {
          resolve();
        }),
      ),
  };
}

async function open(settings: ServiceSettings, logger?: Logger): Promise<Server> {
  const { createServer } = await import('../../server/server.ts');
  try {
    return await createServer({
      databaseUrl: settings.databaseUrl.value,
      secretToken: settings.secretToken.value,
      authUsername: settings.authUsername.value,
      authPassword: settings.authPassword.value,
      acceptBearer: settings.acceptBearer.value,
      bodyLimitBytes: settings.bodyLimitBytes.value,
      ...(logger && { logger }),
    });
  } catch (error) {
    if (!(error instanceof TypeError) || !error.message.startsWith('config.databaseUrl: ')) throw error;
    const { source } = settings.databaseUrl; // The one setting that only its store can judge.
    throw new ShelflistError('config', {
      message: `DATABASE_URL (${source}) ${error.message.replace('config.databaseUrl: ', '')}`,
    });
  }
}

/** Gives the address that it listens on. */
async function listen(server: Server, { host, port }: ServiceSettings): Promise<string> {
  server.listen(port.value, host.value);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new ShelflistError('failed', {
      message: listenProblem((error as NodeJS.ErrnoException).code, host, port),
    });
  }
  return addressOf(server);
}

function listenProblem(
  code: string | undefined,
  host: ServiceSettings['host'],
  port: ServiceSettings['port'],
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port.value} of ${host.value} is taken (${port.source}); stop what listens there, or choose another with --port`;
    case 'EACCES':
      return `this user may not listen on port ${port.value} (${port.source}); choose one from 1024 with --port`;
    default:
      return `cannot listen on ${host.value} (${host.source}), port ${port.value} (${port.source}): ${code ?? 'unknown reason'}`;
  }
}

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Says where the service is, and what a new user types next. */
function greet(io: Io, url: string, { databaseUrl, workers }: ServiceSettings): void {
  const login = loginLine(io, url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//127.0.0.1:'));
  const withWorkers = workers.value > 1 ? ` with ${workers.value} workers` : '';
  notice(io, `shelflist ${version} listens on ${url}${withWorkers}`);
  if (databaseUrl.value.startsWith('file:'))
    notice(io, `the books are in ${databaseUrl.value.slice('file:'.length)}`);
  notice(io, `next, in another terminal in this folder:  ${login}  then  ${programName(io)} --help`);
  notice(io, 'Ctrl-C stops it');
}
