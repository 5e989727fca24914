import { useEffect, useState } from 'preact/hooks';
import type { Book } from '../../../catalogue/book.ts';
import { parseDraft, type Draft } from '../../state/editing/draft.ts';
import { findSame } from './same-books.ts';

/** The pause after a key before the catalogue is asked for the same book, in milliseconds. */
const pauseMs = 300;

/** A book that the catalogue has already. */
export function useSame(draft: Draft): Book | undefined {
  const [same, setSame] = useState<Book>();
  useEffect(() => {
    const parsed = parseDraft({ ...draft, year: '' });
    if ('wrong' in parsed) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      findSame(parsed.fields, abort.signal).then(setSame, () => undefined); // A note; adding works without it.
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [draft.title, draft.author]);
  return same;
}
