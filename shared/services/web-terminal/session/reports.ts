// What a terminal answers by itself when a program asks, as xterm's control sequences have it: place of the cursor, state and
// kind of the terminal (DSR, DA), modes (DECRPM), settings (DECRPSS, XTVERSION), colours (OSC), focus. Nobody typed it.

const CSI = String.raw`\x1b\[(?:[?>=]?[\d;]*[Rcn]|\??[\d;]*\$y|\?[\d;]*u|[\d;]*t|[IO])`;
const DCS = String.raw`\x1bP[^\x1b]*\x1b\\`;
const OSC = String.raw`\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)`;
const REPORTS = new RegExp(`^(?:${CSI}|${DCS}|${OSC})*$`);

const ESC = 0x1b;

/**
 * Whether a message of the page holds reports alone, or nothing. F3 with Shift is read as one: a key that is not counted
 * ends a terminal somewhat earlier, a report that is counted keeps it open for ever.
 */
export const isReport = (bytes: Buffer): boolean =>
  bytes.length === 0 || (bytes[0] === ESC && REPORTS.test(bytes.toString('latin1')));
