// Variables of a host: values for the markers of its Kickstart, written one by one and never read back.
import * as v from 'valibot';
import { type FieldError, invalid, Problem } from '../../ground/problems.ts';
import { described } from '../../ground/schemas/component.ts';
import type { Draft, Kept, Shell } from '../../platform/units/collection.ts';
import { CONTROL_IN_VALUE, VALUE_MOST, VARIABLE_NAME } from './kickstart-text.ts';
import { CANNOT_BE_OPENED, openedOrNull, openVariables, sealVariables, type Variables } from './sealed-state.ts';

/** Variables of one host, at most. */
const VARIABLES_MOST = 100;

export const variablesMember = described(
  v.record(v.string(), v.nullable(v.string())),
  `Values for \`{{ var.<name> }}\` in the Kickstart, at most ${VARIABLES_MOST} of ${VALUE_MOST} characters. Only the named ones change; null removes one. Written and never read back.`,
);

interface Holder extends Kept {
  variable_names: readonly string[];
  variables_sealed: string;
  variables_digest: string;
}

/**
 * Merges the variables that were sent into the saved ones.
 * @throws Problem 422 naming the variable, never its value; 409 when saved variables that were not sent can't be
 * opened.
 */
export function sealedVariables(
  { variables: sent, ...draft }: Draft,
  id: string,
  before: Holder | null,
  shell: Shell,
): Draft {
  if (sent === undefined || !shell.keys) return draft;
  const named = sent as Readonly<Record<string, string | null>>;
  const errors = Object.entries(named).flatMap(([name, value]) => fault(name, value));
  if (errors.length > 0) throw invalid(...errors);
  const { keys } = shell;
  const saved = before ? openedOrNull(() => openVariables(keys, id, before.variables_sealed)) : {};
  const merged = new Map<string, string | null>([
    ...Object.entries(saved ?? refuseUnnamed(before, named)),
    ...Object.entries(named),
  ]);
  const kept = Object.fromEntries([...merged].flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
  if (Object.keys(kept).length > VARIABLES_MOST) {
    throw invalid({ pointer: '/variables', detail: `A host has at most ${VARIABLES_MOST} variables.` });
  }
  const columns = sealVariables({ ...shell, keys }, id, kept);
  const same = saved !== null && columns.variables_digest === (before?.variables_digest ?? '');
  return same ? draft : { ...draft, ...columns };
}

/** Saved variables that can't be opened can't be kept: all of them have to be sent. */
function refuseUnnamed(before: Holder | null, named: Readonly<Record<string, string | null>>): Variables {
  const unnamed = (before?.variable_names ?? []).filter((name) => !Object.hasOwn(named, name));
  if (unnamed.length === 0) return {};
  const detail = `What is saved ${CANNOT_BE_OPENED} Send ${unnamed.join(', ')} as well, each with a value or with none to remove it, or restore the keys file.`;
  throw new Problem('state_conflict', detail, { errors: [{ pointer: '/variables', detail }] });
}

function fault(name: string, value: string | null): FieldError[] {
  const pointer = `/variables/${name.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  if (!VARIABLE_NAME.test(name)) {
    return [{ pointer, detail: 'A name begins with a small letter; small letters, digits and underscores follow.' }];
  }
  if (value === null) return [];
  if (value === '') return [{ pointer, detail: 'A value is missing; null removes the variable.' }];
  if (value.length > VALUE_MOST) return [{ pointer, detail: `A value has at most ${VALUE_MOST} characters.` }];
  return CONTROL_IN_VALUE.test(value) ? [{ pointer, detail: 'A value must not hold control characters.' }] : [];
}
