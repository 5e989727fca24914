import { createHash } from 'node:crypto';
import { compareFolded, foldTokens } from './fold.ts';
import { textKey } from './keyset-position.ts';

/** The field whose order ignores leading articles. Names keep theirs: _Le Guin_ and _La Fontaine_ are under L. */
export const articleField = 'title';

export const maxArticles = 16;

/** Whether a value is one word of at most 64 characters, such as `the`, or an elided one, such as `l'`. */
export function isArticle(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 64) return false;
  return /^[\p{L}\p{M}]+['’]?$/u.test(value) && foldTokens(value).length === 1;
}

/** Articles as they begin a folded title, each once, in order. */
export function foldArticles(articles: readonly string[]): string[] {
  const folded = articles.flatMap((article) =>
    foldTokens(article).map((word) => (/['’]$/.test(article) ? `${word}'` : word)),
  );
  return [...new Set(folded)].sort(compareFolded);
}

/** The part of a title that is searched for an article: longer than any with its apostrophe, after some punctuation. */
const startLength = 200;

/**
 * The key of a title in an order that ignores leading articles. An article that is the whole title stays.
 *
 * @param articles From {@link foldArticles}.
 */
export function titleKey(title: string, articles: readonly string[]): string {
  const key = textKey(title);
  const [first = ''] = foldTokens(title.slice(0, startLength));
  for (const article of articles) {
    if (first === article && key.startsWith(`${article} `)) return key.slice(article.length + 1);
    // The key has no apostrophes.
    if (article.endsWith("'") && first.length > article.length && first.startsWith(article))
      return key.slice(article.length - 1);
  }
  return key;
}

/**
 * The order of titles of a store. It has two slots for keys: a change of the articles fills the one that is not in use, some
 * books at a time, and the old order holds until that is done.
 */
export interface TitleOrder {
  /** The articles that the order ignores; with none, titles are sorted by their whole keys, and no slot is used. */
  readonly articles: readonly string[];
  /** The slot with the keys of this order. */
  readonly slot: 0 | 1;
  /** The order that is being made in the other slot, and the last id that has its key. */
  readonly next?: { readonly articles: readonly string[]; readonly to: number } | undefined;
  /**
   * The articles of the order before, whose keys are in the other slot. New books still get them, for services that list by them
   * until they notice the change.
   */
  readonly last?: readonly string[] | undefined;
}

/** Names an order in positions and versions; `undefined` if it ignores nothing. */
export function orderName({ articles }: Pick<TitleOrder, 'articles'>): string | undefined {
  if (articles.length === 0) return undefined;
  return createHash('sha256').update(articles.join()).digest('hex').slice(0, 8);
}

export const plainOrder: TitleOrder = { articles: [], slot: 1 };

/** Reads an order from JSON; `undefined` if it is not one. */
export function parseTitleOrder(json: string): TitleOrder | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const { slot, articles, next, last } = Object(value) as Partial<Record<keyof TitleOrder, unknown>>;
  const { to, articles: nextArticles } = Object(next) as { to?: unknown; articles?: unknown };
  const isNext = next === undefined || (areArticles(nextArticles) && isCount(to));
  const isLast = last === undefined || areArticles(last);
  return (slot === 0 || slot === 1) && areArticles(articles) && isNext && isLast
    ? (value as TitleOrder)
    : undefined;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function areArticles(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length <= maxArticles && value.every((each) => typeof each === 'string')
  );
}

/**
 * The order that is wanted from now on: the same object, if it is being made already.
 *
 * @param order A settled one.
 * @param articles From {@link foldArticles}.
 */
export function changeOrder(order: TitleOrder, articles: readonly string[]): TitleOrder {
  const isSame = (other: readonly string[] | undefined) => other?.join() === articles.join();
  if (isSame(order.next?.articles)) return order;
  const { next, ...current } = order;
  if (isSame(order.articles)) return next === undefined ? order : current;
  if (articles.length === 0) return { slot: otherSlot(order.slot), articles, last: order.articles };
  return { ...current, next: { articles, to: 0 } };
}

/** The order after all books have the keys of the next one. */
export function finishOrder({ slot, articles, next }: TitleOrder): TitleOrder {
  if (next === undefined) return { slot, articles };
  return { slot: otherSlot(slot), articles: next.articles, ...(articles.length > 0 && { last: articles }) };
}

/** The order when nobody lists by the one before any more. */
export function settleOrder({ last: _, ...order }: TitleOrder): TitleOrder {
  return order;
}

/** The slot of the next order, or the last one. */
export function otherSlot(slot: 0 | 1): 0 | 1 {
  return slot === 0 ? 1 : 0;
}

/** The keys of a title for the two slots; `undefined` for one that is not in use. */
export function slotKeys({ articles, slot, next, last }: TitleOrder, title: string): (string | undefined)[] {
  const keys: (string | undefined)[] = [undefined, undefined];
  if (articles.length > 0) keys[slot] = titleKey(title, articles);
  const others = next?.articles ?? last;
  if (others !== undefined) keys[otherSlot(slot)] = titleKey(title, others);
  return keys;
}
