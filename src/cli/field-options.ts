import type { FieldName } from '../catalogue/fields.ts';

/** A field on the command line. */
interface FieldOption {
  /** The short option. */
  readonly letter: string;
  readonly placeholder: string;
  readonly help: string;
  /** The relative width in a table on a terminal. Default: as narrow as its values. */
  readonly width?: number;
}

export const fieldOptions: Readonly<Record<FieldName, FieldOption>> = {
  title: { letter: 't', placeholder: 'text', help: 'the title', width: 3 },
  author: { letter: 'a', placeholder: 'text', help: 'the author', width: 2 },
  year: {
    letter: 'y',
    placeholder: 'year',
    help: 'the year; negative before the common era: --year=-1750',
  },
};
