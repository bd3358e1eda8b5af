// The plane of booting machines: plain HTTP, GET only, and one answer to everything that is refused, so that a machine
// learns nothing from a refusal, whatever it was.

import type { Operation } from '../shared/kernel/operation/define-operation.ts';
import type { GatewayAnswer, GatewayEvent } from '../shared/kernel/operation/event.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { appliedNow } from '../shared/services/network-boot/boot/retrieve.ts';
import { createRouter } from './router.ts';

/** The same bytes each time, without a word of why. */
export const refusal = (): GatewayAnswer => ({
  statusCode: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'Not found\n',
});

/** Answers events of the boot listener; a status of 400 or more becomes the refusal. */
export function bootPlane(
  operations: readonly Operation[],
  services: Services,
): (event: GatewayEvent) => Promise<GatewayAnswer> {
  const router = createRouter(operations, ['boot']);
  return async (event) => {
    // HEAD and OPTIONS never reach an operation: what a GET consumes, they must not.
    if (event.requestContext.http.method !== 'GET' || bringsBody(event)) return refusal();
    const { answer } = await router.route(await atItsListener(event, services), services);
    return answer.statusCode < 400 ? answer : refusal();
  };
}

/**
 * No machine that boots sends one. A body that can't be read ends the connection while the request is answered: a
 * Kickstart would be consumed and nobody would get it.
 */
const bringsBody = ({ headers }: GatewayEvent): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** The listener is where a request arrived: one that names another applied listener in its Host is told as of its own. */
async function atItsListener(event: GatewayEvent, services: Services): Promise<GatewayEvent> {
  const local = event.requestContext.connection?.local_address;
  const listeners = local === undefined ? [] : ((await appliedNow(services))?.manifest.listeners ?? []);
  const own = listeners.find(({ address }) => address === local);
  const named = `http://${event.headers.host?.toLowerCase() ?? ''}`;
  if (!own || own.origin === named || !listeners.some(({ origin }) => origin === named)) return event;
  return { ...event, headers: { ...event.headers, host: new URL(own.origin).host } };
}
