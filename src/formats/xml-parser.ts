import { type Cut, FileError } from './problems.ts';
import { type BookParser, maxRecordLength, type ParsedBook, partCost, type ReadRecord } from './record.ts';
import { maxTagLength, XmlReader, type XmlTag } from './xml.ts';

/** A record whose element has ended. */
export type XmlRecord = ReadRecord & Pick<ParsedBook, 'original'>;

/** Parses records of XML while they arrive, in the memory of a record. A format says what its elements mean. */
export abstract class XmlParser implements BookParser<string> {
  readonly #xml = new XmlReader({
    start: (tag) => {
      this.#length += partCost;
      if (this.#failure === undefined) this.startElement(tag);
    },
    text: (text) => {
      this.addText(text);
    },
    end: () => {
      const read = this.#failure === undefined ? this.endElement() : undefined;
      if (read === undefined) return;
      this.#done.push({ ...read, record: ++this.#record });
      this.#length = 0;
    },
    fail: (detail) => {
      const record = this.#record;
      this.#failure ??= new FileError(
        detail === undefined
          ? { code: 'tagTooLong', record: record + 1 }
          : { code: 'invalidXml', record, detail },
      );
    },
  });
  readonly #done: ParsedBook[] = [];
  #record = 0;
  /** Of the current record. */
  #length = 0;
  #failure: FileError | undefined;

  get cut(): Cut | undefined {
    if (this.#xml.isComplete) return undefined;
    return { at: this.isInRecord ? 'xmlRecord' : 'xml', number: this.#record };
  }

  *push(piece: string): Generator<ParsedBook> {
    for (let from = 0; from < piece.length; from += maxTagLength) {
      const part = piece.slice(from, from + maxTagLength);
      this.#length += part.length;
      this.#xml.write(part);
      yield* this.#done.splice(0);
      if (this.#failure) throw this.#failure;
      if (this.#length > maxRecordLength)
        throw new FileError({ code: 'fileRecordTooLong', format: 'other', record: this.#record + 1 });
    }
  }

  end(): readonly ParsedBook[] {
    return [];
  }

  /** Whether a record is open. */
  protected abstract get isInRecord(): boolean;
  protected abstract startElement(tag: XmlTag): void;
  protected abstract addText(text: string): void;
  /** @returns The record that ends with the element, if one does. */
  protected abstract endElement(): XmlRecord | undefined;
}
