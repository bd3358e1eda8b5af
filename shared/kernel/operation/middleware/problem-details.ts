// Every refusal and failure of an operation becomes a problem document. An unexpected error is logged with its stack
// and without its cause: a parser's cause may hold the body.

import { Problem } from '../../../ground/problems.ts';
import { asProblem, problemAnswer } from '../problem-document.ts';
import type { Middleware } from '../request.ts';
import type { Services } from '../services.ts';

export const problemDetails: Middleware = {
  async onError(request) {
    const { context, event, error } = request;
    if (!(error instanceof Problem)) {
      context.services.logger.error('unexpected failure', {
        request_id: context.state.request_id,
        operation: context.state.spec.id,
        failure: { name: error?.name, message: error?.message, stack: error?.stack },
      });
    }
    const problem = await explained(asProblem(error), context.services);
    request.response = problemAnswer(problem, context.services, event, context.state.request_id);
    return undefined;
  },
};

/** A refusal because of a job that owns the target also says whom that job waits for. */
async function explained(problem: Problem, { waits }: Services): Promise<Problem> {
  const owner = problem.code === 'mutation_locked' ? problem.members.owner : undefined;
  return (owner && (await waits(owner))) ?? problem;
}
