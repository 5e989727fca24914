// The filters that a reader fills in, and the name that keeps a search. The script of the list does not contain them.
import type { JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { authorField, yearField } from '../../catalogue/fields.ts';
import { withoutYear } from '../state/decades.ts';
import { useStore } from '../state/hooks.ts';
import { changeQuery, navigate, openBook, route } from '../state/navigation.ts';
import { maxNameLength, saveSearch } from '../state/saved-searches.ts';
import { texts } from '../texts/current.ts';
import { findAuthors } from '../ui/book-fields.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Button } from '../ui/controls.tsx';
import { announce } from '../ui/messages.tsx';
import { afterPress } from '../ui/press.ts';

/** The filters by author and year, and the form that keeps the search. */
export function Filters(): JSX.Element {
  return (
    <>
      <AuthorFilter />
      <YearFilter end="From" />
      <YearFilter end="To" />
      <NoYearFilter />
      <SaveSearch />
    </>
  );
}

/** Chooses the author whose books are listed. */
function AuthorFilter(): JSX.Element {
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

/** One end of the range of years that are listed. */
function YearFilter({ end }: { end: 'From' | 'To' }): JSX.Element {
  const { query } = useStore(route);
  const name = `${yearField}${end}` as const;
  const given = query[name];
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    setText(given === undefined ? '' : String(given));
    setProblem(undefined);
  }, [given]);
  const id = useId();
  const apply = () => {
    const value = text.trim() === '' ? undefined : Number(text);
    const { book, ...now } = route.value; // The click that ended the typing may have changed the route.
    const next = changeQuery(now.query, { [yearField]: undefined, [name]: value });
    const isNumber = value === undefined || Number.isSafeInteger(value);
    const isReversed = (next[`${yearField}From`] ?? -Infinity) > (next[`${yearField}To`] ?? Infinity);
    setProblem(!isNumber ? texts.changing.wholeNumber : isReversed ? texts.books.yearsReversed : undefined);
    if (!isNumber || isReversed || value === now.query[name]) return;
    navigate({ ...now, query: next }, book === undefined ? 'push' : 'replace');
    if (book !== undefined) openBook(book); // Closing it leads to the filtered list.
  };
  return (
    <div class="field year">
      <label for={id}>{end === 'From' ? texts.books.from : texts.books.to}</label>
      <input
        id={id}
        inputmode="numeric"
        autocomplete="off"
        value={text}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onInput={(event) => {
          setText(event.currentTarget.value);
        }}
        onBlur={() => {
          afterPress(apply); // The filter adds a line above the table.
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply();
        }}
      />
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem}
      </p>
    </div>
  );
}

/** Whether only books without a year are listed. */
function NoYearFilter(): JSX.Element {
  const { query } = useStore(route);
  const isOn = query[yearField] === 0;
  return (
    <label class="check-line">
      <input
        type="checkbox"
        checked={isOn}
        onChange={() => {
          const changes = isOn ? { [yearField]: undefined } : withoutYear;
          navigate({ view: 'list', query: changeQuery(query, changes) });
        }}
      />
      {texts.books.onlyWithoutYear}
    </label>
  );
}

/** Keeps the words, the filters and the order under a name, in this browser. */
function SaveSearch(): JSX.Element {
  const { query } = useStore(route);
  const [name, setName] = useState('');
  const id = useId();
  const isNothing = Object.keys(query).length === 0;
  return (
    <form
      class="save-search"
      onSubmit={(event) => {
        event.preventDefault();
        if (isNothing || name.trim() === '') return;
        saveSearch(name, query);
        announce(texts.searches.saved(name.trim()));
        setName('');
      }}
    >
      <div class="field">
        <label for={id}>{texts.searches.save}</label>
        <input
          id={id}
          dir="auto"
          autocomplete="off"
          maxLength={maxNameLength}
          value={name}
          onInput={(event) => {
            setName(event.currentTarget.value);
          }}
        />
      </div>
      <Button type="submit" disabled={isNothing || name.trim() === ''}>
        {texts.save}
      </Button>
    </form>
  );
}
