import type { Book } from '../../catalogue/book.ts';
import { wordsOf } from '../../catalogue/corrected.ts';
import type { Correction } from '../../catalogue/correction.ts';
import { wireErrorOf, type ErrorCode, type ShelflistError } from '../../catalogue/errors.ts';
import {
  fieldNames,
  fields,
  indexedIntegers,
  indexedTexts,
  searchedFields,
  type FieldName,
  nameField,
} from '../../catalogue/fields.ts';
import { highlightedWords, highlights } from '../../catalogue/highlights.ts';
import { pageParameters, type PageQuery } from '../../api/queries.ts';
import { fieldSorts } from '../../catalogue/sorts.ts';
import type { StorePage } from '../../store/contract/page.ts';
import { type AllTexts, serverLanguages } from '../../texts/server-texts.ts';
import type { Language } from '../../texts/texts.ts';
import { html, type Content, type Html } from './html.ts';
import { addressOf, without } from './page-state.ts';

export interface ListPage {
  readonly query: PageQuery;
  /** The words whose books these are, because no book has those of the query. */
  readonly correction: Correction | undefined;
  readonly books: readonly Book[];
  readonly match: StorePage['match'];
  /** The number of all matching books; `undefined` if the store cannot count them in time. */
  readonly count: number | undefined;
  readonly next: string | undefined;
  readonly corrections: readonly Correction[];
}

/** The parameters that do not filter. */
const presenting = ['sort', 'limit', 'after', 'count'];
/** The parameters with a field in the form. */
const typed = ['q', ...indexedIntegers.flatMap((name) => [`${name}From`, `${name}To`])];

/**
 * Renders a list of books, with a search form and links to other orders and pages. Crawlers must not follow these: there are more of
 * them than books.
 */
export function renderList(texts: AllTexts, name: string, page: ListPage): Html {
  const { list } = texts;
  const { query, correction, books, match, count, next, corrections } = page;
  const shown = { ...query, ...correction };
  return html`<header>
      <p>${name}</p>
      <h1><a href="./">${list.heading}</a></h1>
    </header>
    <main>
      ${searchForm(texts, query)} ${filters(texts, query)}
      ${correction !== undefined && showingFor(texts, query, correction)}
      ${match === 'parts' && html`<p>${texts.books.parts(wordsOf(shown))}</p>`}
      <p role="status">${describeCount(texts, count)}</p>
      ${corrections.length > 0 && didYouMean(texts, query, corrections)}
      ${books.length > 0 && table(texts, shown, books)}
      ${(next !== undefined || query.after !== undefined) && paging(texts, shown, next)}
    </main>
    <noscript><p>${texts.server.changesNeedScript}</p></noscript>`;
}

/** The number of books as a text; empty if it is not known. */
export function describeCount({ list }: AllTexts, count: number | undefined): string {
  if (count === undefined) return '';
  return count === 0 ? list.nothingFound : list.count(count);
}

function searchForm({ fields: names, list }: AllTexts, query: PageQuery): Html {
  const years = indexedIntegers.map((name) =>
    (['From', 'To'] as const).map((end) => {
      const label = `${names[name]} ${end === 'From' ? list.from : list.to}`;
      const id = `${name}${end}` as const;
      return html`<label for="${id}">${label}</label>
        <input id="${id}" name="${id}" type="number" value="${query[id]}" /> `;
    }),
  );
  const kept = [...filterNames(query), 'sort', 'limit'].filter((name) => !typed.includes(name));
  return html`<form role="search" method="get" action="./">
    <label for="q">${list.search}</label> <input id="q" name="q" type="search" value="${query.q}" /> ${years}
    ${kept.map((name) => hidden(name, query[name as keyof PageQuery]))}
    <button>${list.search}</button>
  </form>`;
}

function hidden(name: string, value: PageQuery[keyof PageQuery]): Content {
  return value !== undefined && html`<input type="hidden" name="${name}" value="${String(value)}" />`;
}

function filterNames(query: PageQuery): (keyof PageQuery)[] {
  const names = Object.keys(pageParameters) as (keyof PageQuery)[];
  return names.filter((name) => query[name] !== undefined && !presenting.includes(name));
}

/** The label of a filter. Search words need none. */
function labelOf({ fields: names, list }: AllTexts, name: keyof PageQuery): string {
  const field = fieldNames.find((each) => name.startsWith(each));
  if (field === undefined) return '';
  const end = name.endsWith('From') ? ` ${list.from}` : name.endsWith('To') ? ` ${list.to}` : '';
  return names[field] + end;
}

/** A short description of the filters of a query: `harry, Year from 1990`. */
export function describeFilters(texts: AllTexts, query: PageQuery): string {
  return filterNames(query)
    .map((name) => `${labelOf(texts, name)} ${String(query[name])}`.trim())
    .join(', ');
}

/** The filters without a field in the form, each with a link that removes it. */
function filters(texts: AllTexts, query: PageQuery): Content {
  const items = filterNames(query)
    .filter((name) => !typed.includes(name))
    .map(
      (name) =>
        html`<li>
          ${labelOf(texts, name)}: <bdi>${String(query[name])}</bdi>
          <a rel="nofollow" href="${addressOf(without(query, name, 'after'))}">${texts.list.remove}</a>
        </li>`,
    );
  return (
    items.length > 0 &&
    html`<ul>
      ${items}
    </ul>`
  );
}

/** Says which words were corrected. The second link searches for what was typed. */
function showingFor({ books }: AllTexts, query: PageQuery, correction: Correction): Html {
  const [before, after] = books.insteadFor;
  return html`<p>
    ${books.showing}
    <a rel="nofollow" href="${addressOf({ ...query, ...correction })}"><bdi>${wordsOf(correction)}</bdi></a
    >.
    <a rel="nofollow" href="${addressOf(query, true)}">${before} <bdi>${wordsOf(query)}</bdi> ${after}</a>
  </p>`;
}

function didYouMean({ list }: AllTexts, query: PageQuery, corrections: readonly Correction[]): Html {
  const links = corrections.map(
    (correction) =>
      html`<li>
        <a rel="nofollow" href="${addressOf({ ...query, ...correction })}"
          ><bdi>${wordsOf(correction)}</bdi></a
        >
      </li>`,
  );
  return html`<p>${list.didYouMean}</p>
    <ul>
      ${links}
    </ul>`;
}

function table(texts: AllTexts, query: PageQuery, books: readonly Book[]): Html {
  const marker = markerFor(query);
  return html`<table>
    <caption>
      ${texts.list.heading}
    </caption>
    <thead>
      <tr>
        ${fieldNames.map((name) => columnHeader(texts, query, name))}
      </tr>
    </thead>
    <tbody>
      ${books.map((book) => row(texts, query, marker, book))}
    </tbody>
  </table>`;
}

function columnHeader({ fields: names }: AllTexts, query: PageQuery, name: FieldName): Html {
  const key = fieldSorts.find((each) => each === name);
  if (key === undefined) return html`<th scope="col">${names[name]}</th>`;
  const order = query.sort === key ? 'ascending' : query.sort === `-${key}` ? 'descending' : undefined;
  const sort = order === 'ascending' ? (`-${key}` as const) : key;
  const address = addressOf({ ...without(query, 'after'), sort });
  const link = html`<a rel="nofollow" href="${address}">${names[name]}</a>`;
  return order === undefined
    ? html`<th scope="col">${link}</th>`
    : html`<th scope="col" aria-sort="${order}">${link}</th>`;
}

/** Returns the value of a field, in which the letters that the query has found are marked. */
type Marker = (name: FieldName, value: string) => Content;

function markerFor(query: PageQuery): Marker {
  const words = highlightedWords(query);
  return (name, value) => {
    const field = searchedFields.find((each) => each === name);
    const spans = field === undefined ? [] : highlights(value, words[field]);
    const ends = [0, ...spans.map(([, end]) => end)];
    return [
      ...spans.map(
        ([start, end], i) => html`${value.slice(ends[i], start)}<mark>${value.slice(start, end)}</mark>`,
      ),
      value.slice(ends.at(-1)),
    ];
  };
}

/** Addresses with longer values may be too long to send. */
const maxLinkedLength = 500;

function row({ list }: AllTexts, query: PageQuery, mark: Marker, book: Book): Html {
  const order = without(query, ...filterNames(query), 'after');
  const cells = fieldNames.map((name, i) => {
    const value = valueOf(book, name);
    if (i === 0)
      return html`<th scope="row" dir="auto">
        <a href="?book=${book.id}">${value === '' ? list.untitled : mark(name, value)}</a>
      </th>`;
    const isLinked = value !== '' && value.length <= maxLinkedLength && value.isWellFormed();
    const text = indexedTexts.find((each) => each === name);
    if (text === undefined || !isLinked)
      return html`<td class="${fields[name].type}" dir="auto">${mark(name, value)}</td>`;
    return html`<td dir="auto">
      <a rel="nofollow" href="${addressOf({ ...order, [text]: value })}">${mark(name, value)}</a>
    </td>`;
  });
  return html`<tr>
    ${cells}
  </tr>`;
}

/** The value of a field as text. Year 0 counts as no year. */
function valueOf(book: Book, name: FieldName): string {
  return fields[name].type === 'integer' && book[name] === 0 ? '' : String(book[name]);
}

function paging({ list }: AllTexts, query: PageQuery, next: string | undefined): Html {
  const first =
    query.after !== undefined &&
    html`<a rel="nofollow" href="${addressOf(without(query, 'after'))}">${list.firstPage}</a> `;
  const more =
    next !== undefined &&
    html`<a rel="next nofollow" href="${addressOf({ ...query, after: next })}">${list.nextPage}</a>`;
  return html`<nav aria-label="${list.pages}">${first}${more}</nav>`;
}

export function renderBook({ fields, list, server }: AllTexts, book: Book): Html {
  const rows = fieldNames
    .filter((name) => name !== nameField && valueOf(book, name) !== '')
    .map(
      (name) =>
        html`<dt>${fields[name]}</dt>
          <dd dir="auto">${valueOf(book, name)}</dd>`,
    );
  return html`<main>
      <h1 dir="auto">${book[nameField] || list.untitled}</h1>
      <dl>${rows}</dl>
      <nav><a href="./">${list.allBooks}</a></nav>
    </main>
    <noscript><p>${server.changesNeedScript}</p></noscript>`;
}

/** The errors that have a page, and its title. */
const titles: Partial<Record<ErrorCode, keyof AllTexts['server']>> = {
  invalid_query: 'invalidQuery',
  book_not_found: 'bookNotFound',
  not_found: 'notFound',
  unavailable: 'unavailable',
  token_required: 'unknownUser',
  too_many_requests: 'tooManyRequests',
};

/** Renders an error; `undefined` if it has no page. @param root The folder of the page, relative to the document. */
export function errorContent(
  { code, status, message }: ShelflistError,
  language: Language,
  root: string,
): { title: string; content: Html } | undefined {
  const name = titles[code];
  if (name === undefined) return undefined;
  const { server, list } = serverLanguages[language];
  const title = server[name];
  // Only this message is for clients: it names a parameter. It is not translated.
  const details =
    code === 'invalid_query' &&
    message !== wireErrorOf(code).message &&
    html`<p lang="en" dir="ltr">${message}</p>`;
  const content = html`<main>
    <h1>${title}</h1>
    ${details} ${(status === 503 || status === 429) && html`<p>${server.tryAgain}</p>`}
    <p><a href="${root || './'}">${list.allBooks}</a></p>
  </main>`;
  return { title, content };
}
