// What the console of the machine shows above its sign-in (agetty(8), issue files): the fingerprint of the root that the portal hands
// out over plain HTTP, for whoever compares it before trusting. No character of it means anything to agetty.
import { file, reads } from '../../host/unit-files.ts';

export const CONSOLE_FILE = '/etc/issue.d/groundcrew-root.issue';

const HEADING = 'Root certificate of the certificate authority, SHA-256:';
/** Two lines on a console of 80 columns. */
const HALF = 48;
const HALVES = /^ {2}(?:[0-9A-F]{2}:){15}[0-9A-F]{2}:?$/;

/** `sha256`: `AA:BB:…` */
export const consoleText = (sha256: string): string =>
  `${HEADING}\n  ${sha256.slice(0, HALF)}\n  ${sha256.slice(HALF)}\n\n`;

/** For host-files.ts: the file, of which each line is the heading or half a fingerprint. */
export const consoleFile = file(
  /^\/etc\/issue\.d\/groundcrew-root\.issue$/,
  reads(256),
  (line) => line === HEADING || HALVES.test(line),
);
