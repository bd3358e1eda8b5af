// Sends what is queued. Each receiver has a worker of its own, so that one that hangs keeps nobody waiting: no other receiver,
// no apply, and not the clock that calls this.
import { Problem } from '../../ground/problems.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { contentOf, dueReceivers, nextMessage, noteFailed, noteSent, type Queued } from './queue.ts';
import { findReceiver } from './receiver-store.ts';
import { send } from './send.ts';

/** Receiver → its work, by store: each appliance of a test has its own. */
const working = new WeakMap<object, Map<string, Promise<void>>>();

function workOf({ store }: Pick<Services, 'store'>): Map<string, Promise<void>> {
  const own = working.get(store) ?? new Map<string, Promise<void>>();
  working.set(store, own);
  return own;
}

/** Begins with every receiver that has something due and is not at work; does not wait for any of them. */
export async function beginDeliveries(services: Services): Promise<void> {
  const own = workOf(services);
  for (const id of await dueReceivers(services.store, services.clock.now())) {
    if (own.has(id)) continue;
    const work = deliverAll(services, id)
      .catch((error: Error) => {
        // The store may be closed meanwhile: then the message stays queued.
        services.logger.warn('alerts could not be sent', { receiver_id: id, failure: { name: error.name } });
      })
      .finally(() => own.delete(id));
    own.set(id, work);
  }
}

/** Until nothing is on its way: for tests, and for whoever stops in good order. */
export async function deliveriesSettled(services: Pick<Services, 'store'>): Promise<void> {
  await Promise.all(workOf(services).values());
}

/** In order, until nothing is due. One that fails keeps the later ones of this receiver waiting. */
async function deliverAll(services: Services, id: string): Promise<void> {
  for (;;) {
    const message = await nextMessage(services.store, id, services.clock.now());
    if (!message || !(await deliver(services, message))) return;
  }
}

/** Answers whether the next one may be tried. */
async function deliver(services: Services, queued: Queued): Promise<boolean> {
  const { store, clock, logger } = services;
  const { id, receiver_id, alert_id, event } = queued;
  try {
    const receiver = await findReceiver(store, receiver_id);
    if (!receiver.enabled) return false;
    const note = await send(services, receiver, { id, message: contentOf(queued), now: clock.now() });
    await store.write((tx) => noteSent(tx, queued, clock.now(), note));
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'resource_not_found') return false;
    const reason = wordsOf(services, receiver_id, error);
    const dead = await store.write((tx) => noteFailed(tx, queued, clock.now(), reason));
    if (dead) logger.error('an alert was given up', { receiver_id, message_id: id, alert_id, event });
    return dead;
  }
}

/** Nothing of an error that was not foreseen is shown: it may carry what was sent. */
function wordsOf({ logger }: Services, receiver_id: string, error: unknown): string {
  if (error instanceof Problem) return error.message;
  const { name, code } = error as NodeJS.ErrnoException;
  logger.error('sending an alert failed', { receiver_id, failure: { name, code } });
  return 'It failed unexpectedly. The log of the service says more.';
}
