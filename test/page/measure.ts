import { closeBrowser, openPage } from '../support/browser.ts';
import { logIn, numberedBooks } from '../support/catalogue-page.ts';
import { heapOf, scrollDown } from './page-figures.ts';
import { startService } from '../support/service.ts';

/**
 * Prints how quick the page is with many books: `node --import tsx test/page/measure.ts [number of books]`. Run it on an idle
 * machine.
 */
const count = Number(process.argv[2] ?? 100_000);
const cleanUps: (() => unknown)[] = [];
const scope = { after: (cleanUp: () => unknown) => void cleanUps.unshift(cleanUp) };
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
const print = (name: string, value: number, unit: string) => {
  process.stdout.write(`${name.padEnd(44)} ${value.toFixed(1).padStart(8)} ${unit}\n`);
};

const service = await startService(scope, { page: true });
const books = numberedBooks(count);
for (let at = 0; at < count; at += 50_000)
  await service.request('POST', '/books', { token: service.token, body: books.slice(at, at + 50_000) });
const page = await openPage(scope, `${service.url}/`);
await logIn(page);
// The compiler of this file calls it in functions that run in the page.
await page.addInitScript({ content: 'globalThis.__name = (named) => named;' });
await page.getByRole('rowheader').first().waitFor();

/** When the first rows are in the document, by the clock of the page. */
const rowsShown = () =>
  new Promise<number>((resolve) => {
    const look = () => {
      if (document.querySelector('tbody td.title a') !== null) resolve(performance.now());
      else requestAnimationFrame(look);
    };
    look();
  });
const total = `${new Intl.NumberFormat('en').format(count)} books`;
const firstRows: number[] = [];
for (let i = 0; i < 11; i++) {
  await page.reload({ waitUntil: 'commit' });
  firstRows.push(await page.evaluate(rowsShown));
}
print('first rows after the navigation (median)', median(firstRows), 'ms');

const typed: number[] = [];
for (let i = 0; i < 11; i++) {
  const word = `book ${i + 2}7`;
  await page.getByLabel('Search books').fill('');
  await page.getByText(total).waitFor();
  const time = await page.evaluate(
    (text) =>
      new Promise<number>((resolve) => {
        const input = document.querySelector<HTMLInputElement>('#search');
        if (input === null) return;
        const begun = performance.now();
        const done = () =>
          document.querySelector('.count')?.textContent.includes('found') === true &&
          document.querySelector('tbody td.title a')?.textContent === `B${text.slice(1)}`;
        const look = () => {
          if (done()) resolve(performance.now() - begun);
          else requestAnimationFrame(look);
        };
        input.value = text;
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
        look();
      }),
    word,
  );
  typed.push(time);
}
print('a typed word to its results (median)', median(typed), 'ms');

await page.goto(`${service.url}/`);
await page.getByRole('rowheader').first().waitFor();
print('rows in the document, at most', await scrollDown(page, 10), 'rows');
print('heap after 10 scrolls', await heapOf(page), 'MiB');
await scrollDown(page, 100);
print('heap after 100 more', await heapOf(page), 'MiB');
for (const cleanUp of cleanUps) await cleanUp();
await closeBrowser();
