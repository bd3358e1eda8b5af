// The direct applies of the earlier contract, one for each service. They keep their addresses, lock and scope, look at
// what is saved, and say what the reviewed apply would do; they enforce nothing, since nothing was reviewed.
import { defineOperation, type Operation } from '../../kernel/operation/define-operation.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { type Foreseen, foresee, foreseenSchema, PLANS_PATH, REVIEW_PAGE } from './foresee.ts';

/** 2026-01-01T00:00:00Z */
const SINCE = 1_767_225_600;

/** `POST /api/v1/<resource>/apply`, audited as `<resource>.legacy_apply`. */
export function legacyApply(resource: 'dns' | 'dhcp' | 'firewall', tag: string, unit: UnitId): Operation {
  const action = `${resource}.legacy_apply`;
  return defineOperation({
    id: `${resource}LegacyApply`,
    method: 'POST',
    path: `/api/v1/${resource}/apply`,
    access: { scope: `write:${resource}` },
    effect: 'immediate',
    legacy: { since: SINCE, page: REVIEW_PAGE, successor: PLANS_PATH },
    tag,
    summary: 'Say what an apply would do',
    description: `Validates the saved state and answers what the reviewed apply would do; the host stays as it is. Never applies: the answer always has \`applied: false\`, \`reloaded: false\` and \`dry_run: true\`, and its \`warnings\` lead to the review at ${REVIEW_PAGE} and to POST ${PLANS_PATH}. Changes application state immediately: only an audit event is written.`,
    answers: { 200: { description: 'What an apply would do.', schema: foreseenSchema } },
    problems: ['host_refused'],
    audit: [action],
    prepare: ({ services, request }) => foresee(services, unit, request.source_address),
    async run({ prepared, audit }) {
      const foreseen = prepared as Foreseen;
      const { valid, changed } = foreseen;
      audit({ action, resource_type: 'unit', resource_id: unit, detail: { valid, changed } });
      return { body: foreseen };
    },
  });
}
