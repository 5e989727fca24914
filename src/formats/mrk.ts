import { LineSplitter } from '../lib/json.ts';
import { type DataField, describeRecord, readDataField, readMarcRecord } from './marc.ts';
import { type Cut, FileError } from './problems.ts';
import { type BookParser, maxRecordLength, partCost, type ParsedBook } from './record.ts';

/**
 * The names that MarcEdit writes for the characters with a meaning in its text, and for those of ANSEL: the mnemonics of MARCMaker.
 * A mark precedes its letter.
 */
const mnemonics: Readonly<Record<string, string>> = {
  ...{ dollar: '$', bsol: '\\', lcub: '{', rcub: '}', verbar: '|', pound: '£', copy: '©', phono: '℗' },
  ...{ deg: '°', reg: '®', plusmn: '±', middot: '·', iexcl: '¡', iquest: '¿', flat: '♭', sharp: '♯' },
  ...{ scriptl: 'ℓ', softsign: 'ʹ', hardsign: 'ʺ', mlrhring: 'ʼ', mllhring: 'ʻ', inodot: 'ı', eszett: 'ß' },
  ...{ aelig: 'æ', AElig: 'Æ', oelig: 'œ', OElig: 'Œ', szlig: 'ß', eth: 'ð', ETH: 'Ð', thorn: 'þ' },
  ...{ THORN: 'Þ', ostrok: 'ø', Ostrok: 'Ø', lstrok: 'ł', Lstrok: 'Ł', dstrok: 'đ', Dstrok: 'Đ' },
  ...{ ohorn: 'ơ', Ohorn: 'Ơ', uhorn: 'ư', Uhorn: 'Ư', euro: '€', joiner: '\u200d', nonjoin: '\u200c' },
  ...{ acute: '\u0301', grave: '\u0300', circ: '\u0302', tilde: '\u0303', uml: '\u0308', macr: '\u0304' },
  ...{ caron: '\u030c', cedil: '\u0327', ogon: '\u0328', ring: '\u030a', breve: '\u0306', dot: '\u0307' },
  ...{ dotb: '\u0323', dblac: '\u030b', hooka: '\u0309', candra: '\u0310', commaa: '\u0313' },
  ...{ rcommaa: '\u0315', dbldotb: '\u0324', ringb: '\u0325', dblunder: '\u0333', under: '\u0332' },
  ...{ commab: '\u0326', rcedil: '\u031c', breveb: '\u032e' },
  // A mark over two letters has a half before each.
  ...{ llig: '\u0361', rlig: '', ldbltil: '\u0360', rdbltil: '' },
};

const unescape = (text: string) =>
  text.replace(/((?:\{\w+\})+)(\p{L}?)/gu, (_, names: string, letter: string) => {
    const found = Array.from(
      names.matchAll(/\{(\w+)\}/g),
      ([whole, name = '']) => (Object.hasOwn(mnemonics, name) ? mnemonics[name] : undefined) ?? whole,
    );
    const marks = found.filter((each) => /^\p{M}$/u.test(each)).join('');
    return found.filter((each) => !/^\p{M}$/u.test(each)).join('') + letter + marks;
  });

/** Parses the text of MarcEdit (`.mrk`): a field a line, `=245  10$aEmma`, with a backslash for a blank; an empty line ends a record. */
export class MrkParser implements BookParser<string> {
  readonly #splitter = new LineSplitter();
  #fields: string[] = [];
  #record = 0;
  #length = 0;

  /** Nothing tells the end of a record that is cut off. */
  readonly cut: Cut | undefined = undefined;

  *push(piece: string): Generator<ParsedBook> {
    for (const { text } of this.#splitter.push(piece)) yield* this.#take(text);
    if (this.#length + this.#splitter.pendingLength > maxRecordLength)
      throw new FileError({ code: 'fileRecordTooLong', format: 'other', record: this.#record + 1 });
  }

  *end(): Generator<ParsedBook> {
    yield* this.#take(this.#splitter.rest().text);
    yield* this.#take('');
    if (this.#record === 0) throw new FileError({ code: 'otherFormat', format: 'marc' });
  }

  *#take(line: string): Generator<ParsedBook> {
    const text = line.trimEnd();
    if (text === '' || text.startsWith('=LDR')) yield* this.#complete();
    if (text !== '') this.#length += text.length + partCost;
    if (text.startsWith('=')) this.#fields.push(text);
    else if (this.#fields.length > 0 && text !== '') this.#fields.push(`${this.#fields.pop() ?? ''} ${text}`);
  }

  *#complete(): Generator<ParsedBook> {
    if (this.#fields.length === 0) return;
    const control = new Map<string, string>();
    const data: DataField[] = [];
    let leader = '';
    for (const field of this.#fields) {
      const tag = field.slice(1, 4);
      const content = unescapeBlanks(tag, field.slice(6));
      if (tag === 'LDR') leader = content;
      else if (tag.startsWith('00')) control.set(tag, content);
      else data.push(readDataField(tag, content.replaceAll('$', '\u001f'), unescape));
    }
    this.#fields = [];
    this.#length = 0;
    const record = { leader, control, data };
    yield { ...readMarcRecord(record), record: ++this.#record, original: describeRecord(record) };
  }
}

/** A backslash is a blank in a leader, a control field and the indicators. */
function unescapeBlanks(tag: string, content: string): string {
  const length = tag === 'LDR' || tag.startsWith('00') ? content.length : 2;
  return content.slice(0, length).replaceAll('\\', ' ') + content.slice(length);
}
