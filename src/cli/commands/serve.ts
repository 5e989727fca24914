import { once } from 'node:events';
import { InvalidArgumentError, type Command } from 'commander';
import { ShelflistError } from '../../errors.ts';
import { version } from '../../../package.json';
import { parseWorkers, readServiceSettings, type ServiceSettings } from '../../config.ts';
import { addJsonOption } from '../arguments.ts';
import { addDatabaseOption, refusePassword } from '../database.ts';
import { createLogger } from '../../server/log.ts';
import { workerVariable } from '../cluster/messages.ts';
import { listen, openServer } from '../service.ts';
import { isDescribed, readDotenvService } from '../dotenv-service.ts';
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
  BULK_LIMIT_BYTES   the longest body with many books, at most 67108864 (10485760)
  HISTORY_DAYS       how long deleted books and earlier states are kept (90)
  HISTORY_MAX_BYTES  disk space for these in the embedded store (268435456)
  CORS_ORIGINS       the origins whose web pages may use it, with commas; * is all (none)
  TRUSTED_PROXIES    proxies whose X-Forwarded-For is believed: 127.0.0.1,10.0.0.0/8 (none)
  METRICS            true: answer GET /metrics, without a token (false)
  LOG_LEVEL          error, warn, or info: a line a request as well (warn)
  LOG_FORMAT         text, or json: an object a line (text)
  WORKERS            processes that share the work; auto: one a core (1)

  SECRET_TOKEN_PREVIOUS   while the secret is changed: the one before, still accepted

X_FILE names a file that holds the value of X. Secrets are never flags: every user of
the machine could read them.

Examples:
  $ shelflist init && shelflist serve
  $ shelflist serve --port 0 --database-url file:/var/lib/shelflist
  $ SECRET_TOKEN_FILE=/run/secrets/token shelflist serve --host 0.0.0.0
  $ shelflist serve --workers auto
  $ shelflist serve --port 0 --json      # writes {"url": …, "pid": …} once it listens`;

export function defineServe(command: Command, io: Io): void {
  addDatabaseOption(addJsonOption(command))
    .option('-p, --port <port>', 'the port to listen on')
    .option('-H, --host <address>', 'the address to listen on')
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
    if (isWorker()) return serveAsWorker();
  }
  refusePassword(databaseUrl);
  const settings = await readServiceSettings({
    flags: { DATABASE_URL: databaseUrl, HOST: host, PORT: port, WORKERS: workers },
    env: io.env,
    directory: io.directory,
    program: programName(io),
  });
  const say = sayAs(io, settings);
  const service = await createService(settings, say);
  const interrupt = watchInterrupt(io.env);
  try {
    const ends = [interrupt.signal, ...(service.failure ? [service.failure] : [])];
    const ended = AbortSignal.any(ends);
    const url = await unless(ended, service.listen());
    if (url !== undefined) {
      if (settings.logFormat.value === 'text') await greet(io, url, settings);
      else say(`shelflist ${version} listens on ${url}${workersOf(settings)}`);
      if (json) await writeJson(io, { url, pid: process.pid });
      if (!ended.aborted) await once(ended, 'abort');
    }
    service.failure?.throwIfAborted();
    say('stopping: requests under way are answered first');
  } catch (error) {
    // Ctrl-C in a terminal ends a worker that is about to start: a start that was stopped has not failed.
    if (!interrupt.signal.aborted) throw error;
  } finally {
    await service.close();
    await interrupt.settled();
    interrupt.release();
  }
  say('stopped');
}

/** What a promise gives, or `undefined` as soon as it is all over: a worker may hang in its start. */
async function unless<T>(ended: AbortSignal, promise: Promise<T>): Promise<T | undefined> {
  promise.catch(() => undefined); // Where it is over, nobody waits for what becomes of it.
  const over = new AbortController();
  try {
    if (ended.aborted) return undefined;
    return await Promise.race([promise, once(ended, 'abort', over).then(() => undefined)]);
  } finally {
    over.abort();
  }
}

/** Workers with books of their own would give each id several times. */
function refusePerProcess({ databaseUrl, workers }: ServiceSettings): void {
  if (!databaseUrl.value.startsWith('memory:')) return;
  throw new ShelflistError('config', {
    message:
      `DATABASE_URL (${databaseUrl.source}) is in the memory of one process, but there are ${workers.value} workers ` +
      `(${workers.source}); use file:PATH or MongoDB, or one worker`,
  });
}

async function createService(settings: ServiceSettings, say: (text: string) => void): Promise<Service> {
  if (settings.workers.value > 1) {
    refusePerProcess(settings);
    const { Workers } = await import('../cluster/primary.ts');
    return new Workers(settings, say);
  }
  const server = await openServer(settings, { warn: true });
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

/** Tells what becomes of the service: among lines of JSON as one of them, whatever the level. */
function sayAs(io: Io, { logFormat }: ServiceSettings): (text: string) => void {
  if (logFormat.value === 'text')
    return (text) => {
      notice(io, text);
    };
  const logger = createLogger('info', 'json');
  return (text) => {
    logger.info({}, text);
  };
}

/** Says where the service is, and what a new user types next. */
async function greet(io: Io, url: string, settings: ServiceSettings): Promise<void> {
  const { databaseUrl } = settings;
  const address = url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//127.0.0.1:');
  const login = await loginLine(io, address);
  notice(io, `shelflist ${version} listens on ${url}${workersOf(settings)}`);
  if (databaseUrl.value.startsWith('file:'))
    notice(io, `the books are in ${databaseUrl.value.slice('file:'.length)}`);
  else if (databaseUrl.value.startsWith('memory:'))
    notice(io, 'the books are in memory, and gone when the service stops');
  notice(io, `next, in another terminal in this folder:  ${login}  then  ${programName(io)} --help`);
  const dotenv = await readDotenvService(io.directory).catch(() => undefined);
  if (dotenv?.password !== undefined && !isDescribed(dotenv, address))
    notice(io, `to log in with the password in .env, add this to .env:  SHELFLIST_URL=${address}`);
  notice(io, 'Ctrl-C stops it');
}

function workersOf({ workers }: ServiceSettings): string {
  return workers.value > 1 ? ` with ${workers.value} workers` : '';
}
