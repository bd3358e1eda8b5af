// The plane of booting machines: plain HTTP, GET only, and one answer to everything that is refused, so that a machine
// learns nothing from a refusal, whatever it was.
import type { Operation } from '../shared/operation/define-operation.ts';
import type { GatewayAnswer, GatewayEvent } from '../shared/operation/event.ts';
import type { Services } from '../shared/operation/services.ts';
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
    if (event.requestContext.http.method !== 'GET') return refusal();
    const { answer } = await router.route(event, services);
    return answer.statusCode < 400 ? answer : refusal();
  };
}
