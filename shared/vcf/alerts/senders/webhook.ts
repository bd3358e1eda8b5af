// A webhook: one POST of JSON, signed. A redirect is an answer like any other: it is not followed.
import { createHmac } from 'node:crypto';
import { Problem } from '../../../ground/problems.ts';
import { pinnedClient } from '../../connection/pinned-client.ts';
import { serverText } from '../../connection/target.ts';
import type { Message } from '../message.ts';
import type { WebhookPlace } from '../receiver.ts';
import type { Way } from './dial.ts';

/** Bytes of an answer that are read; nothing of it is looked at or kept. */
const ANSWER_MOST = 64 * 1024;

/**
 * Over the timestamp, a dot and the body as they are sent: `v1=` and hexadecimal. The timestamp lets the receiver refuse what
 * somebody recorded and sends again.
 */
export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

/** `id`: the same whenever it is tried again, so that a receiver can tell. @throws Problem 409 */
export async function sendWebhook(
  way: Way,
  { place, sha256, secret }: { place: WebhookPlace; sha256: string; secret: string },
  { id, message, now }: { id: string; message: Message; now: Date },
): Promise<string> {
  const body = JSON.stringify({ id, ...message });
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const client = pinnedClient({ ...way.server, address: way.address, sha256, timeout: 15_000 });
  try {
    const { status } = await client.request({
      method: 'POST',
      path: place.path,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Groundcrew',
        'x-groundcrew-delivery': id,
        'x-groundcrew-timestamp': timestamp,
        'x-groundcrew-signature': signatureOf(secret, timestamp, body),
      },
      body,
      limit: ANSWER_MOST,
      signal: way.signal,
    });
    if (status >= 200 && status < 300) return '';
    const why = status >= 300 && status < 400 ? ': a redirect, which is not followed' : '';
    throw new Problem('remote_refused', `${serverText(way.server)} answered ${status}${why}.`);
  } finally {
    client.close();
  }
}
