import type { CSSProperties, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Book } from '../../catalogue/book.ts';
import { hasCode } from '../../catalogue/errors.ts';
import { authorField, nameField } from '../../catalogue/fields.ts';
import { hashText } from '../../lib/text-hash.ts';
import { readerTexts } from '../../texts/readers.ts';
import { barsOfDecades } from '../state/decades.ts';
import { useAnswer } from '../state/hooks.ts';
import { home, openBook } from '../state/navigation.ts';
import { client } from '../state/service.ts';
import { language, texts } from '../texts/current.ts';
import { showFailure } from '../ui/actions.ts';
import { Button, fieldText, isEmpty, Link } from '../ui/controls.tsx';

/** The number of new books that are shown. */
const maxRecent = 20;

/** What a public catalogue shows its readers before the list: the newest books, the decades, and a random book. */
export function StartView(): JSX.Element | null {
  const { start } = readerTexts[language];
  const { value } = useAnswer('start', async (signal) => {
    const [recent, statistics] = await Promise.all([
      client.page({ sort: '-id', limit: maxRecent }, { signal }),
      client.stats({}, { signal }).catch(() => undefined), // A busy service can fail here: the newest books appear without decades.
    ]);
    return { books: recent.items, decades: statistics?.decades ?? [] };
  });
  const [isBusy, setBusy] = useState(false);
  const [newest] = value?.books ?? [];
  if (value === undefined || newest === undefined) return null;
  const surprise = () => {
    setBusy(true);
    findAny(newest.id)
      .then((id) => {
        openBook(id ?? newest.id);
      }, showFailure)
      .finally(() => {
        setBusy(false);
      });
  };
  const decades = barsOfDecades(value.decades, {}).filter(({ count }) => count > 0);
  return (
    <>
      <div style={styles.head}>
        <h2>{start.recent}</h2>
        <Button icon="book" aria-disabled={isBusy} onClick={isBusy ? undefined : surprise}>
          {start.surprise}
        </Button>
      </div>
      <ul style={styles.shelf}>
        {value.books.map((book) => (
          <li key={book.id} style={styles.fixed}>
            <Cover book={book} />
          </li>
        ))}
      </ul>
      {decades.length > 0 && (
        <nav style={styles.shelf} aria-label={start.decades}>
          {decades.map(({ label, query, count }) => (
            <Link
              key={label}
              class="chip"
              style={styles.fixed}
              to={{ view: 'list', query }}
              aria-label={`${label}, ${texts.books.books(count)}`}
            >
              {label}
            </Link>
          ))}
        </nav>
      )}
    </>
  );
}

/** A book with a colour of its own, which stays the same. */
function Cover({ book }: { book: Book }): JSX.Element {
  const hue = hashText(book.title) % 360;
  const background = `light-dark(oklch(0.94 0.03 ${hue}), oklch(0.3 0.03 ${hue}))`;
  const borderInlineStart = `0.35rem solid oklch(0.6 0.1 ${hue})`;
  return (
    <Link
      class="cover"
      style={{ ...styles.cover, background, borderInlineStart }}
      to={{ ...home, book: book.id }}
    >
      <b dir="auto" style={styles.title}>
        {fieldText(nameField, book)}
      </b>
      {!isEmpty(authorField, book) && (
        <span dir="auto" style={styles.author}>
          {fieldText(authorField, book)}
        </span>
      )}
    </Link>
  );
}

/** They are not in the style sheet, because that loads for everybody. */
const styles = {
  head: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '1rem',
    blockSize: '3.75rem',
  },
  shelf: { display: 'flex', gap: '0.75rem', padding: '0.25rem', overflowX: 'auto', scrollbarWidth: 'thin' },
  fixed: { flex: 'none' },
  cover: {
    display: 'grid',
    alignContent: 'space-between',
    inlineSize: '11rem',
    blockSize: '7rem',
    padding: '0.75rem',
    borderRadius: '0.25rem',
    color: 'var(--ink)',
    fontSize: '0.875rem',
    textDecoration: 'none',
  },
  title: {
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: '3',
    overflow: 'hidden',
    font: '600 1rem/1.25 var(--serif)',
  },
  author: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
} satisfies Readonly<Record<string, CSSProperties>>;

/** The number of attempts to find a book: some ids can belong to deleted books. */
const maxTries = 10;

/** The id of a random book; `undefined` if no attempt found one. @param newest The highest id. */
async function findAny(newest: number): Promise<number | undefined> {
  for (let i = 0; i < maxTries; i++) {
    const id = 1 + Math.floor(Math.random() * newest);
    try {
      await client.get(id);
      return id;
    } catch (error) {
      if (!hasCode(error, 'book_not_found')) throw error;
    }
  }
  return undefined;
}
