import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * `npm start`: builds, writes `.env` if there is none, and serves; the first time on a desktop, it also opens the page. Before the
 * build, it checks that the port is free.
 */
process.chdir(import.meta.dirname);
const program = join(import.meta.dirname, 'dist/bin/shelflist.cjs');
const options = process.argv.slice(2);
const { values: given } = parseArgs({
  args: options,
  strict: false,
  options: {
    'database-url': { type: 'string', short: 'd' },
    host: { type: 'string', short: 'H' },
    port: { type: 'string', short: 'p' },
    workers: { type: 'string', short: 'w' },
  },
});

const dotenv = await import('dotenv').catch(() => undefined);
const taken = dotenv && (await findTakenPort(dotenv.parse));
if (dotenv === undefined) {
  process.stderr.write('cannot start: the packages that shelflist needs are missing; run `npm ci` first\n');
  process.exitCode = 1;
} else if (taken !== undefined) {
  const free = await findFreePort(taken);
  const advice =
    free === undefined
      ? 'choose another port'
      : `use one that is free: ${startLine({ ...given, port: String(free) })}`;
  const { host, port } = taken;
  process.stderr.write(
    `port ${port} of ${host} is in use; stop the program that listens there, or ${advice}\n`,
  );
  process.exitCode = 1;
} else {
  const isFirst = !existsSync('.env');
  if (run('build.mjs') && run(program, 'init', '--if-missing')) {
    const open = isFirst && hasDesktop() && !options.includes('--open') ? ['--open'] : [];
    process.argv = [process.execPath, program, 'serve', ...options, ...open];
    await import(pathToFileURL(program).href);
  }
}

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
  return status === 0;
}

/** Whether somebody sits at a screen of this machine. */
function hasDesktop() {
  const { DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = process.env;
  const hasScreen = ['darwin', 'win32'].includes(process.platform) && !SSH_CONNECTION;
  return process.stdin.isTTY === true && (hasScreen || Boolean(DISPLAY || WAYLAND_DISPLAY));
}

/** The port that `serve` would find taken. Anything unusual is left to `serve`, which reads all settings and reports more. */
async function findTakenPort(parse) {
  // `serve` refuses an address with a password, which must not get into a message.
  if (String(given['database-url']).includes('@')) return undefined;
  const file = existsSync('.env') ? parse(readFileSync('.env')) : {};
  if ([process.env, file].some((each) => each.HOST_FILE || each.PORT_FILE)) return undefined;
  const host = given.host || process.env.HOST || file.HOST || '127.0.0.1';
  const port = Number(given.port || process.env.PORT || file.PORT || 8080);
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
  return isPort && (await isTaken(host, port)) ? { host, port } : undefined;
}

/** The other options are repeated, because without them it may serve another catalogue. */
function startLine(values) {
  const words = Object.entries(values).map(([name, value]) =>
    value === true ? `--${name}` : `--${name} ${shellWord(value)}`,
  );
  return ['npm start --', ...words].join(' ');
}

function shellWord(text) {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

async function findFreePort({ host, port: taken }) {
  for (let port = taken + 1; port <= Math.min(taken + 20, 65_535); port++)
    if (!(await isTaken(host, port))) return port;
  return undefined;
}

async function isTaken(host, port) {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return false;
  } catch (error) {
    return error.code === 'EADDRINUSE';
  } finally {
    server.close();
  }
}
