import {
  asText,
  formatPageQuery,
  parameters,
  parseParameters,
  type PageQuery,
} from '../../catalogue/query-string.ts';
import { views, type pageParameters, type View } from '../../page/state/views.ts';

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
const own: Record<Exclude<(typeof pageParameters)[number], 'level'>, (text: string) => string | undefined> = {
  view: (text) => views.find((view) => view === text),
  book: asText,
  exact: asText,
};
const all = { ...parameters, ...own };

/**
 * Reads a query string of the page. Parameters without a value are ignored: a form sends its empty fields. So are unknown
 * ones: other sites add theirs to links.
 *
 * @throws {ShelflistError} `invalid_query`
 */
export function parsePageState(text: string): PageState {
  const pairs = text.split('&').filter((pair) => /=./s.test(pair) && Object.hasOwn(all, nameOf(pair)));
  const { view, book, exact, ...query } = parseParameters(pairs.join('&'), all) as PageQuery & {
    view?: View;
    book?: string;
    exact?: string;
  };
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
  const text = [formatPageQuery(query), ...(isExact ? ['exact=true'] : [])].filter(Boolean).join('&');
  return text === '' ? './' : `?${text}`;
}
