import type { JSX } from 'preact';
import type { BookQuery } from '../../../catalogue/query.ts';
import { home } from '../../state/route.ts';
import { texts } from '../../texts/current.ts';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { DidYouMean } from './search/did-you-mean.tsx';

/** What is said when there is nothing to list. */
export function EmptyList({ query, isFiltered }: { query: BookQuery; isFiltered: boolean }): JSX.Element {
  if (!isFiltered)
    return (
      <Notice icon="book" title={texts.books.empty}>
        <p>{texts.books.emptyHint}</p>
      </Notice>
    );
  return (
    <Notice icon="search" title={texts.books.nothing}>
      <DidYouMean query={query} />
      <p>{texts.books.nothingHint}</p>
      <Link class="button" to={home}>
        {texts.books.clearSearchAndFilters}
      </Link>
    </Notice>
  );
}
