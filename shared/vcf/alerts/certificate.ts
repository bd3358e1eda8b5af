// The certificate of a receiver: looked at, compared by a person, and confirmed. Nothing is sent before that.
import { Problem } from '../../ground/problems.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { certificateChanged } from '../connection/faults.ts';
import type { Observation, ReachOptions } from '../connection/reach.ts';
import { type Looked, look, lookEvent } from '../connection/recorded-look.ts';
import { serverText } from '../connection/target.ts';
import { type Receiver, serverOf } from './receiver.ts';
import { mailName } from './senders/mail.ts';
import { upToTls } from './senders/smtp.ts';

/** Milliseconds for all of a look. */
const LOOK_MS = 15_000;

export interface LookedAt {
  receiver: Receiver;
  looked: Looked;
}

/** @throws Problem 429 */
export async function lookAt(services: Services, actor: Actor, receiver: Receiver): Promise<LookedAt> {
  const signal = AbortSignal.timeout(LOOK_MS);
  const options: ReachOptions = { signal, protocols: receiver.kind === 'webhook' ? ['http/1.1'] : [] };
  if (receiver.kind === 'mail' && receiver.place.security === 'starttls') {
    const own_name = mailName(services.settings.hostname);
    options.begin = (address, server) => upToTls({ address, server, signal }, own_name);
  }
  try {
    return { receiver, looked: await look(services, actor, serverOf(receiver), options) };
  } catch (error) {
    if (!signal.aborted || error instanceof Problem) throw error;
    const detail = `${serverText(serverOf(receiver))} did not finish within ${LOOK_MS / 1000} seconds. Check the server.`;
    return { receiver, looked: { refuse: new Problem('remote_timeout', detail) } };
  }
}

export const eventOf = ({ receiver, looked }: LookedAt) => lookEvent('alerts', serverOf(receiver), looked);

export const shown = ({ sha256 }: Receiver, { certificate, ...seen }: Observation) => ({
  server: serverText(seen),
  address: seen.address,
  sha256: certificate.sha256,
  subject: certificate.subject,
  valid_until: certificate.valid_until,
  confirmed: certificate.sha256 === sha256,
});

/** Why it is not confirmed: it was not seen, or the server shows another one than was compared. */
export function refusalOf(looked: Looked, compared: string): Problem {
  if ('refuse' in looked) return looked.refuse;
  return certificateChanged(looked.seen, compared, looked.seen.certificate.sha256);
}
