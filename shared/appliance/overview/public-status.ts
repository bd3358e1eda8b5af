// Whether the services that are offered at the interface that was called answer: as they did when they were last asked.
import * as v from 'valibot';
import { instant } from '../../ground/clock.ts';
import { component, described, instantSchema } from '../../ground/schemas/component.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { unitStandings } from '../apply/drift-store.ts';
import type { CalledAt } from './called-at.ts';
import { offeredAt, SERVICE_KEYS, type ServiceKey } from './public-services.ts';

export const ANSWERS = ['yes', 'no', 'not_asked'] as const;

export const publicStatusSchema = component(
  'PublicStatus',
  v.object({
    at: instantSchema,
    services: described(
      v.array(
        v.object({
          service: described(v.picklist(SERVICE_KEYS), 'What is offered.'),
          answers: described(
            v.picklist(ANSWERS),
            'Whether it answered when it was last asked; `not_asked`: not since it was put in force.',
          ),
          asked_at: described(v.nullable(v.string()), 'When it was asked: RFC 3339 in UTC.'),
        }),
      ),
      'Services in force at the interface that was called, and no others.',
    ),
  }),
);

export interface ServiceStatus {
  service: ServiceKey;
  answers: (typeof ANSWERS)[number];
  asked_at: string | null;
}

export async function publicStatus(
  services: Services,
  called: CalledAt,
): Promise<{ at: string; services: ServiceStatus[] }> {
  const offered = await offeredAt(services, called);
  const standings = offered.length === 0 ? null : await unitStandings(services.store);
  return {
    at: instant(services.clock.now()),
    services: offered.map(({ service, unit }) => {
      const probe = standings?.get(unit)?.probe ?? null;
      const answers = probe === null ? 'not_asked' : probe.ok ? 'yes' : 'no';
      return { service, answers, asked_at: probe?.asked_at ?? null };
    }),
  };
}
