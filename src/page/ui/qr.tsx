import type { JSX } from 'preact';
import { encode } from 'uqr';

/** The light margin that readers need on each side, in modules (ISO/IEC 18004). */
const quietZone = 4;

/** The longest text, in bytes of UTF-8: the modules of a longer one are too small for a phone. */
const maxBytes = 600;

/** The dark modules of a QR code as the path of an SVG, in a square of `size` modules, margin included. */
export function drawQr(text: string): { readonly size: number; readonly path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: quietZone });
  const runs = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1] === true) return []; // A run of modules is one rectangle, without seams.
      const end = row.indexOf(false, x);
      const width = (end < 0 ? size : end) - x;
      return [`M${x} ${y}h${width}v1h-${width}z`];
    }),
  );
  return { size, path: runs.join('') };
}

/**
 * A text, such as an address, as a QR code: dark on light in every theme, because many readers fail on the opposite. Shows nothing
 * if the text is too long for one. Belongs to scripts that load later: its encoder is not small.
 *
 * @param props.title A description of the code, for screen readers.
 */
export function QrCode({ text, title }: { text: string; title: string }): JSX.Element | null {
  if (new TextEncoder().encode(text).length > maxBytes) return null;
  const { size, path } = drawQr(text);
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" shape-rendering="crispEdges">
      <title>{title}</title>
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}
