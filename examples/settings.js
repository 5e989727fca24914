// What each example shares: the settings, from the environment.
import process from 'node:process';

const { SECRET_TOKEN, AUTH_PASSWORD, PORT = '3000' } = process.env;
if (!SECRET_TOKEN || !AUTH_PASSWORD) throw new Error('set SECRET_TOKEN (32 bytes or more) and AUTH_PASSWORD');

export const port = Number(PORT);

/** The configuration of the catalogue, which answers below /catalogue. */
export const catalogue = {
  secretToken: SECRET_TOKEN,
  authUsername: 'librarian',
  authPassword: AUTH_PASSWORD,
  databaseUrl: 'file:./catalogue',
  prefix: '/catalogue',
  page: true,
};
