// One line for each request: mutations and refusals at INFO, failures at ERROR, successful reads at DEBUG (there are
// many and they change nothing). Never a body, a query, a header or a path parameter's secret: the path template says
// which operation ran.
import type { Middleware, OperationRequest } from '../request.ts';

export const log: Middleware = {
  after(request) {
    logRequest(request);
    return undefined;
  },
  onError(request) {
    logRequest(request);
    return undefined;
  },
};

/** Also called for a replayed answer, which skips `after`. */
export function logRequest({ event, context, response }: OperationRequest): void {
  const { state, services } = context;
  const status = response?.statusCode ?? 500;
  const level = status >= 500 ? 'error' : state.spec.effect === 'read' && status < 400 ? 'debug' : 'info';
  const duration = performance.now() - state.started;
  services.traffic?.answered(state.spec.plane, status, duration);
  services.logger[level]('request', {
    request_id: state.request_id,
    operation: state.spec.id,
    method: event.requestContext.http.method,
    path: state.spec.path,
    status,
    duration_ms: Math.round(duration * 10) / 10,
    actor: state.actor.name,
    source_address: event.requestContext.http.sourceIp,
  });
}
