import sax from 'sax';

/** The nesting of a record within the answer of a protocol, such as OAI-PMH, is less than this. */
const maxDepth = 50;
/**
 * In characters. A tag of MARCXML or of a sheet is much shorter. The time of `sax` for a tag is quadratic in its attributes and
 * namespaces, so it gets no longer piece at once.
 */
export const maxTagLength = 8 * 1024;

export type XmlTag = sax.QualifiedTag;

interface XmlHandler {
  readonly start: (tag: XmlTag) => void;
  readonly text: (text: string) => void;
  readonly end: (local: string) => void;
  /** It is not XML, or exceeds a limit; nothing follows. `undefined`: a tag is too long. */
  readonly fail: (detail: string | undefined) => void;
}

/** Parses XML in bounded memory: without document types, and with limits for tags and nesting. */
export class XmlReader {
  readonly #xml = sax.parser(true, { xmlns: true });
  readonly #fail: (detail: string | undefined) => void;
  /** The local names of the open elements. */
  readonly #path: string[] = [];
  /** Whether a tag has begun whose attributes have not all arrived. */
  #isInTag = false;
  #hasRoot = false;
  #isFailed = false;

  constructor(handler: XmlHandler) {
    this.#fail = (detail) => {
      if (!this.#isFailed) handler.fail(detail);
      this.#isFailed = true;
    };
    const xml = this.#xml;
    xml.onopentagstart = () => {
      this.#isInTag = true;
    };
    xml.onopentag = (tag) => {
      this.#checkTag();
      this.#isInTag = false;
      this.#hasRoot = true;
      if (this.#path.push((tag as XmlTag).local) > maxDepth) this.#fail('nested too deeply');
      if (!this.#isFailed) handler.start(tag as XmlTag);
    };
    xml.onclosetag = () => {
      const local = this.#path.pop();
      if (!this.#isFailed && local !== undefined) handler.end(local);
    };
    xml.ontext = xml.oncdata = handler.text;
    xml.ondoctype = () => {
      this.#fail('it has a document type declaration, which it does not need');
    };
    xml.onerror = (error) => {
      this.#fail(error.message.split('\n', 1)[0] ?? '');
    };
  }

  /** Whether the root element has ended. */
  get isComplete(): boolean {
    return this.#hasRoot && this.#path.length === 0;
  }

  /** Takes the next piece, of at most {@link maxTagLength} characters. */
  write(piece: string): void {
    if (this.#isFailed) return;
    this.#xml.write(piece);
    this.#checkTag();
  }

  #checkTag(): void {
    if (this.#isInTag && this.#xml.position - this.#xml.startTagPosition > maxTagLength)
      this.#fail(undefined);
  }
}

/** Characters that XML 1.0 cannot contain, even escaped. */
// eslint-disable-next-line no-control-regex -- These are what it looks for.
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes a text; replaces the characters that XML cannot contain. */
export function escapeXml(text: string): string {
  return text.replace(forbidden, '\ufffd').replace(/[&<>]/g, (character) => entities[character] ?? '');
}

/** Without a prototype. */
const htmlEntities: Readonly<Record<string, string>> = sax.parser(false).ENTITIES;

/** Decodes the references of HTML: `&eacute;`, `&#233;`, `&#xe9;`. Unknown ones stay. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hex, name = '') => {
    const code =
      decimal !== undefined ? Number(decimal) : hex !== undefined ? parseInt(String(hex), 16) : undefined;
    if (code !== undefined) return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    return htmlEntities[String(name)] ?? whole;
  });
}
