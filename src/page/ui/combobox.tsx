import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { texts } from '../texts/current.ts';
import { announce } from './messages.tsx';

export interface Option {
  readonly value: string;
  readonly note?: string;
}

interface Props {
  readonly label: string;
  readonly value: string;
  /** Called while somebody types. */
  readonly onInput: (value: string) => void;
  /** Called when somebody chooses an option, or enters what was typed. */
  readonly onChoose: (value: string) => void;
  /** Finds the options for what was typed. */
  readonly find: (typed: string, signal: AbortSignal) => Promise<readonly Option[]>;
  readonly name?: string;
  readonly autofocus?: boolean;
  /** Whether it is a cell of a table: the head of its column names it, and Enter also ends the row. */
  readonly isCell?: boolean;
  readonly readOnly?: boolean;
  readonly 'aria-describedby'?: string | undefined;
}

/** The pause after a key before options are looked for, in milliseconds. */
const pauseMs = 80;

/** A text field with suggestions (ARIA Authoring Practices, combobox with list autocomplete). */
export function Combobox(props: Props): JSX.Element {
  const { label, value, onInput, onChoose, find, name, autofocus, isCell = false, ...rest } = props;
  const [options, setOptions] = useState<readonly Option[]>([]);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [typed, setTyped] = useState<string>();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (typed === undefined) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      find(typed, abort.signal).then(
        (found) => {
          if (abort.signal.aborted) return;
          setOptions(found);
          setActive(-1);
          setOpen(found.length > 0);
          if (found.length > 0) announce(texts.books.suggestions(found.length));
        },
        () => undefined, // Suggestions are a help; without them, the field works.
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [typed]);

  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const choose = (chosen: string) => {
    setTyped(undefined);
    close();
    onChoose(chosen);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = options[active];
    if (event.isComposing) return;
    if (isCell && (event.key === 'Enter' || event.key === 'Tab')) {
      if (isOpen && chosen !== undefined) choose(chosen.value);
      return;
    }
    if (event.key === 'ArrowDown' && !isOpen) setTyped(value);
    else if (event.key === 'ArrowDown') setActive((active + 1) % options.length);
    else if (event.key === 'ArrowUp' && isOpen) setActive(active <= 0 ? options.length - 1 : active - 1);
    else if (event.key === 'Enter' && (isOpen || name === undefined)) choose(chosen?.value ?? value);
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="combobox">
      {!isCell && <label for={`${id}-input`}>{label}</label>}
      <input
        {...rest}
        ref={input}
        aria-label={isCell ? label : undefined}
        id={`${id}-input`}
        name={name}
        autofocus={autofocus}
        type="text"
        dir="auto"
        role="combobox"
        autocomplete="off"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        value={value}
        onInput={(event) => {
          onInput(event.currentTarget.value);
          setTyped(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setTyped(undefined); // Late suggestions would cover other fields.
          close();
        }}
      />
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        class="options"
        hidden={!isOpen}
        onMouseDown={(event) => {
          event.preventDefault(); // The focus stays in the field.
        }}
      >
        {options.map(({ value: option, note }, i) => (
          <li
            key={option}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === active}
            onClick={() => {
              choose(option);
            }}
          >
            <bdi dir="auto">{option}</bdi>
            {note !== undefined && <span class="note">{note}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
