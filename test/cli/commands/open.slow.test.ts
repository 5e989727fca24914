import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import process from 'node:process';
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

/** Exchanges the code in an address, as the page does. */
async function exchange(address: string): Promise<string | undefined> {
  const { origin, hash } = new URL(address);
  const body = JSON.stringify({ code: new URLSearchParams(hash.slice(1)).get('code') });
  const response = await fetch(`${origin}/token/exchange`, { method: 'POST', body });
  const { data } = (await response.json()) as { data: { token: string } | null };
  return data?.token;
}

describe('shelflist open', { skip }, () => {
  test('shows the page in a browser, logged in', async (t) => {
    const { env, opened } = await startOpener(t);
    const running = run(['open'], { env });
    const address = await opened();
    assert.deepEqual(await running, {
      code: 0,
      stdout: '',
      stderr: `opening ${service.url}/ in the browser; if nothing appears, type this address there\n`,
    });

    const page = await openPage(t, `${service.url}/livez`); // Any request to another origin fails the test.
    await page.goto(address);
    await waitForLogin(page);
    assert.equal(page.url(), `${service.url}/`);
    await page.reload();
    await waitForLogin(page);
  });

  test('gives the browser a code that gives a token once, and writes neither to a file', async (t) => {
    const { env, opened } = await startOpener(t);
    const running = run(['open'], { env });
    const address = await opened();
    assert.match(address, new RegExp(`^${service.url}/#code=[\\w-]{32}$`));
    assert.equal((await running).code, 0);
    const tokens = await Promise.all([exchange(address), exchange(address)]);
    const [token, ...others] = tokens.filter((each) => each !== undefined);
    assert.deepEqual(others, []);
    const answer = await fetch(`${service.url}/books`, { headers: { authorization: String(token) } });
    assert.equal(answer.status, 200);
    const code = address.replace(/.*=/, '');
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile())
        assert.ok(!(await readFile(join(entry.parentPath, entry.name))).includes(code), entry.name);
  });

  test('says where the page is if no program can show it', async (t) => {
    const { code, stderr } = await run(['open'], { env: { PATH: await temporaryFolder(t) } });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^shelflist: cannot start a browser with xdg-open \(ENOENT\); open http:\S+\/ in a browser, and log in with the username and password of the service\n$/,
    );
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
  test('opens the page once it listens, logged in, and logs no code', async (t) => {
    const { env, opened } = await startOpener(t);
    const cwd = await temporaryFolder(t);
    const argument = opened();
    const own = await serve(t, cwd, { ...settings, ...env }, withOpen);
    await own.said(/opening \S+ in the browser/);
    const address = await argument;
    const token = await exchange(address);
    assert.ok(token);
    const answer = await fetch(`${own.url}/books`, { headers: { authorization: token } });
    assert.equal(answer.status, 200);
    assert.doesNotMatch(own.stderr(), /code=/);
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
