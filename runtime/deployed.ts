// One operation deployed alone, behind an API gateway: the same handler as on the appliance, with services of its own
// that are opened from the environment on the first call and kept for the next ones. The build wraps each handler in
// this; dist/handlers/<area>/<operation>.js exports the result as `handler`.
import type { Operation } from '../shared/kernel/operation/define-operation.ts';
import { type GatewayAnswer, type GatewayEvent, whole } from '../shared/kernel/operation/event.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { readConfig } from './config.ts';
import { openServices } from './services.ts';

let opened: Promise<Services> | undefined;

export function deployed(operation: Operation): (event: GatewayEvent) => Promise<GatewayAnswer> {
  return async (event) => {
    // Files of the data folder are for this user alone, as those that the service makes.
    if (!opened) process.umask(0o077);
    opened ??= openServices(readConfig()).catch((error: unknown) => {
      // The next call tries again: what was missing may be there by then.
      opened = undefined;
      throw error;
    });
    return whole(await operation.handler(complete(event), { services: await opened }));
  };
}

/** A gateway leaves out what a request does not have, and always speaks TLS to its caller. */
function complete(event: GatewayEvent): GatewayEvent {
  return {
    ...event,
    cookies: event.cookies ?? [],
    rawQueryString: event.rawQueryString ?? '',
    queryStringParameters: event.queryStringParameters ?? {},
    pathParameters: event.pathParameters ?? {},
    body: event.body ?? null,
    isBase64Encoded: event.isBase64Encoded === true,
    requestContext: { ...event.requestContext, secure: true },
  };
}
