import { pageParameters as listParameters, type PageQuery } from '../../api/queries.ts';
import { formatQuery, readQuery } from '../../api/query-string.ts';
import { oneOf, text, type Shape } from '../../api/shapes.ts';
import { views, type pageParameters, type View } from '../../api/page-address.ts';

/** A parsed query string of the page. */
interface PageState {
  readonly query: PageQuery;
  readonly view: View | undefined;
  /** The id of a book, as it was sent. */
  readonly book: string | undefined;
  /** Whether words that find nothing are not corrected. */
  readonly isExact: boolean;
}

/** Only the script uses the level of duplicates; here it is ignored, like an unknown parameter. */
const own = {
  view: oneOf(views),
  book: text(),
  exact: text(),
} satisfies Record<Exclude<(typeof pageParameters)[number], 'level'>, Shape>;
const all = { ...listParameters, ...own };

/**
 * Reads a query string of the page. Parameters without a value are ignored: a form sends its empty fields. So are unknown
 * ones: other sites add theirs to links.
 *
 * @throws {ShelflistError} `invalid_query`
 */
export function parsePageState(queryString: string): PageState {
  const pairs = queryString.split('&').filter((pair) => /=./s.test(pair) && Object.hasOwn(all, nameOf(pair)));
  const { view, book, exact, ...query } = readQuery(pairs.join('&'), all);
  return { query, view, book, isExact: exact === 'true' };
}

function nameOf(pair: string): string {
  const [name = ''] = new URLSearchParams(pair).keys();
  return name;
}

export function without(query: PageQuery, ...names: readonly (keyof PageQuery)[]): PageQuery {
  const entries = Object.entries(query).filter(([name]) => !names.some((each) => each === name));
  return Object.fromEntries(entries);
}

/** The address of a list, relative to the page. @param isExact Whether words that find nothing are not corrected. */
export function addressOf(query: PageQuery, isExact = false): string {
  const text = [formatQuery(query, listParameters), ...(isExact ? ['exact=true'] : [])]
    .filter(Boolean)
    .join('&');
  return text === '' ? './' : `?${text}`;
}
