import type { JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { yearField } from '../../../../catalogue/statistics.ts';
import { navigate, route } from '../../../state/navigation.ts';
import { changeQuery } from '../../../state/route.ts';
import { useStore } from '../../../hooks/use-store.ts';
import { texts } from '../../../texts/current.ts';

/** One end of the range of years that are listed. */
export function YearFilter({ end }: { end: 'From' | 'To' }): JSX.Element {
  const { query } = useStore(route);
  const name = `${yearField}${end}` as const;
  const given = query[name];
  const [text, setText] = useState('');
  useEffect(() => {
    setText(given === undefined ? '' : String(given));
  }, [given]);
  const id = useId();
  const apply = () => {
    const value = text.trim() === '' ? undefined : Number(text);
    if (value !== undefined && !Number.isSafeInteger(value))
      setText(given === undefined ? '' : String(given));
    else if (value !== given) navigate({ view: 'list', query: changeQuery(query, { [name]: value }) });
  };
  return (
    <div class="field year">
      <label for={id}>{end === 'From' ? texts.books.from : texts.books.to}</label>
      <input
        id={id}
        inputmode="numeric"
        autocomplete="off"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
        }}
        onBlur={apply}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply();
        }}
      />
    </div>
  );
}
