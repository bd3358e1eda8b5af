// A QR code as inline SVG: no picture of it is stored or fetched. Dark on light in both themes, as scanners want it.
import { encode } from 'uqr';

/** Modules of the quiet zone on each side (ISO/IEC 18004 asks for four). */
const QUIET = 4;

/** One path for all dark modules: a rectangle for each run of a row. */
export function qrPath(text: string): { side: number; path: string } {
  const { data, size } = encode(text, { border: 0, ecc: 'M' });
  const runs: string[] = [];
  for (const [y, row] of data.entries()) {
    for (let x = 0; x < size; x++) {
      const from = x;
      while (x < size && row[x]) x++;
      if (x > from) runs.push(`M${from + QUIET} ${y + QUIET}h${x - from}v1h-${x - from}z`);
    }
  }
  return { side: size + 2 * QUIET, path: runs.join('') };
}

/** `label`: what it is for; what it says is beside it as text. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { side, path } = qrPath(text);
  return (
    <svg class="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
