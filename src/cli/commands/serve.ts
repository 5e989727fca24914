import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Command } from 'commander';
import { version } from '../../../package.json';
import { readServiceSettings, type ServiceSettings } from '../../config.ts';
import { ShelflistError } from '../../errors.ts';
import { createLogger } from '../../server/log.ts';
import { addJsonOption } from '../arguments.ts';
import { watchInterrupt } from '../interrupt.ts';
import { notice, programName, type Io } from '../io.ts';
import { writeJson } from '../output/records.ts';
import { loginLine } from '../login.ts';

interface ServeOptions {
  databaseUrl?: string;
  host?: string;
  port?: string;
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
  CORS_ORIGINS       the origins whose web pages may use it, with commas; * is all (none)
  METRICS            true: answer GET /metrics, without a token (false)
  LOG_LEVEL          error, warn, or info: a line a request as well (warn)
  LOG_FORMAT         text, or json: an object a line (text)

  SECRET_TOKEN_PREVIOUS   while the secret is changed: the one before, still accepted

X_FILE names a file that holds the value of X. Secrets are never flags: every user of
the machine could read them.

Examples:
  $ shelflist init && shelflist serve
  $ shelflist serve --port 0 --database-url file:/var/lib/shelflist
  $ SECRET_TOKEN_FILE=/run/secrets/token shelflist serve --host 0.0.0.0
  $ shelflist serve --port 0 --json      # writes {"url": …, "pid": …} once it listens`;

export function defineServe(command: Command, io: Io): void {
  addJsonOption(command)
    .option('-p, --port <port>', 'the port to listen on')
    .option('-H, --host <address>', 'the address to listen on')
    .option(
      '-d, --database-url <url>',
      'where the books are; an address with a password belongs in DATABASE_URL',
    )
    .addHelpText('after', help)
    .action((options: ServeOptions) => serve(io, options));
}

async function serve(io: Io, { databaseUrl, host, port, json }: ServeOptions): Promise<void> {
  if (databaseUrl !== undefined && /^(?!file:)[^/]*:\/\/.*@/.test(databaseUrl)) {
    throw new ShelflistError('usage', {
      message:
        'a database address with a password is no argument: every user could read it; set DATABASE_URL',
    });
  }
  const settings = await readServiceSettings({
    flags: { DATABASE_URL: databaseUrl, HOST: host, PORT: port },
    env: io.env,
    directory: io.directory,
    program: programName(io),
  });
  const server = await open(settings);
  const say = sayAs(io, settings);
  const interrupt = watchInterrupt(io.env);
  try {
    await listen(server, settings);
    const url = addressOf(server);
    if (settings.logFormat.value === 'text') greet(io, url, settings);
    else say(`shelflist ${version} listens on ${url}`);
    if (json) await writeJson(io, { url, pid: process.pid });
    if (!interrupt.signal.aborted) await once(interrupt.signal, 'abort');
    say('stopping: requests under way are answered first');
  } finally {
    await new Promise((resolve) => server.close(resolve));
    await interrupt.settled();
    interrupt.release();
  }
  say('stopped');
}

async function open(settings: ServiceSettings): Promise<Server> {
  const { createServer } = await import('../../server/server.ts');
  const previous = settings.secretTokenPrevious.value;
  try {
    return await createServer({
      databaseUrl: settings.databaseUrl.value,
      secretToken: settings.secretToken.value,
      ...(previous !== undefined && { secretTokenPrevious: previous }),
      authUsername: settings.authUsername.value,
      authPassword: settings.authPassword.value,
      acceptBearer: settings.acceptBearer.value,
      bodyLimitBytes: settings.bodyLimitBytes.value,
      bulkLimitBytes: settings.bulkLimitBytes.value,
      corsOrigins: settings.corsOrigins.value,
      metrics: settings.metrics.value,
      logger: createLogger(settings.logLevel.value, settings.logFormat.value),
    });
  } catch (error) {
    if (!(error instanceof TypeError) || !error.message.startsWith('config.databaseUrl: ')) throw error;
    const { source } = settings.databaseUrl; // The one setting that only its store can judge.
    throw new ShelflistError('config', {
      message: `DATABASE_URL (${source}) ${error.message.replace('config.databaseUrl: ', '')}`,
    });
  }
}

async function listen(server: Server, { host, port }: ServiceSettings): Promise<void> {
  server.listen(port.value, host.value);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new ShelflistError('failed', {
      message: listenProblem((error as NodeJS.ErrnoException).code, host, port),
    });
  }
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

/** The address that it listens on. */
function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Says where the service is, and what a new user types next. */
function greet(io: Io, url: string, { databaseUrl }: ServiceSettings): void {
  const login = loginLine(io, url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//127.0.0.1:'));
  notice(io, `shelflist ${version} listens on ${url}`);
  if (databaseUrl.value.startsWith('file:'))
    notice(io, `the books are in ${databaseUrl.value.slice('file:'.length)}`);
  notice(io, `next, in another terminal in this folder:  ${login}  then  ${programName(io)} --help`);
  notice(io, 'Ctrl-C stops it');
}
