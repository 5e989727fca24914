import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import process from 'node:process';
import { readFileSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { findChromium, launchOptions } from './chromium.ts';
import { sized } from './size.ts';
import type { Scope } from './temp.ts';

const found = await findChromium();

/**
 * The option `skip` of tests that need a browser: the reason why there is none, else `false`. With `REQUIRE_BROWSER=1`, the
 * tests run and fail instead.
 */
export const skip = 'missing' in found && process.env.REQUIRE_BROWSER !== '1' ? found.missing : false;

let browser: Promise<Browser> | undefined;

/** Ends the browser. Tests need not: it ends with their file. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
}

after(closeBrowser);

/** The browser that the test run shares between its files (`run.ts`), else one for this file. Each window has its own profile. */
function launch(): Promise<Browser> {
  const shared = process.env.SHARED_BROWSER_URL;
  if (shared !== undefined) return chromium.connect(shared);
  if ('missing' in found) throw new Error(found.missing);
  return chromium.launch(launchOptions(found));
}

/** The note of the browser on an error that the service answers: the page expects it. */
const answeredError = /^Failed to load resource: the server responded with a status of [45]\d\d/;
/** The note on a request without an answer: tests cause it on purpose, and the service may stop before the page is closed. */
const unanswered =
  /^Failed to load resource: net::ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|CONNECTION_RESET|FAILED)/;

const reportViolations = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
  console.error('CSP: ' + violatedDirective + ' ' + blockedURI + ' ' + sample);
});`;

/**
 * Opens a page in a window of its own. The test fails if the page reports an error, violates its content security policy, or
 * asks another origin.
 */
export async function openPage(
  scope: Scope,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await (
    await (browser ??= launch())
  ).newContext({
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  const problems: string[] = [];
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !answeredError.test(text) && !unanswered.test(text))
      problems.push(`console: ${text}`);
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (request.isNavigationRequest() && request.frame().url().startsWith('file:')) return; // A file may lead anywhere.
    if (protocol.startsWith('http') && origin !== new URL(url).origin)
      problems.push(`asked ${request.url()}`);
  });
  await page.addInitScript({ content: reportViolations });
  scope.after(async () => {
    await context.close();
    assert.deepEqual(problems, []);
  });
  await page.goto(url);
  return page;
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const axe = readFileSync(axePath, 'utf8');

const runAxe = (runOnly: string) => `axe
  .run({ runOnly: ${runOnly} })
  .then(({ violations }) => violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => html + ' ' + failureSummary),
  })))`;

const all = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']";
/** The rules that depend on the colours. */
const ofColours = "{ type: 'rule', values: ['color-contrast', 'link-in-text-block'] }";
const schemes = [
  { name: 'forced colours', media: { colorScheme: 'light', forcedColors: 'active' }, rules: ofColours },
  { name: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' }, rules: ofColours },
  { name: 'light', media: { colorScheme: 'light', forcedColors: 'none' }, rules: all },
] as const;

/**
 * Asserts that axe-core finds no violation of WCAG 2.2 AA in what a page shows: light, and in the long form dark and with forced
 * colours.
 *
 * @param count How many of the schemes are shown, from the last one.
 */
export async function assertAccessible(
  page: Page,
  name: string,
  count = sized({ short: 1, long: schemes.length }),
): Promise<void> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe);
  for (const { name: scheme, media, rules } of schemes.slice(-count)) {
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
    assert.deepEqual(await page.evaluate(runAxe(rules)), [], `${name}, ${scheme}`);
  }
}
