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

/** Names of programs and formats that are written as logos. */
const logos = new Map([
  ...'TeX LaTeX BibTeX XeTeX XeLaTeX LuaTeX LuaLaTeX pdfTeX pdfLaTeX ConTeXt SliTeX PiCTeX AmSTeX AmSLaTeX MakeIndex'
    .split(' ')
    .map((name) => [name, name] as const),
  ...Object.entries({ LaTeXe: 'LaTeX2e', AmS: 'AMS', MF: 'METAFONT', MP: 'MetaPost', eTeX: 'e-TeX' }),
]);

/** Commands that change what follows, and are no text. Others without an argument keep their name. */
const declarations = new Set(
  (
    'em bf it sl sc tt rm sf bfseries itshape slshape scshape upshape ttfamily rmfamily sffamily mdseries normalfont ' +
    'tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge protect relax noindent par newline ' +
    'linebreak allowbreak break nobreak null ignorespaces unskip left right big Big bigl bigr displaystyle textstyle ' +
    'limits nolimits boldmath unboldmath cal mathrm mathbf mathit mathcal mathsf mathtt selectfont frenchspacing'
  ).split(' '),
);
/** Spaces between words, as commands. */
const spaces = new Set([
  'quad',
  'qquad',
  'space',
  'thinspace',
  'enspace',
  'nobreakspace',
  'hfill',
  'hfil',
  'tab',
]);
/**
 * Matches what is not text: keys for sorting, lengths, colours and places with their commands, and the first argument of a command that
 * has its text in the second.
 */
const noText =
  /\\(?:(?:no_?op\w*|sort_?(?:no_?op|key|as)\w*|[hv]space|color|label)\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*){0,20}\}|(?:href|textcolor)\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*){0,20}\}\s*(?=\{))/gi;

const greek =
  'alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ tau τ ' +
  'upsilon υ phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω';
const signs =
  'rightarrow → to → longrightarrow → Rightarrow ⇒ leftarrow ← leftrightarrow ↔ Leftrightarrow ⇔ mapsto ↦ times × cdot · pm ± ' +
  'leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ approx ≈ sim ∼ equiv ≡ infty ∞ sum ∑ prod ∏ int ∫ partial ∂ nabla ∇ in ∈ subset ⊂ cup ∪ ' +
  'cap ∩ forall ∀ exists ∃ ell ℓ hbar ℏ circ ° prime ′ cdots ⋯ sqrt √ varepsilon ε vartheta ϑ varphi φ varrho ϱ varsigma ς';
const letters = new Map(
  Array.from(`${greek} ${signs}`.matchAll(/(\S+) (\S)/g), ([, name = '', letter = '']) => [name, letter]),
);

/** Tokens: an address as it is, a command with what follows it, a command of one sign, a special character, and plain text. */
const token =
  /\\(?:url|nolinkurl|path)\s*\{([^{}]*)\}|\\([A-Za-z]+)(\s*)(?:\[[^\][{}]*\](?=\{))?|\\([^])|(---?|``|''|[{}$~])|([^\\{}$~\-`']+|[^])/gu;
const ligatures: Readonly<Record<string, string>> = {
  '---': '—',
  '--': '–',
  '``': '“',
  "''": '”',
  '~': ' ',
};

/**
 * Turns TeX into text: accents (`{\"o}`), characters (`\ss`), dashes, quotes and logos (`\LaTeX`). Braces, math signs and what
 * changes other text (`\emph`, `_` in math) are dropped; an unknown command leaves its arguments, or its name if it has none.
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
  let isMath = false;
  const source = tex.replace(noText, '');
  for (const match of source.matchAll(token)) {
    const [whole, address, word, space = '', sign, special, plain] = match;
    const command = word ?? sign;
    if (address !== undefined) emit(address);
    else if (plain !== undefined) emit(isMath ? plain.replace(/[_^]/g, '') : plain);
    else if (special !== undefined) {
      if (special === '}' && previous === '{') pending = ''; // `\'{}`
      if (special === '$') isMath = !isMath;
      emit(ligatures[special] ?? '');
    } else if (command !== undefined) {
      const accent = Object.hasOwn(accents, command) ? accents[command] : undefined;
      if (accent !== undefined) pending = (accent + pending).slice(0, maxAccents);
      else if (Object.hasOwn(characters, command)) emit(characters[command] ?? '');
      else if (letters.has(command)) emit(letters.get(command) ?? '');
      else if (sign === '(' || sign === ')') isMath = sign === '(';
      else if (sign !== undefined)
        emit(sign); // `\&`
      else {
        const end = match.index + whole.length;
        emit(textOf(command, space, source.slice(end, end + 2)));
      }
    }
    previous = whole;
  }
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * The text of a command that has no character.
 * @param space The white space after it, which TeX drops. An unknown name keeps it: it stands where its text would be.
 * @param next The two characters after it: an argument is text of its own.
 */
function textOf(command: string, space: string, next: string): string {
  const logo = logos.get(command);
  if (logo !== undefined) return logo;
  if (spaces.has(command)) return ' ';
  return declarations.has(command) || (next.startsWith('{') && next !== '{}') ? '' : command + space;
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
