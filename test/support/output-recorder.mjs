import { Buffer } from 'node:buffer';
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes down, for `output.ts` to search, what secrets this process has been given, its arguments, and those of the
 * processes that it starts with what it reads of their output: that holds a crash too, which no process could write down of
 * itself. `recorder.mjs` says when.
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

function noteSettings(settings) {
  for (const [name, value] of settings) {
    if (secret.test(name)) noteSecret(name, value);
    else if (secret.test(name.replace(/_FILE$/, ''))) noteSecret(name, read(value).replace(/\r?\n$/, ''));
    else if (name === 'DATABASE_URL') noteSecret(name, /:\/\/[^/@]*:([^/@]*)@/.exec(value)?.[1]);
  }
}

const noteDotenv = () => {
  const lines = read('.env').matchAll(
    /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(?:'([^']*)'|"([^"]*)"|([^#\r\n]*))/gm,
  );
  noteSettings(Array.from(lines, ([, name, ...values]) => [name, values.find(Boolean)?.trim() ?? '']));
};

noteSettings(Object.entries(process.env));
if (isProgram) {
  noteDotenv();
  if (process.argv.includes('init')) process.on('exit', noteDotenv);
}

let files = 0;
/** Begins a file with who has written what follows. */
function begin(args) {
  const file = join(folder, `${process.pid}-${++files}.output`);
  appendFileSync(file, `${JSON.stringify({ by: isProgram ? 'program' : 'test', args })}\n`);
  return file;
}

if (isProgram) begin([process.execPath, ...process.execArgv, ...process.argv.slice(1)]);

subscribe('child_process', ({ process: child }) => {
  const { spawn } = child;
  child.spawn = function (...options) {
    const result = spawn.apply(this, options);
    // What compiles the tests is given their texts, and gives them back.
    if (/[\\/]esbuild$/.test(child.spawnfile)) return result;
    const streams = [child.stdout, child.stderr].filter((stream) => stream?.push !== undefined);
    if (streams.length === 0) begin(child.spawnargs);
    for (const stream of streams) {
      const file = begin(child.spawnargs);
      const { push } = stream;
      stream.push = function (chunk, ...rest) {
        if (chunk !== null) appendFileSync(file, chunk);
        return push.call(this, chunk, ...rest);
      };
    }
    return result;
  };
});

/** Services within a test's own process say by these what they are given and what they log. */
subscribe('shelflist.test.secret', ([kind, value]) => {
  noteSecret(kind, value);
});
let log;
subscribe('shelflist.test.output', (text) => {
  log ??= begin(process.argv);
  appendFileSync(log, Buffer.from(`${text}\n`));
});
