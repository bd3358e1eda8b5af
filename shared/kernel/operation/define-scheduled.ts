// Work started by the clock: declared like an operation, called by the runtime's ticker with a scheduled event.
import type { Services } from './services.ts';

export interface ScheduledSpec {
  /** camelCase, unique. */
  id: string;
  /** Seconds between two calls. */
  every: number;
  description: string;
  run(services: Services, event: ScheduledEvent): Promise<void>;
}

/** The event as a cloud scheduler sends it, as far as the handlers look at it. */
export interface ScheduledEvent {
  source: 'groundcrew.ticker';
  id: string;
  time: string;
}

export interface Scheduled {
  spec: ScheduledSpec;
  /** Never throws: a failure is logged, and the next tick tries again. */
  handler(event: ScheduledEvent, context: { services: Services }): Promise<void>;
}

export function defineScheduled(spec: ScheduledSpec): Scheduled {
  return {
    spec,
    async handler(event, { services }) {
      try {
        await spec.run(services, event);
      } catch (error) {
        const { name, message, stack } = error as Error;
        services.logger.error('scheduled work failed', { scheduled: spec.id, failure: { name, message, stack } });
      }
    },
  };
}
