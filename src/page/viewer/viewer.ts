// The program of a catalogue in one file: finds, sorts and shows its books without a service, by the rules of the service's search.
import type { Book } from '../../catalogue/book.ts';
import { foldText } from '../../catalogue/fold.ts';
import { highlightedWords, highlights } from '../../catalogue/highlights.ts';
import { familyFirst } from '../../catalogue/names.ts';
import { matches, toFilter } from '../../catalogue/query.ts';
import { rankOf } from '../../catalogue/ranking.ts';
import type { CatalogueData } from '../../formats/catalogue-file.ts';
import { languageOf } from '../../texts/texts.ts';
import { viewerTexts } from '../../texts/viewer.ts';
import style from './viewer.css';

/** The columns, in the order of a row. */
const columns = ['title', 'author', 'year'] as const;
type Column = (typeof columns)[number];

/** The rows that are added at once: a phone shows them without a delay. */
const rowsAtOnce = 100;

const {
  name,
  language: tag,
  day,
  books: rows,
} = JSON.parse(document.getElementById('catalogue')?.textContent ?? '') as CatalogueData;
const language = languageOf(tag) ?? 'en';
const texts = viewerTexts[language];
const number = new Intl.NumberFormat(language);
const books: readonly Book[] = rows.map(([id, title, author, year]) => ({ id, title, author, year }));

/** An element with these properties and children. */
function element<Tag extends keyof HTMLElementTagNameMap>(
  name: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const collator = new Intl.Collator(language, { numeric: true });
/** The texts by which each column is sorted, by the ids of books: made once, when the column is first sorted. */
const keys: Partial<Record<Column, ReadonlyMap<number, string>>> = {};

function keysOf(column: 'title' | 'author'): ReadonlyMap<number, string> {
  return (keys[column] ??= new Map(
    books.map((book) => [book.id, foldText(column === 'author' ? familyFirst(book.author) : book.title)]),
  ));
}

function compareBy(column: Column): (a: Book, b: Book) => number {
  if (column === 'year') return (a, b) => a.year - b.year || a.id - b.id;
  const texts = keysOf(column);
  return (a, b) => collator.compare(texts.get(a.id) ?? '', texts.get(b.id) ?? '') || a.id - b.id;
}

/** The order; `undefined`: the best match first, or by title. */
let order: { readonly column: Column; readonly isDescending: boolean } | undefined;
let found: readonly Book[] = [];
let words: Readonly<Record<'title' | 'author', readonly string[]>> = { title: [], author: [] };

const search = element('input', { type: 'search', placeholder: texts.placeholder, autocomplete: 'off' });
const status = element('output');
const body = element('tbody');
const more = element('button', { type: 'button' }, texts.more);
const heads = columns.map((column) => {
  const button = element('button', { type: 'button', title: texts.sortBy(texts.fields[column]) });
  button.append(texts.fields[column]);
  button.addEventListener('click', () => {
    const isDescending = order?.column === column && !order.isDescending;
    order = { column, isDescending };
    show();
  });
  return element('th', { scope: 'col' }, button);
});

function find(): readonly Book[] {
  const filter = toFilter({ q: search.value });
  const matching = books.filter((book) => matches(filter, book));
  const { best } = filter;
  if (order === undefined && best !== undefined) {
    const ranks = new Map(matching.map((book) => [book.id, rankOf(best, book)]));
    return matching.sort((a, b) => Number(ranks.get(a.id)) - Number(ranks.get(b.id)) || a.id - b.id);
  }
  matching.sort(compareBy(order?.column ?? 'title'));
  return order?.isDescending === true ? matching.reverse() : matching;
}

function show(): void {
  found = find();
  words = highlightedWords({ q: search.value });
  body.replaceChildren();
  addRows();
  const isBest = order === undefined && search.value.trim() !== '';
  const sorted = order?.column ?? (isBest ? undefined : 'title');
  for (const [i, head] of heads.entries()) {
    if (columns[i] === sorted)
      head.setAttribute('aria-sort', order?.isDescending === true ? 'descending' : 'ascending');
    else head.removeAttribute('aria-sort');
  }
  const count = texts.books(found.length, number.format(found.length));
  status.textContent = found.length === 0 ? texts.nothing : isBest ? `${count} · ${texts.bestFirst}` : count;
}

function addRows(count = rowsAtOnce): void {
  const shown = body.rows.length;
  body.append(...found.slice(shown, shown + count).map(rowOf));
  more.hidden = body.rows.length >= found.length;
}

function rowOf(book: Book): HTMLTableRowElement {
  const title = book.title.trim() === '' ? [texts.untitled] : marked(book.title, words.title);
  return element(
    'tr',
    {},
    element('th', { scope: 'row', dir: 'auto' }, ...title),
    element('td', { dir: 'auto' }, ...marked(book.author, words.author)),
    element('td', {}, yearOf(book.year)),
  );
}

function marked(text: string, wanted: readonly string[]): (Node | string)[] {
  const spans = highlights(text, wanted);
  const ends = [0, ...spans.map(([, end]) => end)];
  return [
    ...spans.flatMap(([start, end], i) => [
      text.slice(ends[i], start),
      element('mark', {}, text.slice(start, end)),
    ]),
    text.slice(ends.at(-1)),
  ];
}

/** Year 0 means that there is none. */
function yearOf(year: number): string {
  if (year === 0) return '';
  return year < 0 ? texts.beforeChrist(String(-year)) : String(year);
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);
document.adoptedStyleSheets = [sheet];
const dayText = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
  new Date(day),
);
const table = element('table', {}, element('thead', {}, element('tr', {}, ...heads)), body);
table.setAttribute('aria-label', name);
document.body.prepend(
  element(
    'main',
    {},
    element('h1', {}, name),
    element('p', {}, texts.asOf(dayText)),
    element('label', {}, texts.search, search),
    status,
    table,
    more,
  ),
);
search.addEventListener('input', () => {
  order = undefined; // The best match first.
  show();
});
more.addEventListener('click', () => {
  const next = body.rows.length;
  addRows();
  const first = body.rows[next];
  if (first === undefined) return;
  first.tabIndex = -1;
  first.focus();
});
new IntersectionObserver(([entry]) => {
  if (entry?.isIntersecting === true && !more.hidden) addRows();
}).observe(more);
// All that was found is printed.
addEventListener('beforeprint', () => {
  addRows(found.length);
});
show();
