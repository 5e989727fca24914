import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { authorField } from '../../../../catalogue/statistics.ts';
import { client } from '../../../state/service.ts';
import { navigate, route } from '../../../state/navigation.ts';
import { changeQuery } from '../../../state/route.ts';
import { useStore } from '../../../hooks/use-store.ts';
import { texts } from '../../../texts/current.ts';
import { Combobox, type Option } from '../../../ui/combobox.tsx';

/** Suggests authors, each with the number of its books. */
export async function findAuthors(typed: string, signal: AbortSignal): Promise<readonly Option[]> {
  const found = await client.suggest(authorField, typed, { signal });
  return found.map(({ value, count }) => ({ value, note: texts.number(count) }));
}

/** Chooses the author whose books are listed. */
export function AuthorFilter(): JSX.Element {
  const { query } = useStore(route);
  const author = query[authorField] ?? '';
  const [text, setText] = useState(author);
  useEffect(() => {
    setText(author);
  }, [author]);
  return (
    <Combobox
      label={texts.books.author}
      value={text}
      onInput={setText}
      onChoose={(chosen) => {
        setText(chosen);
        navigate({ view: 'list', query: changeQuery(query, { [authorField]: chosen.trim() }) });
      }}
      find={findAuthors}
    />
  );
}
