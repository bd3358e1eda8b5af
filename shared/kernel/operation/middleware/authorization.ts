// Checks the scope of the token, or of the session's role. It needs only the headers, so a refused caller's body is never
// read.

import { Problem } from '../../../ground/problems.ts';
import { missingScope } from '../../access/missing-scope.ts';
import type { Scope } from '../../access/scopes.ts';
import type { Middleware, OperationRequest } from '../request.ts';

export const authorization: Middleware = {
  before(request) {
    const { spec } = request.context.state;
    if (spec.plane === 'boot') refuseOtherMethods(request);
    if (spec.access === 'public') return undefined;
    const scope = 'scope' in spec.access ? spec.access.scope : spec.access.session;
    if (scope !== 'any') requireScope(request, scope);
    return undefined;
  },
};

/** The router answers HEAD like GET. A boot loader's GET changes state; a HEAD must not. */
function refuseOtherMethods({ event, context }: OperationRequest): void {
  if (event.requestContext.http.method === context.state.spec.method) return;
  throw new Problem('route_not_found', 'Nothing answers at this path.');
}

function requireScope({ context }: OperationRequest, scope: Scope): void {
  const { actor } = context.state;
  if (actor.scopes.has(scope)) return;
  throw missingScope(actor, scope);
}
