// All requests of the root step. They have ids, names and addresses, never a path, a file or a program.
import * as v from 'valibot';
import { REVERT_CAUSES, WINDOW } from '../../shared/appliance/apply/window/record.ts';
import { QUESTIONS } from '../../shared/platform/host/system-questions.ts';
import { UNIT_IDS } from '../../shared/platform/unit-names.ts';

const plan_id = v.pipe(v.string(), v.regex(/^plan_[a-z0-9]{16}$/));
const unit = v.picklist(UNIT_IDS);
const name = v.pipe(v.string(), v.regex(/^[\x20-\x7e]{1,128}$/));
const address = v.pipe(v.string(), v.regex(/^[0-9a-fA-F.:%\w]{0,64}$/));
const timeout_seconds = v.pipe(v.number(), v.integer(), v.minValue(WINDOW.least), v.maxValue(WINDOW.most));
const ofUnit = <V extends string>(verb: V) => v.strictObject({ verb: v.literal(verb), plan_id, unit });

export const requestSchema = v.variant('verb', [
  ofUnit('keep'),
  ofUnit('swap'),
  ofUnit('activate'),
  ofUnit('probe'),
  ofUnit('restore'),
  v.strictObject({ verb: v.literal('forget'), plan_id }),
  v.strictObject({
    verb: v.literal('arm'),
    plan_id,
    nonce_sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
    units: v.pipe(v.array(unit), v.minLength(1), v.maxLength(UNIT_IDS.length)),
    timeout_seconds,
    arrived_at: address,
    listeners: v.pipe(v.array(address), v.maxLength(256)),
  }),
  v.strictObject({ verb: v.literal('enforced'), plan_id }),
  v.strictObject({ verb: v.literal('extend'), plan_id, timeout_seconds }),
  v.strictObject({ verb: v.literal('confirm'), plan_id, nonce: v.pipe(v.string(), v.maxLength(256)), by: name }),
  v.strictObject({ verb: v.literal('end'), plan_id, by: name, cause: v.picklist(REVERT_CAUSES) }),
  v.strictObject({
    verb: v.literal('clear'),
    waiting: v.exactOptional(v.strictObject({ plan_id, reached: v.pipe(v.array(unit), v.maxLength(UNIT_IDS.length)) })),
    by: name,
  }),
  v.strictObject({ verb: v.literal('ask'), question: v.picklist(Object.keys(QUESTIONS)) }),
  v.strictObject({ verb: v.literal('key'), name: v.pipe(v.string(), v.regex(/^[a-z][a-z-]{0,31}$/)) }),
  v.strictObject({ verb: v.literal('check-filter'), content: v.pipe(v.string(), v.maxLength(2 << 20)) }),
]);
export type RootRequest = v.InferOutput<typeof requestSchema>;
export type UnitRequest = Extract<RootRequest, { unit: string }>;
