import { loginBody } from '../launch.ts';
import type { HttpWorkload } from './http.ts';
import { requests } from './requests.ts';

/** The workloads of all servers. */
export const httpWorkloads: readonly HttpWorkload[] = [
  { name: 'book', title: 'One book: `GET /book/7`', request: requests.book },
  { name: 'list', title: 'The list of 10,000 books: `GET /books`', request: requests.list },
  {
    name: 'list-write',
    title: 'The list of 10,000 books, with 1 update in 100 requests',
    request: requests.list,
    other: { request: requests.update, oneIn: 100 },
  },
  {
    name: 'list-unchanged',
    title: 'The list of 10,000 books with `If-None-Match`',
    request: requests.unchangedList,
  },
  { name: 'create', title: 'Create, durable: `POST /book`', request: requests.create, grows: true },
  { name: 'update', title: 'Update, durable: `PUT /book/{id}`', request: requests.update },
  {
    name: 'login',
    title: 'Login: `POST /token`',
    stores: ['embedded'],
    request: { method: 'POST', path: '/token', body: loginBody },
  },
  {
    name: 'connections',
    title: 'One book, 1,000 connections',
    connections: 1000,
    request: requests.book,
  },
];
