// Tests only: the suite's inspector sees each answer of the API with its operation, and throws on one that the OpenAPI
// document does not describe.
import type { Middleware } from '../request.ts';

export const responseCheck: Middleware = {
  after({ context, response }) {
    const { inspectAnswer } = context.services;
    if (inspectAnswer && response && context.state.spec.plane === 'api') {
      inspectAnswer(
        context.state.spec.id,
        response.statusCode,
        isJson(response.headers) && response.body !== '' ? JSON.parse(response.body) : undefined,
      );
    }
    return undefined;
  },
};

const isJson = (headers: Record<string, string>): boolean => /\bjson\b/.test(headers['content-type'] ?? '');
