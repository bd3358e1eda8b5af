// Checks that a page of this appliance sent the form: by the CSRF token in its body, and by Origin.

import { Problem } from '../../../ground/problems.ts';
import { equalInConstantTime } from '../../../ground/sealing/keys.ts';
import { unmasked } from '../../access/csrf-mask.ts';
import { isVisitorForm } from '../../access/visitor-form.ts';
import { baseUrl } from '../problem-document.ts';
import type { Middleware, OperationRequest } from '../request.ts';

export const forgery: Middleware = {
  before(request) {
    const { spec } = request.context.state;
    if (spec.plane !== 'api' && spec.effect !== 'read') refuseForgery(request);
    return undefined;
  },
};

/**
 * A browser names the site of the form in Origin. A foreign Origin is always refused. A form of a signed-in user also
 * needs the session's CSRF token.
 */
function refuseForgery(request: OperationRequest): void {
  const { event, context } = request;
  const { state } = context;
  const origin = event.headers.origin;
  if (origin !== undefined && !ownOrigins(request).includes(origin)) {
    throw new Problem('foreign_origin', 'This request was sent by a page of another origin.');
  }
  if (event.headers['sec-fetch-site'] === 'cross-site') {
    throw new Problem('foreign_origin', 'This request was sent by a page of another site.');
  }
  const expected = state.actor.csrf_token;
  const sent = state.form?.text('csrf') || event.headers['x-csrf-token'] || '';
  // There is no session before a sign-in. A caller that sends an Origin is a browser, and has the visitor's token.
  const ours =
    expected !== null
      ? equalInConstantTime(unmasked(sent, expected), expected)
      : origin === undefined || isVisitorForm(context.services.keys, state.cookies, sent);
  if (!ours) {
    throw new Problem('csrf_failed', 'The form does not belong to this session any more. Send it again from the page.');
  }
}

function ownOrigins({ event, context }: OperationRequest): string[] {
  const { base_url } = context.services.settings;
  const asked = baseUrl({ ...context.services, settings: { ...context.services.settings, base_url: '' } }, event);
  return base_url ? [base_url, asked] : [asked];
}
