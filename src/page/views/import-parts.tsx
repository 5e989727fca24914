import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { fileFormats, formatNames } from '../../formats/file-formats.ts';
import { chooseFormat, type Source } from '../state/import.ts';
import type { ListedRow } from '../state/import-file.ts';
import { texts } from '../texts/current.ts';
import { Icon } from '../ui/controls.tsx';

const { importing } = texts;

/** The heading of a step. It gets the focus: the button that led here is gone. */
export function StepHeading({ children }: { children: ComponentChildren }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h2 ref={heading} class="step-heading" tabIndex={-1}>
      {children}
    </h2>
  );
}

/** Why something did not work, in a box. */
export function Callout({ title, children }: { title?: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="callout" role="alert">
      <Icon name="warning" />
      <div>
        {title !== undefined && <h2>{title}</h2>}
        <p>{children}</p>
      </div>
    </div>
  );
}

/** The first rows that are left out, or to be checked, each with its place and the reason. */
export function ListedRows({ all, rows }: { all: number; rows: readonly ListedRow[] }): JSX.Element {
  return (
    <>
      {all > rows.length && <p class="hint">{importing.firstOf(rows.length, all)}</p>}
      <ul class="rows rejects">
        {rows.map(({ unit, line, reason, content }) => (
          <li key={line} class="reject">
            <span class="reject-line">{importing.units[unit](line)}</span>
            <span class="reject-reason">{reason}</span>
            <bdi class="reject-cells" dir="auto">
              {content}
            </bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

interface SelectFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChoose: (value: string) => void;
  readonly children?: ComponentChildren;
}

/** A choice of one thing from a list. */
export function SelectField({ label, value, options, onChoose, children }: SelectFieldProps): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          onChoose(event.currentTarget.value);
        }}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
      {children}
    </div>
  );
}

/** Which format a file has, if it is another one than its content tells. */
export function FormatChoice({ source }: { source: Source }): JSX.Element {
  return (
    <SelectField
      label={importing.format}
      value={source.format ?? ''}
      options={[
        ['', importing.formatByContent],
        ...formatNames.map((name) => [name, fileFormats[name].name] as const),
      ]}
      onChoose={(value) => {
        void chooseFormat(
          source,
          formatNames.find((name) => name === value),
        );
      }}
    />
  );
}
