// What is in force of a unit, for pages that a guest asks for: without all that makes a plan of it.
import type { Services } from '../../kernel/operation/services.ts';
import { type Baseline, loadBaseline } from '../../platform/applied/baseline.ts';

/** Null where its file is missing or damaged: then nothing of it is offered. */
export async function baselineInForce(
  { settings, logger }: Pick<Services, 'settings' | 'logger'>,
  digest: string,
): Promise<Baseline | null> {
  try {
    return await loadBaseline(settings.data, digest);
  } catch (error) {
    logger.warn('a baseline can not be read; guests are offered nothing of it', {
      failure: { message: (error as Error).message },
    });
    return null;
  }
}
