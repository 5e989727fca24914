import { loginBody } from '../launch.ts';
import type { HttpWorkload } from './http.ts';
import { requests } from './requests.ts';

/** The workloads that every target is asked. */
export const httpWorkloads: readonly HttpWorkload[] = [
  { name: 'book', title: 'one book: `GET /book/7`', request: requests.book },
  { name: 'list', title: 'the list of 10,000: `GET /books`', request: requests.list },
  {
    name: 'list-write',
    title: 'the list of 10,000, and 1 in 100 requests updates a book',
    request: requests.list,
    other: { request: requests.update, oneIn: 100 },
  },
  {
    name: 'list-unchanged',
    title: 'the list of 10,000 with `If-None-Match`',
    request: requests.unchangedList,
  },
  { name: 'create', title: 'create, durable: `POST /book`', request: requests.create, grows: true },
  { name: 'update', title: 'update, durable: `PUT /book/{id}`', request: requests.update },
  {
    name: 'login',
    title: 'login: `POST /token`',
    stores: ['embedded'],
    request: { method: 'POST', path: '/token', body: loginBody },
  },
  {
    name: 'connections',
    title: 'one book, 1,000 connections',
    connections: 1000,
    request: requests.book,
  },
];
