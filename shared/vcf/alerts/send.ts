// One message to one receiver, whatever its kind; and the one test of it. Each is bounded in time.
import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import type { Message } from './message.ts';
import { testMessage } from './message.ts';
import { soundPlace } from './place-members.ts';
import { type Receiver, serverOf } from './receiver.ts';
import { receiverSecret } from './receiver-store.ts';
import { type SendShell, wayTo } from './senders/dial.ts';

/** Milliseconds that one message takes at most. */
export const SEND_MS = 20_000;

export interface Sent {
  id: string;
  message: Message;
  now: Date;
}

/** Answers what was not done all the same; empty: nothing. @throws Problem 409 */
export async function send(shell: SendShell, receiver: Receiver, sent: Sent): Promise<string> {
  const { kind, name, sha256 } = receiver;
  if (sha256 === null)
    throw new Problem(
      'trust_missing',
      `The certificate of the receiver ${name} is not confirmed. Look at it and confirm it first.`,
    );
  const signal = AbortSignal.timeout(SEND_MS);
  try {
    const way = await wayTo(shell, serverOf(receiver), signal);
    const secret = kind === 'syslog' ? null : await receiverSecret(shell.store, shell, receiver);
    if (kind === 'webhook') {
      if (secret === null)
        throw new Problem(
          'remote_credential_gone',
          `The receiver ${name} has no signing secret for this server. Make one.`,
        );
      const { sendWebhook } = await import('./senders/webhook.ts');
      return await sendWebhook(way, { place: soundPlace(kind, receiver.place), sha256, secret }, sent);
    }
    if (kind === 'mail') {
      const place = soundPlace(kind, receiver.place);
      if (place.username !== '' && secret === null)
        throw new Problem('remote_credential_gone', `The receiver ${name} has no password for this server. Enter it.`);
      const { sendMail } = await import('./senders/mail.ts');
      return await sendMail(way, { place, sha256, password: secret }, sent);
    }
    const { sendSyslog } = await import('./senders/syslog.ts');
    return await sendSyslog(way, { place: soundPlace(kind, receiver.place), sha256 }, sent);
  } catch (error) {
    if (!signal.aborted || error instanceof Problem) throw error;
    throw new Problem(
      'remote_timeout',
      `The receiver ${name} did not finish within ${SEND_MS / 1000} seconds. Check the server.`,
    );
  }
}

/** @throws Problem 409 with what really went wrong */
export async function sendTest(
  shell: SendShell,
  receiver: Receiver,
  id: string,
): Promise<{ sent_at: string; note: string }> {
  const now = shell.clock.now();
  const note = await send(shell, receiver, { id, message: testMessage(shell.settings.hostname, now), now });
  return { sent_at: instant(shell.clock.now()), note };
}
