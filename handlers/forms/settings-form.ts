// The form of a settings page, made from the definition of its document.
import type * as v from 'valibot';
import { isEnforced } from '../../shared/appliance/edits/settings-operations.ts';
import { formOf, type Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { FormFields, FormSpec } from '../../shared/kernel/operation/operation.ts';
import type { AnySettings } from '../../shared/platform/units/settings.ts';

/**
 * The form of the settings page. Fields have the names of the members. A switch that is not sent is off and a list that
 * is not sent is empty, as browsers do it, so that a form shows all of those; texts and numbers that are not sent stay.
 * `differs` replaces parts of the form, such as where it leads.
 */
export function settingsForm(
  operation: Operation,
  definition: AnySettings,
  differs: Partial<FormSpec> = {},
): Operation {
  const { page } = definition;
  const flash = isEnforced(definition)
    ? 'The settings are saved. The host follows at the next apply.'
    : 'The settings are saved.';
  return formOf(operation, {
    path: page,
    decode: (fields) => decoded(definition, fields),
    done: () => ({ location: page, flash }),
    ...differs,
  });
}

type Read = (fields: FormFields, name: string) => unknown;

/** By the type of the member. A list is one text area, or a field for each item. */
const READS: Readonly<Record<string, Read>> = {
  boolean: (fields, name) => fields.checked(name),
  number: (fields, name) => fields.integer(name),
  array: (fields, name) => fields.all(name).flatMap((text) => text.split(/[\s,]+/).filter(Boolean)),
};

function decoded({ schema }: AnySettings, fields: FormFields): Record<string, unknown> {
  const members = Object.entries(schema.entries as Record<string, v.GenericSchema>);
  return Object.fromEntries(
    members.map(([name, { type }]) => [name, READS[type]?.(fields, name) ?? fields.optional(name)]),
  );
}
