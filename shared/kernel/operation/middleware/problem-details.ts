// Every refusal and failure of an operation becomes a problem document. An unexpected error is logged with its stack
// and without its cause: a parser's cause may hold the body.

import { Problem } from '../../../ground/problems.ts';
import { asProblem, problemAnswer } from '../problem-document.ts';
import type { Middleware } from '../request.ts';

export const problemDetails: Middleware = {
  onError(request) {
    const { context, event, error } = request;
    if (!(error instanceof Problem)) {
      context.services.logger.error('unexpected failure', {
        request_id: context.state.request_id,
        operation: context.state.spec.id,
        failure: { name: error?.name, message: error?.message, stack: error?.stack },
      });
    }
    request.response = problemAnswer(asProblem(error), context.services, event, context.state.request_id);
    return undefined;
  },
};
