import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { writeCatalogueFile } from '../../src/formats/catalogue-file.ts';
import { viewerCode } from '../../src/formats/viewer-code.ts';
import { storedBook } from '../support/books.ts';
import { assertAccessible, openPage, skip } from '../support/browser.ts';
import { openCatalogue, numberedBooks } from '../support/catalogue-page.ts';
import { temporaryFolder } from '../support/temp.ts';

const hostile = '</script><img src=x onerror=alert(1)> & <b>';
const books = [
  ['Die Vögel', 'Aristophanes', -414],
  ['Über den Umgang mit Menschen', 'Adolph Knigge', 1788],
  ['Ein Zimmer für sich allein', 'Virginia Woolf', 1929],
  [hostile, '', 0],
  ...Array.from({ length: 250 }, (_, i) => [`Band ${i + 1}`, 'Zu Zweit', 2000] as const),
].map(([title, author, year], i) =>
  storedBook(i + 1, { title: String(title), author: String(author), year: Number(year) }),
);

describe('a catalogue in one file', { skip }, () => {
  test('searches, sorts and prints from a folder, without any service', async (t) => {
    const path = join(await temporaryFolder(t), 'Katalog 1.html');
    const needsScript = 'Dieser Katalog braucht JavaScript.';
    const madeAt = new Date('2026-11-29');
    const file = { name: 'Bücherei <Am See>', language: 'de', madeAt, needsScript, viewer: viewerCode() };
    await writeFile(path, writeCatalogueFile(books, file));
    const page = await openPage(t, pathToFileURL(path).href, { locale: 'fr' });
    const titles = () => page.getByRole('rowheader').allInnerTexts();
    const status = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Bücherei <Am See>' }).waitFor();
    await page.getByText('Stand: 29. November 2026').waitFor();
    await status('254 Bücher');
    assert.deepEqual((await titles()).slice(0, 3), ['Band 1', 'Band 2', 'Band 3'], 'numbers by their values');

    const search = page.getByLabel('Bücher suchen');
    await search.fill('uber menschen 1788'); // As the service folds words.
    await status('1 Buch · beste Treffer zuerst');
    assert.deepEqual(await page.locator('mark').allInnerTexts(), ['Über', 'Menschen']);
    await search.fill('voegel');
    assert.deepEqual(await titles(), ['Die Vögel']);
    await page.getByText('414 v. Chr.').waitFor();
    await search.fill('onerror');
    assert.deepEqual(await titles(), [hostile]);
    await search.fill('gibt es nicht');
    await status('Kein Buch gefunden. Versuchen Sie weniger Wörter.');
    await search.fill('');
    const year = page.getByRole('columnheader', { name: 'Jahr' });
    await year.getByRole('button').click();
    assert.equal((await titles())[0], 'Die Vögel');
    assert.equal(await year.getAttribute('aria-sort'), 'ascending');
    await year.getByRole('button').press('Enter');
    assert.equal(await year.getAttribute('aria-sort'), 'descending');
    assert.equal((await titles())[0], 'Band 250');

    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.equal((await titles()).length, 254, 'all books are printed');
    await page.emulateMedia({ media: 'screen' });
    for (const width of [320, 390, 1280, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} px`);
    }
    await assertAccessible(page, 'a catalogue in one file', 3);
  });

  test('is saved by the page', async (t) => {
    const { page, service } = await openCatalogue(t, {
      books: numberedBooks(3),
      config: { publicRead: true, catalogueName: 'Village library' },
    });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as HTML' }).click(),
    ]);
    await page.getByText('3 books saved as HTML.').waitFor();
    assert.match(download.suggestedFilename(), /^Village library \d{4}-\d\d-\d\d\.html$/);
    const path = join(await temporaryFolder(t), 'saved.html');
    await download.saveAs(path);
    await service.close();
    const saved = await openPage(t, pathToFileURL(path).href);
    await saved.getByRole('heading', { name: 'Village library' }).waitFor();
    await saved.getByLabel('Search books').fill('book 2');
    await saved.getByRole('rowheader', { name: 'Book 2' }).waitFor();
  });
});
