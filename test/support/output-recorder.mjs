import { Buffer } from 'node:buffer';
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { now } from './test-recorder.mjs';

/**
 * Records, for `output.ts` to search: the secrets and arguments of this process, and the arguments and output of the
 * processes it starts. Their output includes crashes, which no process could record itself. `recorder.mjs` decides when.
 */
/* global process */
const folder = process.env.ANSWERS_FOLDER ?? '';
const isProgram = /[\\/]shelflist(\.js)?$/.test(process.argv[1] ?? '');
const secret = /^(SECRET_TOKEN|SECRET_TOKEN_PREVIOUS|AUTH_PASSWORD|SHELFLIST_PASSWORD|SHELFLIST_TOKEN)$/;

function noteSecret(kind, value) {
  if (value) appendFileSync(join(folder, `${process.pid}.secrets`), `${JSON.stringify([kind, value])}\n`);
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function noteSettings(settings, directory = '.') {
  for (const [name, value] of settings) {
    if (secret.test(name)) noteSecret(name, value);
    else if (secret.test(name.replace(/_FILE$/, '')))
      noteSecret(name, read(resolve(directory, value)).replace(/\r?\n$/, ''));
    else if (name === 'DATABASE_URL') noteSecret(name, /:\/\/[^/@]*:([^/@]*)@/.exec(value)?.[1]);
  }
}

const noteDotenv = (directory = '.') => {
  const lines = read(join(directory, '.env')).matchAll(
    /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(?:'([^']*)'|"([^"]*)"|([^#\r\n]*))/gm,
  );
  noteSettings(
    Array.from(lines, ([, name, ...values]) => [name, values.find(Boolean)?.trim() ?? '']),
    directory,
  );
};

noteSettings(Object.entries(process.env));
if (isProgram) {
  noteDotenv();
  if (process.argv.includes('init')) process.on('exit', () => noteDotenv());
}

let files = 0;
/** Starts a file with the process that has written its contents. JavaScript may pass numbers as arguments. */
function begin(args, by = isProgram ? 'program' : 'test') {
  const file = join(folder, `${process.pid}-${++files}.output`);
  appendFileSync(file, `${JSON.stringify({ by, args: Array.from(args, String), at: now() })}\n`);
  return file;
}

/** Adds output to a file, and its time and length to the file beside it. */
function add(file, output) {
  appendFileSync(file, output);
  appendFileSync(`${file}.times`, `${JSON.stringify([now(), Buffer.byteLength(output)])}\n`);
}

if (isProgram) begin([process.execPath, ...process.execArgv, ...process.argv.slice(1)]);

subscribe('child_process', ({ process: child }) => {
  const { spawn } = child;
  child.spawn = function (...options) {
    const result = spawn.apply(this, options);
    // The compiler of the tests reads and prints their text, which is not output.
    if (/[\\/]esbuild$/.test(child.spawnfile)) return result;
    const streams = [child.stdout, child.stderr].filter((stream) => stream?.push !== undefined);
    if (streams.length === 0) begin(child.spawnargs);
    for (const stream of streams) {
      const file = begin(child.spawnargs);
      const { push } = stream;
      stream.push = function (chunk, ...rest) {
        if (chunk !== null) add(file, chunk);
        return push.call(this, chunk, ...rest);
      };
    }
    return result;
  };
});

/** The channels on which services within the process of a test report their secrets and logs. */
subscribe('shelflist.test.secret', ([kind, value]) => {
  noteSecret(kind, value);
});
let log;
subscribe('shelflist.test.output', (text) => {
  log ??= begin(process.argv);
  add(log, Buffer.from(`${text}\n`));
});
subscribe('shelflist.test.command', ({ args, env, directory, output }) => {
  noteSettings(Object.entries(env), directory);
  noteDotenv(directory);
  appendFileSync(begin(['shelflist', ...args], 'program'), output);
});
