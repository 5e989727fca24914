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
    name: 'page',
    title: 'The first 100 books by title: `GET /books?sort=title&limit=100`',
    stores: ['embedded'],
    request: requests.page,
  },
  {
    name: 'search',
    title: 'The first 20 books by a name: `GET /books?q=austen&limit=20`',
    stores: ['embedded'],
    request: requests.search,
  },
  {
    name: 'search-different',
    title: 'The same, with another year each time: `GET /books?q=austen&limit=20&yearFrom=-{id}`',
    stores: ['embedded'],
    request: requests.searchDifferent,
  },
  {
    name: 'search-nothing',
    title: 'A word that no book has: `GET /books?q=nowhere{id}&limit=20`',
    stores: ['embedded'],
    request: requests.searchNothing,
  },
  {
    name: 'search-words',
    title: 'The first 20 books by two words: `GET /books?q=zadie+queen&limit=20`',
    stores: ['embedded'],
    request: requests.searchWords,
  },
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
