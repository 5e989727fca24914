import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium, type BrowserServer, type LaunchOptions } from 'playwright-core';

/** An executable Chromium, and the environment that it needs. */
export interface Chromium {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

/** Where an installed Chrome is looked for. `CHROME_PATH` comes first. */
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
];

/** Finds a Chromium; otherwise the reason why there is none, and how to get one. */
export async function findChromium(): Promise<Chromium | { missing: string }> {
  const installed = [process.env.CHROME_PATH ?? '', ...places].find(
    (path) => path !== '' && existsSync(path),
  );
  if (process.env.CHROME_PATH === undefined && process.platform === 'linux' && process.arch === 'x64')
    return unpack();
  if (installed !== undefined) return { executablePath: installed, env: {} };
  return { missing: 'no browser found: install Google Chrome, or name an executable with CHROME_PATH' };
}

export function launchOptions({ executablePath, env }: Chromium): LaunchOptions {
  return {
    executablePath,
    env: { ...process.env, ...env },
    args: ['--no-sandbox', '--headless=shell', '--font-render-hinting=none', '--disable-gpu'],
  };
}

/** Starts a browser that several processes may connect to; `undefined` if there is none. */
export async function startBrowser(): Promise<BrowserServer | undefined> {
  const found = await findChromium();
  return 'missing' in found ? undefined : chromium.launchServer(launchOptions(found));
}

/**
 * Unpacks the Chromium of `@sparticuz/chromium`, once for all processes: into a new folder that is renamed when it is complete.
 * The package unpacks the shared libraries that a small system lacks (`libnss3` and others) only on AWS Lambda, so it is told
 * that it runs there. It has fonts too, because a container may have none.
 */
async function unpack(): Promise<Chromium> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const { version } = JSON.parse(await readFile(join(dirname(entry), '../../package.json'), 'utf8')) as {
    version: string;
  };
  const folder = join(homedir(), '.cache/shelflist-test', `chromium-${version}-${process.getuid?.() ?? 0}`);
  if (!existsSync(folder)) {
    await mkdir(dirname(folder), { recursive: true });
    const fresh = await mkdtemp(`${folder}-`);
    const code = `import(${JSON.stringify(pathToFileURL(entry).href)}).then((m) => (m.default.default ?? m.default).executablePath())`;
    await promisify(execFile)(process.execPath, ['-e', code], {
      env: { PATH: process.env.PATH, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    });
    await writeFile(join(fresh, 'fonts/fonts.conf'), fontConfiguration(folder));
    try {
      await rename(fresh, folder);
    } catch {
      await rm(fresh, { recursive: true, force: true }); // Another process was faster.
    }
  }
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  };
}

/** Its own fonts first: screenshots look the same on every machine. Those of the system have the other scripts. */
function fontConfiguration(folder: string): string {
  const prefer = (family: string) =>
    `<alias><family>${family}</family><prefer><family>Open Sans</family></prefer></alias>`;
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${folder}/fonts/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/fonts-cache</cachedir>
${['system-ui', 'sans-serif'].map(prefer).join('\n')}
</fontconfig>`;
}
