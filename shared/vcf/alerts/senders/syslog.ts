// Syslog over TLS: RFC 5424 in the frames of RFC 5425. The certificate is the one that was confirmed (RFC 5425, 4.2.1, asks
// for fingerprints). There is no acknowledgement: that the other side ends the connection in good order is the nearest to one.
import { Problem } from '../../../ground/problems.ts';
import { connectionFault, tooLate } from '../../connection/faults.ts';
import { serverText } from '../../connection/target.ts';
import type { Message } from '../message.ts';
import type { FACILITIES, SyslogPlace } from '../receiver.ts';
import { pinned, type Way } from './dial.ts';

/** Milliseconds in which the other side ends the connection. */
const CLOSE_MS = 5000;

const FACILITY: Readonly<Record<(typeof FACILITIES)[number], number>> = {
  daemon: 3,
  ...(Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7].map((n) => [`local${n}`, 16 + n])) as Record<string, number>),
} as Record<(typeof FACILITIES)[number], number>;

const severityOf = ({ event, alert }: Message): number => {
  if (event === 'test') return 6;
  if (event === 'closed') return 5;
  return alert.severity === 'critical' ? 2 : 4;
};

/** PRINTUSASCII of at most so many; `-` where nothing is left. */
const word = (text: string, most: number): string => text.replace(/[^\x21-\x7e]/g, '').slice(0, most) || '-';
const quoted = (text: string): string => `"${text.replace(/[\p{Cc}]/gu, ' ').replace(/["\\]/g, '\\$&')}"`;

/**
 * One message without its frame. Facts stand in the text, as key and value: structured data of our own would need an enterprise
 * number, which we do not have. A text beyond ASCII begins with the BOM that 6.4 asks for. Pure.
 */
export function syslogLine({ facility }: SyslogPlace, { id, message }: { id: string; message: Message }): string {
  const { event, at, appliance, alert } = message;
  const priority = FACILITY[facility] * 8 + severityOf(message);
  const facts = {
    ...{ event, severity: alert.severity, condition: alert.condition },
    ...{ subject: quoted(alert.subject), alert: alert.id, delivery: id, says: quoted(alert.says) },
  };
  const text = Object.entries(facts)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
  const mark = /^[\x20-\x7e]*$/.test(text) ? '' : '\ufeff';
  return `<${priority}>1 ${at} ${word(appliance, 255)} groundcrew - ${word(alert.condition, 32)} - ${mark}${text}`;
}

/** `MSG-LEN SP SYSLOG-MSG`; the length is in bytes (RFC 5425, 4.3). Pure. */
export function framed(line: string): Buffer {
  const bytes = Buffer.from(line, 'utf8');
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes]);
}

/** @throws Problem 409 */
export async function sendSyslog(
  way: Way,
  { place, sha256 }: { place: SyslogPlace; sha256: string },
  sent: { id: string; message: Message },
): Promise<string> {
  const socket = await pinned(way, sha256);
  const { server, signal } = way;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const aborted = () => reject(signal.reason);
  const timer = setTimeout(() => reject(tooLate(server, 'answer', CLOSE_MS)), CLOSE_MS);
  signal.addEventListener('abort', aborted, { once: true });
  socket
    .on('error', (error) => reject(connectionFault(error, server, 'answer')))
    .on('close', (failed) => {
      if (failed) reject(new Problem('remote_unreachable', `${serverText(server)} broke the connection off.`));
      else resolve();
    })
    // What it says is not for us; without a reader the end would not be seen.
    .resume()
    .end(framed(syslogLine(place, sent)));
  try {
    await promise;
    return '';
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', aborted);
    socket.destroy();
  }
}
