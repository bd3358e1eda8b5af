// Lists boot attempts.
import * as v from 'valibot';
import { parseMac } from '../../shared/ground/addresses/mac-address.ts';
import { PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { ATTEMPT_STATES } from '../../shared/services/network-boot/boot/attempt.ts';
import { listAttempts } from '../../shared/services/network-boot/boot/attempt-store.ts';
import { now } from '../../shared/services/network-boot/boot/context.ts';
import { attemptListSchema, attemptView } from '../../shared/services/network-boot/boot/schemas.ts';

const only = (what: string) => v.optional(v.pipe(v.string(), v.maxLength(64), v.description(what)));

export const operation = defineOperation({
  id: 'listBootAttempts',
  method: 'GET',
  path: '/api/v1/network-boot/attempts',
  access: { scope: 'read:pxe' },
  tag: 'Network boot',
  summary: 'List boot attempts',
  description:
    'Newest first. Codes are on the consoles and nowhere else. Ended attempts are kept for 30 days. The filter of states goes by what is stored: an attempt that has just run out is expired within a few seconds.',
  query: v.strictObject({
    host_id: only('Only attempts of this host.'),
    mac_address: only('Only attempts of this machine.'),
    state: v.optional(v.pipe(v.picklist(ATTEMPT_STATES), v.description('Only attempts in this state.'))),
    ...PAGE_QUERY,
  }),
  answers: { 200: { description: 'A page of the list; `next_cursor` leads to the next.', schema: attemptListSchema } },
  problems: ['invalid_cursor'],
  async run({ services, db, query: { limit, mac_address, ...query } }) {
    const mac = mac_address === undefined ? undefined : (parseMac(mac_address) ?? mac_address);
    const page = await listAttempts(db, { ...query, mac_address: mac, limit: pageLimit(limit) });
    const moment = now(services);
    return { body: { ...page, items: page.items.map((attempt) => attemptView(attempt, moment)) } };
  },
});
