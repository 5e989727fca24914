/** A field of data: its tag, two indicators, and subfields in their order. */
export interface DataField {
  tag: string;
  indicators: string;
  subfields: readonly (readonly [code: string, value: string])[];
}

/** A bibliographic record of MARC21 (https://www.loc.gov/marc/bibliographic/). */
export interface MarcRecord {
  leader: string;
  /** The fields without subfields, by tag; the first of each. */
  control: ReadonlyMap<string, string>;
  data: readonly DataField[];
}

/** The first value of a subfield; empty if there is none. */
export function subfield(field: DataField | undefined, code: string): string {
  return field?.subfields.find(([each]) => each === code)?.[1] ?? '';
}

/** Every value of a subfield. */
export function subfields(field: DataField, code: string): string[] {
  return field.subfields.filter(([each]) => each === code).map(([, value]) => value);
}

/** A record as text, a field a line, as MarcEdit writes it. */
export function describeRecord({ leader, control, data }: MarcRecord): string {
  const lines = [
    `=LDR  ${leader}`,
    ...[...control].map(([tag, value]) => `=${tag}  ${value}`),
    ...data.map(
      ({ tag, indicators, subfields: parts }) =>
        `=${tag}  ${indicators.replaceAll(' ', '\\')}${parts.map(([code, value]) => `$${code}${value}`).join('')}`,
    ),
  ];
  return lines.join('\n');
}
