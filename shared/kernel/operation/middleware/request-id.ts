// Takes the caller's X-Request-ID when it is harmless, else makes one.
import { newId } from '../../../ground/clock.ts';
import type { Middleware } from '../request.ts';

export const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

export const requestId: Middleware = {
  before({ event, context }) {
    const sent = event.headers['x-request-id'];
    context.state.request_id = sent && REQUEST_ID.test(sent) ? sent : newId('req', context.services.entropy);
    return undefined;
  },
};
