// Puts a plan back at once when its apply is cancelled within an open window, whether or not the job that waits for it is
// alive. That it is to be cancelled stands in the database already, so nothing is lost when this process ends meanwhile.
import type { Services } from '../../../kernel/operation/services.ts';
import { enforcementOf } from '../enforcement-of.ts';
import type { Plan } from '../plan.ts';

/** The answer goes over the way that is about to be taken back. Milliseconds. */
const FLUSH = 100;

export function revertSoon(services: Services, { id, window }: Pick<Plan, 'id' | 'window'>, by: string): void {
  if (window === null) return;
  setTimeout(() => {
    void enforcementOf(services)
      .window.end(id, by, 'cancelled')
      .then(
        () => services.notify('jobs'),
        (error: Error) =>
          services.logger.error('a cancelled plan could not be rolled back at once; its job tries again', {
            failure: { message: error.message },
          }),
      );
  }, FLUSH);
}
