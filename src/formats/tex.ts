/** The combining characters of the accents of TeX. */
const accents: Readonly<Record<string, string>> = {
  '`': '\u0300',
  "'": '\u0301',
  '^': '\u0302',
  '~': '\u0303',
  '=': '\u0304',
  u: '\u0306',
  '.': '\u0307',
  '"': '\u0308',
  r: '\u030a',
  H: '\u030b',
  v: '\u030c',
  d: '\u0323',
  c: '\u0327',
  k: '\u0328',
  b: '\u0331',
  t: '\u0361',
};

/** Of one letter. The time to compose a letter is quadratic in its accents. */
const maxAccents = 30;

/** The characters of commands. */
const characters: Readonly<Record<string, string>> = {
  ...{
    aa: 'å',
    AA: 'Å',
    ae: 'æ',
    AE: 'Æ',
    oe: 'œ',
    OE: 'Œ',
    o: 'ø',
    O: 'Ø',
    l: 'ł',
    L: 'Ł',
    ss: 'ß',
    SS: 'ẞ',
  },
  ...{ i: 'ı', j: 'ȷ', dh: 'ð', DH: 'Ð', dj: 'đ', DJ: 'Đ', th: 'þ', TH: 'Þ', ng: 'ŋ', NG: 'Ŋ' },
  ...{ textendash: '–', textemdash: '—', dots: '…', ldots: '…', textellipsis: '…', S: '§', P: '¶' },
  ...{ textquoteleft: '‘', textquoteright: '’', textquotedblleft: '“', textquotedblright: '”' },
  ...{
    guillemotleft: '«',
    guillemotright: '»',
    quotedblbase: '„',
    quotesinglbase: '‚',
    textquotesingle: "'",
  },
  ...{
    textbackslash: '\\',
    textbraceleft: '{',
    textbraceright: '}',
    textasciitilde: '~',
    textasciicircum: '^',
  },
  ...{ textbar: '|', textless: '<', textgreater: '>', textdollar: '$', textunderscore: '_', textdegree: '°' },
  ...{
    pounds: '£',
    texteuro: '€',
    copyright: '©',
    textcopyright: '©',
    textregistered: '®',
    texttrademark: '™',
  },
  ...{ ' ': ' ', '\n': ' ', '\t': ' ', '\\': ' ', ',': ' ', ';': ' ', ':': ' ', '-': '', '/': '', '!': '' },
};

const greek =
  'alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ tau τ ' +
  'upsilon υ phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω';
const letters = new Map(
  Array.from(greek.matchAll(/(\S+) (\S)/g), ([, name = '', letter = '']) => [name, letter]),
);

const token = /\\([A-Za-z]+)\s*|\\([^])|(---?|``|''|[{}$~])|([^\\{}$~\-`']+|[^])/gu;
const ligatures: Readonly<Record<string, string>> = {
  '---': '—',
  '--': '–',
  '``': '“',
  "''": '”',
  '~': ' ',
};

/**
 * Turns TeX into text: accents (`{\"o}`), characters (`\ss`), dashes and quotes. Braces, math signs and the names of other
 * commands (`\emph`) are dropped.
 */
export function texToText(tex: string): string {
  let text = '';
  let pending = ''; // Accents of the next letter.
  const emit = (characters: string) => {
    if (pending === '') text += characters;
    else {
      const [first = '', ...rest] = characters.trimStart();
      if (first === '') return;
      const base = first === 'ı' ? 'i' : first === 'ȷ' ? 'j' : first;
      text += (base + pending).normalize('NFC') + rest.join('');
      pending = '';
    }
  };
  let previous = '';
  for (const [whole, word, sign, special, plain] of tex.matchAll(token)) {
    const command = word ?? sign;
    if (plain !== undefined) emit(plain);
    else if (special !== undefined) {
      if (special === '}' && previous === '{') pending = ''; // `\'{}`
      emit(ligatures[special] ?? '');
    } else if (command !== undefined) {
      const accent = Object.hasOwn(accents, command) ? accents[command] : undefined;
      if (accent !== undefined) pending = (accent + pending).slice(0, maxAccents);
      else if (Object.hasOwn(characters, command)) emit(characters[command] ?? '');
      else if (letters.has(command)) emit(letters.get(command) ?? '');
      else if (sign !== undefined) emit(sign); // `\&`
    }
    previous = whole;
  }
  return text.replace(/\s+/g, ' ').trim();
}

/** Turns text into TeX that BibTeX reads: braces must match even after a backslash, so they become commands. */
export function textToTex(text: string): string {
  return text
    .replace(/[\\{}~^%$#&_]/g, (character) => escapes[character] ?? `\\${character}`)
    .replace(/(?<=-)-|(?<=`)`|(?<=')'/g, '{}$&');
}

const escapes: Readonly<Record<string, string>> = {
  '\\': String.raw`\textbackslash{}`,
  '{': String.raw`\textbraceleft{}`,
  '}': String.raw`\textbraceright{}`,
  '~': String.raw`\textasciitilde{}`,
  '^': String.raw`\textasciicircum{}`,
};
