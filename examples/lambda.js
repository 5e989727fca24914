// The catalogue in AWS Lambda, behind an HTTP API of API Gateway or a function URL. The books are in MongoDB.
import process from 'node:process';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { createFetchHandler } from 'shelflist';
import { catalogue } from './settings.js';

const { DATABASE_URL } = process.env;
if (!DATABASE_URL?.startsWith('mongodb')) throw new Error('set DATABASE_URL: a function keeps no files');

// Opened once for each instance, not for each event. The page would ask for the stream of changes again and again.
const books = await createFetchHandler({ ...catalogue, databaseUrl: DATABASE_URL, page: false });
const app = new Hono();

// A function answers with a whole body. The stream of changes would end with the time-out of the function.
app.get(`${catalogue.prefix}/changes`, (context) =>
  context.json({ status: 404, message: 'Not found', data: null }, 404),
);
app.all(`${catalogue.prefix}/*`, (context) =>
  books(context.req.raw, { remoteAddress: context.env.requestContext.http.sourceIp }),
);
app.get('/', (context) => context.text('my own app'));

export const handler = handle(app);
