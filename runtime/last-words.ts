// An uncaught error ends the process, since other parts of it may be in any state. The log has the reason, and systemd
// (Restart=always) starts the service again.
import type { Services } from '../shared/kernel/operation/services.ts';

/** Anything but 0 and the signals that mean a wanted stop. */
const EXIT_CODE = 1;

export function endWithLastWords({ logger }: Pick<Services, 'logger'>): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (reason: unknown) => {
      const { name, message, stack } = reason instanceof Error ? reason : new Error(typeof reason);
      try {
        // Written at once, be it a file, a pipe or the journal: nothing is left to wait for.
        logger.critical('the service ends', { event, failure: { name, message, stack } });
      } finally {
        process.exit(EXIT_CODE);
      }
    });
  }
}
