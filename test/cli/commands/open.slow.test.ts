import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { after, describe, test } from 'node:test';
import { openPage, skip as noBrowser } from '../../support/browser.ts';
import { waitForLogin } from '../../support/catalogue-page.ts';
import { serve, settings } from '../../support/cli.ts';
import { startSession } from '../../support/session.ts';
import { temporaryFolder, type Scope } from '../../support/temp.ts';

const skip = process.platform === 'linux' ? noBrowser : 'the browser is started by another program';
const { service, folder, run } = await startSession({ after });

/** A program in the place of the one that starts the browser. */
async function startOpener(scope: Scope) {
  const bin = join(await temporaryFolder(scope), 'bin');
  await mkdir(bin);
  const pipe = join(bin, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\necho "$*" > '${pipe}'\n`, { mode: 0o755 });
  const opened = async () => (await readFile(pipe, 'utf8')).trimEnd(); // Waits until it runs.
  return { env: { PATH: [bin, process.env.PATH].join(delimiter) }, opened };
}

/** The address that the file of `open` leads to. */
const addressIn = (text: string) => /location\.replace\("(http:[^"]+)"\)/.exec(text)?.[1] ?? '';

/** Follows it as a browser does; gives the token. */
async function takeToken(address: string): Promise<string | undefined> {
  const { headers } = await fetch(address, { redirect: 'manual' });
  return /#token=([\w.-]+)$/.exec(headers.get('location') ?? '')?.[1];
}

describe('shelflist open', { skip }, () => {
  test('shows the page in a browser, logged in, and leaves no file', async (t) => {
    const { env, opened } = await startOpener(t);
    const running = run(['open'], { env });
    const argument = await opened();
    const file = fileURLToPath(argument);
    assert.equal(file, join(folder, '.cache/shelflist/open.html'));
    assert.equal(statSync(file).mode & 0o777, 0o600);

    const page = await openPage(t, `${service.url}/livez`); // Any request to another origin fails the test.
    await page.goto(argument);
    await waitForLogin(page);
    assert.equal(page.url(), `${service.url}/`);
    await page.reload();
    await waitForLogin(page);

    assert.deepEqual(await running, {
      code: 0,
      stdout: '',
      stderr: `opening ${service.url}/ in the browser; if nothing appears, type this address there\n`,
    });
    assert.ok(!existsSync(file));
  });

  test('gives the token once, to who knows the content of the file, which holds none', async (t) => {
    const { env, opened } = await startOpener(t);
    const running = run(['open'], { env });
    const file = fileURLToPath(await opened());
    const text = await readFile(file, 'utf8');
    assert.doesNotMatch(text, /token/);
    const address = addressIn(text);
    const { status } = await fetch(new URL('/guess', address), { redirect: 'manual' });
    assert.equal(status, 404);
    const answers = await Promise.allSettled([takeToken(address), takeToken(address)]);
    const tokens = answers.flatMap((each) => (each.status === 'fulfilled' ? (each.value ?? []) : []));
    assert.equal(tokens.length, 1);
    const answer = await fetch(`${service.url}/books`, { headers: { authorization: String(tokens[0]) } });
    assert.equal(answer.status, 200);
    assert.equal((await running).code, 0);
    await assert.rejects(fetch(address));
    assert.ok(!existsSync(file));
  });

  test('says where the page is if no program can show it', async (t) => {
    const { code, stderr } = await run(['open'], { env: { PATH: await temporaryFolder(t) } });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^shelflist: cannot start a browser with xdg-open \(ENOENT\); open http:\S+\/ in a browser, and log in with the username and password of the service\n$/,
    );
    assert.ok(!existsSync(join(folder, '.cache/shelflist/open.html')));
  });

  test('asks for a login if there is none, and no password', async (t) => {
    await rm(join(folder, '.env'));
    const { code, stderr } = await run(['open'], { env: { XDG_CACHE_HOME: await temporaryFolder(t) } });
    assert.deepEqual([code, stderr.includes('run `shelflist login')], [4, true], stderr);
  });
});

/** Adds an option to the command line of the service. */
const withOpen = ['/bin/sh', '-c', 'exec "$@" --open', 'sh'];

describe('shelflist serve --open', { skip }, () => {
  test('opens the page once it listens, logged in, and logs no token', async (t) => {
    const { env, opened } = await startOpener(t);
    const cwd = await temporaryFolder(t);
    const argument = opened();
    const own = await serve(t, cwd, { ...settings, ...env }, withOpen);
    await own.said(/opening \S+ in the browser/);
    const token = await takeToken(addressIn(await readFile(fileURLToPath(await argument), 'utf8')));
    assert.ok(token);
    const answer = await fetch(`${own.url}/books`, { headers: { authorization: token } });
    assert.equal(answer.status, 200);
    assert.ok(!own.stderr().includes(token));
    assert.match(own.stderr(), new RegExp(`\n(the page for browsers: {2}${own.url}/)\n`));
  });

  test('says where the page is if no program can show it, and goes on', async (t) => {
    const env = { ...settings, PATH: await temporaryFolder(t) };
    const own = await serve(t, await temporaryFolder(t), env, withOpen);
    await own.said(/cannot start a browser with xdg-open \(ENOENT\); open http:\S+\/ in a browser/);
    assert.equal((await fetch(`${own.url}/livez`)).status, 200);
  });

  test('says that there is no page', async (t) => {
    const own = await serve(t, await temporaryFolder(t), { ...settings, PAGE: 'false' }, withOpen);
    await own.said(/--open does nothing: there is no page, because PAGE is false\n/);
    assert.doesNotMatch(own.stderr(), /for browsers/);
  });
});
