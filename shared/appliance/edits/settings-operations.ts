// The operations of a settings document, made from its definition: read it and change it.
import type { Transaction } from '../../ground/store/database.ts';
import type { Precondition } from '../../ground/store/revision.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { defineOperation, type Operation } from '../../kernel/operation/define-operation.ts';
import type { Shell } from '../../platform/units/collection.ts';
import type { AnySettings } from '../../platform/units/settings.ts';
import { settingsSchemas } from '../../platform/units/settings-schemas.ts';
import { readSettings, saveSettings } from '../../platform/units/settings-store.ts';
import { ENFORCED } from '../manifests.ts';
import { followServiceRecords } from './service-records.ts';

/** Whether an apply makes the document true on the host, for the words of operations and pages. */
export const isEnforced = ({ key }: AnySettings): boolean => ENFORCED.has(key);

/** What saving does, in one sentence. */
export function savingMeans(definition: AnySettings): string {
  return isEnforced(definition)
    ? 'Saves desired state only; the host follows at the next reviewed apply.'
    : `Saves desired state only; appliance apply does not enforce ${definition.name} yet.`;
}

/** `GET <path>/settings`. */
export function getSettings(definition: AnySettings): Operation {
  const { component, path, resource, tag, name } = definition;
  return defineOperation({
    id: `get${component}Settings`,
    method: 'GET',
    path: `${path}/settings`,
    access: { scope: `read:${resource}` },
    tag,
    summary: `Get the settings of ${name}`,
    description: `The saved settings of ${name}, or the defaults, with the entity tag that If-Match takes.`,
    answers: {
      200: {
        description: `The saved settings of ${definition.name}, or the defaults.`,
        schema: settingsSchemas(definition).answer,
        tagged: true,
      },
    },
    async run({ db }) {
      const { saved } = await readSettings(db, definition);
      return { body: saved, revision: saved.revision };
    },
  });
}

const KEEPS =
  'Omitted properties keep their value; values equal to the saved ones change nothing and keep the revision.';
const LISTENS = {
  required:
    'A service that is on listens on at least one interface. An interface that is newly chosen, or was chosen before the service is switched on, is present, enabled, in access mode and in use, and has an address, its own or by DHCP; a service that is off may name any interface that exists. The listen addresses are derived from the interfaces and cannot be sent.',
  optional:
    'It may be on without any interface. An interface that is newly chosen while it is on is present, enabled, in access mode and in use, and has an address, its own or by DHCP. The listen addresses are derived from the interfaces and cannot be sent.',
  no: '',
};
const NAMED =
  'If the host name is in a managed zone, the appliance itself keeps its address records while the service is on; a record of an operator with the same name is left alone, and then none is kept.';

/** `PATCH <path>/settings`: the members that are named. Audited as `<key>.settings.update` with the new values. */
export function updateSettings(definition: AnySettings): Operation {
  const { component, path, resource, tag, name, key, listens, describes } = definition;
  const { answer, update } = settingsSchemas(definition);
  const action = `${key}.settings.update`;
  const records = keepsRecords(definition) ? NAMED : '';
  const sentences = [savingMeans(definition), KEEPS, LISTENS[listens], records, describes];
  return defineOperation({
    id: `update${component}Settings`,
    method: 'PATCH',
    path: `${path}/settings`,
    access: { scope: `write:${resource}` },
    effect: 'desired-state',
    tag,
    summary: `Update the settings of ${name}`,
    description: sentences.filter(Boolean).join(' '),
    body: update,
    standIns: {},
    answers: { 200: { description: `The settings of ${definition.name} as saved now.`, schema: answer, tagged: true } },
    problems: ['revision_stale', 'malformed_precondition'],
    audit: [action],
    async run({ services, tx, actor, body, request, audit }) {
      const { saved, detail } = await editSettings(
        { tx, services, actor },
        definition,
        body as object,
        request.if_match,
      );
      audit({ action, resource_type: 'unit_settings', resource_id: key, detail });
      return { body: saved, revision: saved.revision };
    },
  });
}

/** The edit itself, and the detail of its audit event. @throws Problem as `saveSettings` */
export async function editSettings(
  { tx, services, actor }: { tx: Transaction; services: Shell; actor: Actor },
  definition: AnySettings,
  patch: object,
  if_match: Precondition,
) {
  const { saved, changed } = await saveSettings(tx, { ...services, actor }, definition, patch, if_match);
  if (keepsRecords(definition)) await followName(tx, services, definition, changed);
  const values = Object.entries(saved).filter(([member]) => changed.includes(member));
  return { saved, changed, detail: { changed, ...Object.fromEntries(values) } };
}

const keepsRecords = (definition: AnySettings): boolean =>
  (definition.listens !== 'no' || definition.keeps_records === true) && hostMember(definition) !== undefined;

/** The member that holds the service's host name. */
const hostMember = ({ schema }: AnySettings): string | undefined =>
  ['hostname', 'portal_hostname'].find((member) => member in schema.entries);

/** The records that the appliance keeps for the service follow what they are made from. */
async function followName(tx: Transaction, shell: Shell, definition: AnySettings, changed: string[]): Promise<void> {
  const sources = ['enabled', 'listen_addresses', hostMember(definition)];
  if (changed.some((member) => sources.includes(member))) await followServiceRecords(tx, shell);
}
