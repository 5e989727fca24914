import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Correction } from '../../../../catalogue/correction.ts';
import type { BookQuery } from '../../../../catalogue/query.ts';
import { client } from '../../../state/service.ts';
import { changeQuery } from '../../../state/route.ts';
import { texts } from '../../../texts/current.ts';
import { Link } from '../../../ui/link.tsx';

/** Other words for a query that finds nothing. */
export function DidYouMean({ query }: { query: BookQuery }): JSX.Element | null {
  const [corrections, setCorrections] = useState<readonly Correction[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    setCorrections([]);
    // A help; the list works without it.
    client.corrections(query, { signal: abort.signal }).then(setCorrections, () => undefined);
    return () => {
      abort.abort();
    };
  }, [query]);
  if (corrections.length === 0) return null;
  return (
    <p class="did-you-mean" role="status">
      {texts.books.didYouMean}
      {corrections.map((correction) => (
        <Link key={JSON.stringify(correction)} to={{ view: 'list', query: changeQuery(query, correction) }}>
          <bdi dir="auto">{Object.values(correction).join(' ')}</bdi>
        </Link>
      ))}
    </p>
  );
}
