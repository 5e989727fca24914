import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { assertAccessible, skip } from '../support/browser.ts';
import { openLoggedIn } from '../support/catalogue-page.ts';
import { bomb, cellsOf, editSheet, workbook } from '../support/workbook.ts';
import { onlyLong } from '../support/size.ts';

async function choose(page: Page, buffer: Buffer): Promise<void> {
  await page.getByText('Drop a file here').waitFor();
  await page.locator('input[type=file]').setInputFiles({ name: 'books.xlsx', mimeType: '', buffer });
}

const figures = (page: Page) => page.locator('.figures > div').allInnerTexts();

describe('Excel files in a browser', { skip }, () => {
  test('1,000 books are saved, 10 cells edited and brought back: 10 books change, none is added, and one Undo takes it back', async (t) => {
    const books = Array.from({ length: 1000 }, (_, i) => ({
      title: `Book ${i}`,
      author: 'A',
      year: 1900 + (i % 100),
    }));
    const { page, service } = await openLoggedIn(t, { books });
    const all = async () => (await service.request('GET', '/books', { token: service.token })).envelope?.data;
    const before = await all();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as Excel' }).click(),
    ]);
    await page.getByText('1,000 books saved as Excel.').waitFor();
    assert.match(download.suggestedFilename(), /^shelflist \d{4}-\d\d-\d\d\.xlsx$/);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const edited = editSheet(Buffer.concat(chunks), (xml) => xml.replaceAll('<v>1950</v>', '<v>1850</v>'));

    await page.getByRole('link', { name: 'Import' }).first().click();
    const compare = async (route: Route) => {
      await page.getByRole('status').getByText('Comparing with the catalogue…').waitFor();
      await page.getByRole('button', { name: 'Change', exact: true, disabled: true }).waitFor();
      await route.continue();
    };
    await page.route('**/books/lookup', compare, { times: 1 });
    await choose(page, edited);
    await page.getByText('10 books to change, 0 to add, 990 as in the catalogue.').waitFor();
    assert.equal(await page.getByLabel('Change the books of this file').isChecked(), true);
    await assertAccessible(page, 'preview of an export');
    await page.getByLabel('Add as new books').check();
    await page.getByRole('button', { name: 'Import 1,000 rows' }).waitFor();
    await page.getByLabel('Change the books of this file').check();
    await page.getByRole('button', { name: 'Change 10 books' }).click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    assert.deepEqual(await figures(page), ['Added\n0', 'Updated\n10']);
    assert.notDeepEqual(await all(), before);
    await page.getByRole('button', { name: 'Undo the import' }).click();
    await page.getByText('The import was undone: 10 books.').waitFor();
    assert.deepEqual(await all(), before);
  });

  test('one of several sheets is chosen; a row that is left out has the number that Excel shows', async (t) => {
    const { page } = await openLoggedIn(t, { address: '?view=import' });
    const sheets = {
      Fiction: cellsOf('title') + cellsOf('Emma'),
      'Non fiction': `${cellsOf('title', 'year')}<row r="4"><c><v>1984</v></c><c s="1"><v>36526</v></c></row>${cellsOf('', '7')}`,
    };
    await choose(page, workbook({ sheets, formats: ['yyyy'] }));
    await page.getByRole('cell', { name: 'Emma' }).waitFor();
    await assertAccessible(page, 'preview of a workbook');
    await page.getByLabel('Sheet').selectOption('Non fiction');
    await page.getByRole('cell', { name: '1984' }).waitFor();
    await page.getByRole('cell', { name: '2000' }).waitFor();
    await page.getByText('1 row cannot be imported').click();
    await page.getByText('Row 5').waitFor();
    assert.equal(await page.getByText('Change the books of this file').count(), 0);
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    assert.deepEqual(await figures(page), ['Added\n1', 'Rejected\n1']);
  });

  test('a zip bomb of 315 MB is refused', { skip: onlyLong }, async (t) => {
    const { page } = await openLoggedIn(t, { address: '?view=import' });
    await choose(page, bomb('xl/worksheets/sheet1.xml', 315));
    await page.getByText('The workbook is larger than 128 MiB, or than 1 GiB unpacked').waitFor();
  });
});
