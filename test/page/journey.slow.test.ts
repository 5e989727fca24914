import { after, describe, test } from 'node:test';
import { openPage, skip as noBrowser } from '../support/browser.ts';
import { openCatalogue } from '../support/catalogue-page.ts';
import { serve, settings } from '../support/cli.ts';
import { runJourney } from './journey.ts';
import { newDatabaseUrl, startMongod } from '../support/mongod.ts';
import { skipWithoutNginx, startNginx } from '../support/nginx.ts';
import { credentials } from '../support/service.ts';
import { temporaryFolder } from '../support/temp.ts';
import { onlyLong } from '../support/size.ts';

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));
const noNginx = await skipWithoutNginx();
const noMongod = 'skip' in mongod ? mongod.skip : false;
const newUrl = () => ('skip' in mongod ? '' : newDatabaseUrl(mongod));

describe('the daily work of a librarian, in a browser', { skip: noBrowser }, () => {
  test('over MongoDB', { skip: noMongod || onlyLong }, async (t) => {
    const { page } = await openCatalogue(t, { config: { databaseUrl: newUrl() } });
    await runJourney(page, credentials);
  });

  for (const [name, skip, databaseUrl] of [
    ['SQLite', noNginx || onlyLong, () => 'file:./data'],
    ['MongoDB', noNginx || noMongod, newUrl],
  ] as const)
    test(`behind nginx below a prefix, with three workers, over ${name}`, { skip }, async (t) => {
      const env = { ...settings, WORKERS: '3', DATABASE_URL: databaseUrl() };
      const service = await serve(t, await temporaryFolder(t), env);
      const url = await startNginx(t, service.url);
      const page = await openPage(t, `${url}/`);
      await runJourney(page, { username: settings.AUTH_USERNAME, password: settings.AUTH_PASSWORD });
    });
});
