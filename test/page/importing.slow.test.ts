import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { assertAccessible, skip } from '../support/browser.ts';
import { logIn, logOut, openCatalogue, openLoggedIn } from '../support/catalogue-page.ts';
import { credentials, type TestService } from '../support/service.ts';
import { sized } from '../support/size.ts';

const address = '?view=import';
const catalogue = [{ title: 'Emma', author: 'Jane Austen', year: 1815 }];

async function booksOf(service: TestService): Promise<unknown[]> {
  const { envelope } = await service.request('GET', '/books', { token: service.token });
  return (envelope?.data as Record<string, unknown>[]).map(({ title, author, year }) => [
    title,
    author,
    year,
  ]);
}

/** Drops a file on the page, as somebody drags it from the desktop. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  await page.evaluate(
    `(() => {
      const files = new DataTransfer();
      files.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}));
      for (const type of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
    })()`,
  );
}

/** Chooses a file with the picker. */
async function choose(page: Page, name: string, content: string | Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
}

async function paste(page: Page, text: string): Promise<void> {
  await page.getByLabel('Or paste rows').fill(text);
  await page.getByRole('button', { name: 'Preview' }).click();
}

describe('importing in a browser', { skip }, () => {
  test('a file that is dropped on another view is read, and its other columns are named', async (t) => {
    const { page } = await openLoggedIn(t, { books: catalogue });
    await page.getByRole('rowheader', { name: 'Emma' }).waitFor();
    await drop(page, 'books.csv', 'Title,Shelf,Author,Price\nOrlando,3a,Virginia Woolf,7\n');
    await page.getByRole('cell', { name: 'Orlando' }).waitFor();
    await page.getByText('Columns that are left out: Shelf, Price').waitFor();
    assert.equal(new URL(page.url()).search, '?view=import');
  });

  test('a first line that looks like a book is one, unless somebody says otherwise', async (t) => {
    const { page, service } = await openLoggedIn(t, { address });
    await choose(page, 'list.csv', 'Emma,Jane Austen,1815\nOrlando,Virginia Woolf,1928\n');
    await page.getByRole('cell', { name: 'Emma' }).waitFor();
    await page.getByRole('radio', { name: 'It names the columns' }).check();
    await page.getByText('Choose the column with the titles.').waitFor();
    await page.getByRole('radio', { name: 'It is a book' }).check();
    await page.getByRole('cell', { name: 'Emma' }).waitFor();
    await assertAccessible(page, 'preview without a header');
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.getByText('2 books', { exact: false }).first().waitFor();
    assert.equal((await booksOf(service)).length, 0);
  });

  test('a dropped file is shown first, then imported, and taken back with Undo', async (t) => {
    const { page, service } = await openLoggedIn(t, { books: catalogue, address });
    await assertAccessible(page, 'choice of a file');
    await page.getByText('Drop a file here').waitFor();
    await drop(page, 'books.csv', 'Autor;Titel;Jahr\nJane Austen;EMMA!;1815\nVirginia Woolf;Orlando;1928\n');
    await page.getByText('books.csv: 2 rows').waitFor();
    assert.equal(
      await page.getByLabel('Title', { exact: true }).locator('option:checked').innerText(),
      'Titel',
    );
    await page.getByRole('cell', { name: 'Orlando' }).waitFor();
    await assertAccessible(page, 'preview');
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    assert.deepEqual(await page.locator('.figures > div').allInnerTexts(), [
      'Added\n1',
      'Duplicates left out\n1',
    ]);
    await page.getByRole('status').getByText('Import finished. Added 1, Duplicates left out 1').waitFor();
    assert.deepEqual(await booksOf(service), [
      ['Emma', 'Jane Austen', 1815],
      ['Orlando', 'Virginia Woolf', 1928],
    ]);
    await assertAccessible(page, 'result');
    await page.getByRole('button', { name: 'Undo the import' }).click();
    await page.getByText('The import was undone: 1 book.').waitFor();
    assert.deepEqual(await booksOf(service), [['Emma', 'Jane Austen', 1815]]);
  });

  test('pasted rows survive a reload, another column is chosen, and books are updated', async (t) => {
    const { page, service } = await openLoggedIn(t, { books: catalogue, address });
    await page.getByLabel('Or paste rows').fill('Werk\tAutor\tJahr\nEMMA\tJane Austen\t1815');
    await page.reload();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('Choose the column with the titles.').waitFor();
    await page.getByLabel('Title', { exact: true }).selectOption('Werk');
    await page.getByRole('cell', { name: 'EMMA' }).waitFor();
    await page.getByLabel('Author', { exact: true }).selectOption('None');
    await page.getByText('No author').waitFor();
    await page.getByLabel('Author', { exact: true }).selectOption('Autor');
    await page.getByLabel('Update them').check();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('Updated').waitFor();
    assert.deepEqual(await booksOf(service), [['EMMA', 'Jane Austen', 1815]]);
    await page.getByRole('button', { name: 'Undo the import' }).click();
    await page.getByText('The import was undone: 1 book.').waitFor();
    assert.deepEqual(await booksOf(service), [['Emma', 'Jane Austen', 1815]]);
  });

  test('another encoding is chosen: the preview changes, and the books have its letters', async (t) => {
    const { page, service } = await openLoggedIn(t, { address });
    const text = 'title,author\nÂîéíà è ìèð,Ëåâ Òîëñòîé\n'; // What its bytes are in another encoding.
    await choose(page, 'books.csv', Buffer.from(text, 'latin1'));
    const cell = (name: string) => page.getByRole('cell', { name, exact: true });
    await cell('Война и мир').waitFor();
    await page.getByLabel('Encoding').selectOption('windows-1252');
    await cell('Âîéíà è ìèð').waitFor();
    await page.getByLabel('Encoding').selectOption('windows-1251');
    await cell('Лев Толстой').waitFor();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    assert.deepEqual(await booksOf(service), [['Война и мир', 'Лев Толстой', 0]]);
  });

  test('another format is chosen in the preview, and where the file cannot be read', async (t) => {
    const { page, service } = await openLoggedIn(t, { address });
    await choose(page, 'books.txt', Buffer.from('title,author\nEmma,Jane Austen\n'));
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
    await page.getByLabel('Format').selectOption('RIS');
    await page.getByRole('alert').getByText('books.txt cannot be read').waitFor();
    await page.getByLabel('Format').selectOption('CSV');
    await page.getByRole('cell', { name: 'Emma', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    assert.deepEqual(await booksOf(service), [['Emma', 'Jane Austen', 0]]);
  });

  test('several columns make a field, a total can be a book, and the choice is kept for files with the same columns', async (t) => {
    const { page, service } = await openLoggedIn(t, { address });
    const head = 'Werk;Zusatz;Familie;Ruf\n';
    await choose(page, 'list.csv', `${head}Walden;Life in the Woods;Thoreau;Henry\nTotal 1;;;\n`);
    await page.getByLabel('Title', { exact: true }).selectOption('Werk');
    await page.getByRole('cell', { name: 'Walden' }).waitFor();
    await page.getByText('Several columns for a field').click();
    await assertAccessible(page, 'preview with several columns');
    await page.getByLabel('Subtitle').selectOption('Zusatz');
    await page.getByRole('cell', { name: 'Walden: Life in the Woods' }).waitFor();
    await page.getByLabel('Last name').selectOption('Familie');
    await page.getByRole('cell', { name: 'Thoreau' }).waitFor();
    await page.getByLabel('First name').selectOption('Ruf');
    await page.getByRole('cell', { name: 'Henry Thoreau' }).waitFor();
    await page.getByLabel('It is a book').check();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    assert.deepEqual(await page.locator('.import .button.primary').allTextContents(), ['Show the books']);
    await page.getByRole('button', { name: 'Import another file' }).click();
    await choose(page, 'more.csv', `${head}Nana;;Zola;Émile\n`);
    await page.getByRole('cell', { name: 'Émile Zola' }).waitFor();
    assert.deepEqual(await booksOf(service), [
      ['Walden: Life in the Woods', 'Henry Thoreau', 0],
      ['Total 1', '', 0],
    ]);
  });

  test('rejected rows are listed with lines and reasons, and saved as a file that can be imported once it is corrected', async (t) => {
    const { page, service } = await openLoggedIn(t, { address });
    await choose(page, 'mixed.csv', 'title,author,year\nA,B,1\n,"C, D",2\nE,F,soon,4\n');
    await page.getByText('2 rows cannot be imported and will be rejected').click();
    await assertAccessible(page, 'preview with rejected rows');
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('heading', { name: 'Rejected rows' }).waitFor();
    assert.deepEqual(await page.locator('.reject').allInnerTexts(), [
      'Line 3\nIt has no title\nC, D · 2',
      'Line 4\nIt has 4 cells for 3 columns\nE · F · soon · 4',
    ]);
    await assertAccessible(page, 'rejected rows');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save rejected rows' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    assert.equal(download.suggestedFilename(), 'rejected.csv');
    assert.equal(
      Buffer.concat(chunks).toString('utf8'),
      '\uFEFFtitle,author,year,line,reason\n,"C, D",2,3,it has no title\nE,F,soon,4,it has 4 cells for 3 columns,4\n',
    );
    assert.deepEqual(await booksOf(service), [['A', 'B', 1]]);
  });

  test('a file that cannot be read is refused with the reason, and nothing changes', async (t) => {
    const { page, service } = await openLoggedIn(t, { address });
    const files: [content: string | Buffer, message: string][] = [
      ['', 'The file is empty.'],
      ['title\n', 'It has no rows of books.'],
      ['"title', 'The quotes of the first line do not match.'],
      ['[{]', 'The file is not valid JSON after book 0; the rest of it was not read.'],
      ['PK\u0003\u0004', 'The workbook is damaged (zip); open it in a spreadsheet program'],
      ['%PDF-1.7\n', 'This is a PDF, not a table of books; save your spreadsheet as .xlsx'],
      ['\u0000\u0001\u0000', 'This is a binary file, not a table of books'],
    ];
    for (const [content, message] of files) {
      await choose(page, 'file', content);
      await page.getByText(message).waitFor();
    }
    await assertAccessible(page, 'a file that cannot be read');
    await page.evaluate(`(() => {
      const input = document.querySelector('input[type=file]');
      const big = new File([new Uint8Array(${sized({ short: 17, long: 100 })} * 1024 * 1024).fill(97)], 'big.csv');
      Object.defineProperty(input, 'files', { configurable: true, value: [big] });
      input.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await page.getByText('The row in line 1 is longer than 16 MiB').waitFor();
    assert.deepEqual(await booksOf(service), []);
  });

  test('of a file that is damaged in the middle, the rows before are imported, once the reader agrees', async (t) => {
    const { page, service } = await openLoggedIn(t, { address });
    await choose(page, 'books.json', '[{"title":"A"},{"title":"B"},{]');
    await page.getByRole('heading', { name: 'Only a part of the file can be read' }).waitFor();
    await assertAccessible(page, 'a damaged file');
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    await page.getByText('The file is not valid JSON after book 2').waitFor();
    assert.deepEqual(await booksOf(service), [
      ['A', '', 0],
      ['B', '', 0],
    ]);
  });

  test('the script that reads files loads when a file is chosen; if it cannot, a second choice loads it', async (t) => {
    const { page } = await openLoggedIn(t, { address });
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
    });
    await page.route('**/assets/import-*', (route) => route.abort());
    await choose(page, 'books.csv', 'title\nEmma');
    await page.getByText('A part of the page could not be loaded').waitFor();
    await page.unrouteAll();
    await choose(page, 'books.csv', 'title\nEmma');
    await page.getByRole('cell', { name: 'Emma' }).waitFor();
    assert.ok(
      scripts.every((name) => /^\/assets\/(views|import|format)-/.test(name)),
      scripts.join(),
    );
  });

  test('5,000 lines of JSON go in many requests; Cancel stops, and Undo takes all of it back', async (t) => {
    const { page, service } = await openLoggedIn(t, { address });
    const lines = Array.from({ length: 5000 }, (_, i) => JSON.stringify({ title: `Book ${i}`, year: i }));
    await choose(page, 'books.ndjson', lines.join('\n'));
    await page.getByRole('button', { name: 'Import 5,000 rows' }).click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    assert.equal((await booksOf(service)).length, 5000);
    await page.getByRole('button', { name: 'Undo the import' }).click();
    await page.getByText('The import was undone: 5,000 books.').waitFor();
    assert.equal((await booksOf(service)).length, 0);
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.route('**/books', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const response = await route.fetch();
      await page.getByRole('button', { name: 'Cancel' }).click(); // Before the answer, and so before the next request.
      return route.fulfill({ response });
    });
    await choose(page, 'books.ndjson', lines.join('\n'));
    await page.getByRole('button', { name: 'Import 5,000 rows' }).click();
    await page.getByRole('heading', { name: 'Import stopped' }).waitFor();
    const added = (await booksOf(service)).length;
    assert.ok(added >= 1000 && added < 5000, String(added));
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('an import without a connection pauses and goes on; no book is added twice', async (t) => {
    const { page, service } = await openLoggedIn(t, { address });
    let requests = 0;
    await page.route('**/books', async (route) => {
      if (route.request().method() !== 'POST' || requests++ > 0) return route.continue();
      await route.fetch(); // The service stores the books, but the answer is lost.
      return route.abort('failed');
    });
    const rows = Array.from({ length: 600 }, (_, i) => `Book ${i}`);
    await choose(page, 'books.csv', `title\n${rows.join('\n')}`);
    await page.getByRole('button', { name: 'Import 600 rows' }).click();
    await page.getByRole('heading', { name: /Import finished|The import is paused/ }).waitFor();
    const goOn = page.getByRole('button', { name: 'Continue' });
    if (await goOn.isVisible()) await goOn.click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    assert.deepEqual(
      await booksOf(service),
      rows.map((title) => [title, '', 0]),
    );
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('a chunk whose answer was lost is not added twice; equal rows of others stay apart', async (t) => {
    const { page, service } = await openLoggedIn(t, { address });
    let requests = 0;
    await page.route('**/books', async (route) => {
      if (route.request().method() !== 'POST' || ++requests !== 2) return route.continue();
      await route.fetch();
      return route.abort('failed');
    });
    // The second chunk consists of rows like those of the first one.
    const rows = Array.from({ length: 1006 }, (_, i) => `Book ${i % 1000}`);
    await choose(page, 'books.csv', `title\n${rows.join('\n')}`);
    await page.getByLabel('Add them again').check();
    await page.getByRole('button', { name: 'Import 1,006 rows' }).click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    assert.deepEqual(
      await booksOf(service),
      rows.map((title) => [title, '', 0]),
    );
    assert.deepEqual(await page.locator('.figures > div').allInnerTexts(), ['Added\n1,006']);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('Stop after a lost answer says that it may have been carried out; Undo takes it back', async (t) => {
    const { page, service } = await openLoggedIn(t, { address });
    await page.route('**/books', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      await page.context().setOffline(true); // It does not go on by itself.
      return route.abort('failed');
    });
    await paste(page, 'title\nEmma\nOrlando');
    await page.getByLabel('Add them again').check();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByRole('heading', { name: 'The import is paused' }).waitFor();
    await assertAccessible(page, 'a paused import');
    await page.getByRole('button', { name: 'Stop here' }).click();
    await page.getByText('The catalogue may have carried it out nevertheless').waitFor();
    await assertAccessible(page, 'a result without an answer');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Undo the import' }).click();
    await page.getByText('The import was undone: 2 books.').waitFor();
    assert.deepEqual(await booksOf(service), []);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('an empty box and a file without new books are answered in words', async (t) => {
    const { page } = await openLoggedIn(t, { books: catalogue, address });
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('Paste rows first, or choose a file.').waitFor();
    await assertAccessible(page, 'an empty box');
    const compare = async (route: Route) => {
      await page.getByRole('heading', { name: 'Importing…' }).waitFor();
      await assertAccessible(page, 'comparing');
      await route.continue();
    };
    await page.route('**/books/lookup', compare, { times: 1 });
    await paste(page, 'title,author,year\nEmma,Jane Austen,1815');
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('The catalogue has all of these books already.').waitFor();
  });

  test('a login that ends during an import is asked for again, and the import goes on', async (t) => {
    const { page, service } = await openLoggedIn(t, { address });
    await page.route('**/books', (route) =>
      route.request().method() === 'POST'
        ? route.continue({ headers: { ...route.request().headers(), authorization: 'expired' } })
        : route.continue(),
    );
    await paste(page, 'title\nEmma\nOrlando');
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByRole('dialog', { name: 'Log in again' }).waitFor();
    const leaving = page.waitForEvent('dialog');
    await page.evaluate('void setTimeout(() => location.reload())');
    const question = await leaving;
    assert.equal(question.type(), 'beforeunload');
    await question.dismiss();
    await page.unrouteAll({ behavior: 'wait' });
    await logIn(page);
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    assert.deepEqual(await booksOf(service), [
      ['Emma', '', 0],
      ['Orlando', '', 0],
    ]);
  });

  test('at 320 px, in German, nothing is wider than the screen; hostile texts are shown literally', async (t) => {
    const { page } = await openCatalogue(t, {
      address,
      browser: { locale: 'de-DE', viewport: { width: 320, height: 640 } },
    });
    await page.getByLabel('Benutzername').fill(credentials.username);
    await page.getByLabel('Passwort', { exact: true }).fill(credentials.password);
    await page.keyboard.press('Enter');
    const assertFits = async (step: string) => {
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), step);
    };
    const hostile = '<img src=x onerror=alert(1)>';
    await page
      .getByLabel('Oder Zeilen einfügen')
      .fill(`title,year\n${hostile},1\n${hostile},2,x${'x'.repeat(99)}`);
    await assertFits('choice');
    await page.getByRole('button', { name: 'Vorschau' }).click();
    await page.getByText(hostile).first().waitFor();
    await assertFits('preview');
    await page.getByRole('button', { name: '1 Zeile importieren' }).click();
    await page.getByRole('heading', { name: 'Import abgeschlossen' }).waitFor();
    await page.getByText(hostile).waitFor();
    await assertFits('result');
    await assertAccessible(page, 'result at 320 px');
    assert.equal(await page.locator('img').count(), 0);
  });

  test('who logs out leaves nothing of an import behind', async (t) => {
    const { page } = await openLoggedIn(t, { address });
    await page.getByLabel('Or paste rows').fill('title\nSecret');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('cell', { name: 'Secret' }).waitFor();
    await page.getByRole('button', { name: 'Choose another file' }).click();
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Import');
    await logOut(page);
    await logIn(page);
    await page.getByText('Drop a file here').waitFor();
    assert.equal(await page.getByLabel('Or paste rows').inputValue(), '');
  });
});
