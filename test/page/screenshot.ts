import { join } from 'node:path';
import { closeBrowser, openPage } from '../support/browser.ts';
import { logIn } from '../support/catalogue-page.ts';
import { startService } from '../support/service.ts';

/** Makes the pictures of the page in README: `node --import tsx test/page/screenshot.ts`. */
const books = [
  ['Emma', 'Jane Austen', 1815],
  ['Persuasion', 'Jane Austen', 1817],
  ['Middlemarch', 'George Eliot', 1871],
  ['Война и мир', 'Лев Толстой', 1869],
  ['Die Verwandlung', 'Franz Kafka', 1915],
  ['To the Lighthouse', 'Virginia Woolf', 1927],
  ['Things Fall Apart', 'Chinua Achebe', 1958],
  ['ثلاثية القاهرة', 'نجيب محفوظ', 1956],
  ['The Left Hand of Darkness', 'Ursula K. Le Guin', 1969],
  ['Beloved', 'Toni Morrison', 1987],
].map(([title, author, year]) => ({ title, author, year }));

const cleanUps: (() => unknown)[] = [];
const scope = { after: (cleanUp: () => unknown) => void cleanUps.unshift(cleanUp) };
const service = await startService(scope, { databaseUrl: 'memory:', page: true });
await service.request('POST', '/books', { token: service.token, body: books });
const page = await openPage(scope, `${service.url}/?sort=year`, { viewport: { width: 1240, height: 600 } });
await logIn(page);
await page.getByRole('checkbox', { name: 'Select Emma' }).check();
await page.getByRole('link', { name: 'Middlemarch' }).hover();
const shoot = (name: string) =>
  page.screenshot({ path: join(import.meta.dirname, '../../docs/images', name), animations: 'disabled' });
await shoot('page.png');
await page.getByRole('checkbox', { name: 'Select Emma' }).uncheck();
await page.getByRole('link', { name: 'Import', exact: true }).click();
const rows = [
  'Title,Writer,Published',
  'Villette,Charlotte Brontë,1853',
  '"Solitude, 100 Years of",Gabriel García Márquez,1967',
];
await page.locator('input[type=file]').setInputFiles({
  name: 'school library.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from([...rows, ',Nobody,1900'].join('\n')),
});
await page.getByRole('heading', { name: 'Preview' }).waitFor();
await page.setViewportSize({ width: 1240, height: 760 });
await shoot('import.png');
for (const cleanUp of cleanUps) await cleanUp();
await closeBrowser();
