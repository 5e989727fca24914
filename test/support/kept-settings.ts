import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KeptSettings } from '../../src/cli/commands/serve/kept-settings.ts';
import { createStorePassword, listen, openServer } from '../../src/cli/commands/serve/open-server.ts';
import { readServiceSettings } from '../../src/config/read-settings.ts';
import { cleanEnvironment } from './cli.ts';
import { credentials, secretToken, sendRequest, type Answer, type RequestOptions } from './service.ts';
import { temporaryFolder, type Scope } from './temp.ts';

export interface KeptService {
  readonly url: string;
  /** The folder with its `.env`, and with its books in `data`. */
  readonly folder: string;
  readonly token: string;
  /** Sends a request with the token, unless it has another one. */
  readonly send: (method: string, path: string, options?: RequestOptions) => Promise<Answer>;
}

/** The `.env` of a service that is not open to guesses. */
export const dotenv = `# Mine
SECRET_TOKEN='${secretToken}'
AUTH_USERNAME=${credentials.username}
AUTH_PASSWORD='${credentials.password}'
`;

/** Does what `shelflist serve` does in a folder with a `.env`, on a free port. @param variables Those of the environment. */
export async function startKept(
  scope: Scope,
  { text = dotenv, variables = {} }: { text?: string | undefined; variables?: Record<string, string> } = {},
): Promise<KeptService> {
  const folder = await temporaryFolder(scope);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '.env'), text);
  const sources = {
    flags: { port: '0', databaseUrl: `file:${join(folder, 'data')}`, logLevel: 'error' },
    env: cleanEnvironment(folder, variables),
    directory: folder,
  };
  const settings = await readServiceSettings(sources);
  const kept = new KeptSettings(sources, settings);
  const server = await openServer(settings, createStorePassword(folder), { settings: kept });
  scope.after(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  );
  const url = await listen(server, settings);
  kept.url = url;
  const login = await sendRequest(url, 'POST', '/token', { body: credentials });
  const { token } = login.envelope?.data as { token: string };
  const send: KeptService['send'] = (method, path, options) =>
    sendRequest(url, method, path, { token, ...options });
  return { url, folder, token, send };
}
