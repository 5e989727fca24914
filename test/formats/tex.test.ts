import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { texToText, textToTex } from '../../src/formats/tex.ts';

describe('TeX', () => {
  const table: [tex: string, text: string][] = [
    [
      String.raw`Dvo{\v r}{\'a}k, \v{Z}i\v zek, Erd\H{o}s, \c{C}elik, Fran\c cois`,
      'Dvořák, Žižek, Erdős, Çelik, François',
    ],
    [
      String.raw`na{\"\i}ve, Stra{\ss}e, {\AA}rhus, \L{}\'od\'z, C\^{o}t\'{e}`,
      'naïve, Straße, Århus, Łódź, Côté',
    ],
    [
      String.raw`Foo \& bar: 100\,\% of \textit{it}---pp.~1--2, ` + "``so''",
      'Foo & bar: 100 % of it—pp. 1–2, “so”',
    ],
    [String.raw`\textbackslash{}x\_y\{z\} $O(n)$ \'{}a`, String.raw`\x_y{z} O(n) a`],
    ['Größe 漢字', 'Größe 漢字'],
    [String.raw`The $\alpha$-$\Omega$ of {$\beta$}`, 'The α-Ω of β'],
    [String.raw`From $3\rightarrow4$ to $n \leq \infty$, 90$^\circ$`, 'From 3→4 to n ≤∞, 90°'],
  ];
  const commands: [tex: string, text: string][] = [
    // An unknown command leaves its text, or its name as a word of its own.
    [String.raw`\foo b`, 'foo b'],
    [String.raw`\foo{b}, \foo[x]{c}, \foo{d}{e}`, 'b, c, de'],
    [String.raw`a \foo{} b, {\foo} c, \foo`, 'a foo b, foo c, foo'],
    [String.raw`\em all {\bfseries of} \Large it`, 'all of it'],
    [
      String.raw`{\LaTeX} and \TeX{} with \BibTeX\ for Lua\TeX, \AmS-\LaTeXe`,
      'LaTeX and TeX with BibTeX for LuaTeX, AMS-LaTeX2e',
    ],
    [String.raw`The \TeX book`, 'The TeXbook'],
    [
      String.raw`$H_2O$, CO$_2$, H\textsubscript{2}O, $x^{10}$, 1\textsuperscript{st}`,
      'H2O, CO2, H2O, x10, 1st',
    ],
    [
      String.raw`\noopsort{1973a}1997, {\noopsort{Zoe}}A, \emph{\noopsort{{\"o}ab}B}, \SortNoop{x}C`,
      '1997, A, B, C',
    ],
    [String.raw`\href{http://x}{name}, \href {http://y/{1}} {\emph{other}}`, 'name, other'],
    [String.raw`\url{http://x/~a_b?c=%20}, \href{http://x}`, 'http://x/~a_b?c=%20, http://x'],
    [String.raw`\textcolor{red}{x}\hspace{1em}y`, 'xy'],
  ];
  for (const [tex, text] of [...table, ...commands])
    test(tex, () => {
      assert.equal(texToText(tex), text);
    });

  test('that is written is read back', () => {
    const text = String.raw`a\b {c} ~ ^ % $ # & _ -- --- '' ${'``'} Ж`;
    assert.equal(texToText(textToTex(text)), text);
  });
});
