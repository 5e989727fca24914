import type { Command } from 'commander';
import { createClient } from '../../client/client.ts';
import { createClientCommand } from '../arguments.ts';
import { logIn, readCredentials } from '../credentials.ts';
import { notice, type Io } from '../io.ts';
import { serviceUrl, type SessionOptions } from '../session.ts';
import { expiryOf, keepToken } from '../token-cache.ts';

const help = `
The username and password come from SHELFLIST_USERNAME and SHELFLIST_PASSWORD. In
the folder of a .env that \`shelflist init\` wrote, and for a service on this machine,
they come from there. Otherwise they are asked for. A password is never an argument:
every user of the machine could read it.

The token lasts 15 minutes. It is kept where only you can read it, and is sent to
this service only.

Examples:
  $ shelflist login
  $ shelflist login --url https://books.example.org --username ada
  $ shelflist login --username ada --password-stdin < password.txt`;

export function loginCommand(io: Io): Command {
  return createClientCommand('login')
    .description('get a token from a service and keep it for the other commands')
    .option('--password-stdin', 'read the password from standard input')
    .addHelpText('after', help)
    .action(async (options: SessionOptions & { passwordStdin?: boolean }) => {
      const url = serviceUrl(io, options);
      const credentials = await readCredentials(io, url, options);
      const { username } = credentials;
      const client = createClient({ url });
      try {
        const token = await logIn(client, url, credentials);
        const path = await keepToken(url, username, token);
        const until = new Date(expiryOf(token) * 1000).toLocaleTimeString();
        notice(io, `logged in to ${url} as ${username} until ${until}; the token is kept in ${path}`);
      } finally {
        client.close();
      }
    });
}
