// Makes what somebody set on the host by hand the desired state.
import * as v from 'valibot';
import { adopt, type FoundAdoption, findAdoption } from '../../shared/appliance/apply/adopt.ts';
import { adoptedDrift } from '../../shared/appliance/apply/adopt-schemas.ts';
import type { Problem } from '../../shared/ground/problems.ts';
import { listed } from '../../shared/ground/schemas/component.ts';
import type { Actor } from '../../shared/kernel/access/actor.ts';
import { missingScope } from '../../shared/kernel/access/missing-scope.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { UNIT_IDS } from '../../shared/platform/unit-names.ts';

export const operation = defineOperation({
  id: 'adoptDrift',
  method: 'POST',
  path: '/api/v1/apply/drift/{unit}/adopt',
  access: { scope: 'write:apply' },
  effect: 'desired-state',
  tag: 'Apply',
  summary: 'Adopt what the host differs in',
  description:
    'Saves desired state only; the host follows at the next reviewed apply, which puts in force what it has already. The host is read again and, on each link that differs from what was applied, its address of each family, MTU, administrative state and default gateways become the saved values of the interface or VLAN, by the rules of an edit: all or nothing, and other units follow. Only the values that differ from those in force are named; what else is saved and not applied stays. Refused with 409, naming everything in the way: a link that is gone or has another VLAN number, addresses on a trunk, two addresses or default gateways of a family on one link, an address that DHCP or a router advertisement gave or that ends by itself, a default route on a VLAN, forwarding that was changed, and what an edit is refused for. Of the unit ldap, values of users and members of groups that were changed in slapd by hand become those of their rows, by the ordinary edit with its audit event, and users and groups that somebody added there become rows that keep their entryUUID; values of its password policy and of its configuration that are settings (failures, lockout, age, least length, history, whether a client may bind without TLS, the protocols and their ports) become those settings, by the ordinary edit of them; passwords, entries that are missing, and whatever is not kept here are left and named. Only the units network and ldap can be read back; of the others, and where only files were changed, nothing can be adopted. Of network it needs `write:interfaces` as well, and `write:vlans` where a VLAN differs; of ldap, `write:ldap`. Where what the host has is saved already nothing is written, and the lists are empty.',
  params: v.strictObject({
    unit: v.pipe(
      v.string(),
      v.maxLength(64),
      listed(UNIT_IDS),
      v.description('Id of the unit, as the drift report names it.'),
    ),
  }),
  answers: {
    200: {
      description: 'The interfaces and rows that took over values of the host, and what followed them.',
      schema: adoptedDrift,
    },
  },
  problems: [
    'resource_not_found',
    'state_conflict',
    'no_management_listener',
    'dependents_refuse',
    'insufficient_scope',
  ],
  audit: [
    'drift.adopt',
    'ldap.settings.update',
    'ldap.user.create',
    'ldap.user.update',
    'ldap.group.create',
    'ldap.group.update',
  ],
  async prepare({ services, params, actor }) {
    const needed = params.unit === 'ldap' ? 'write:ldap' : 'write:interfaces';
    if (!actor.scopes.has(needed)) throw alsoNeeds(actor, needed);
    return findAdoption(services, params.unit);
  },
  async run({ services, tx, prepared, actor, audit }) {
    const found = prepared as FoundAdoption;
    const saved = await adopt({ tx, services, actor, audit }, found);
    if (saved.interfaces.some(({ kind }) => kind === 'vlan') && !actor.scopes.has('write:vlans'))
      throw alsoNeeds(actor, 'write:vlans');
    const { id } = found.unit;
    audit({
      action: 'drift.adopt',
      resource_type: 'unit',
      resource_id: id,
      detail: {
        interfaces: saved.interfaces.map(({ name, changed }) => ({ name, changed })),
        refreshed_units: saved.refreshed_units,
        ...(saved.rows.length > 0 && { rows: saved.rows }),
      },
    });
    return { body: { unit: id, ...saved, left: [...found.left], files: found.files } };
  },
});

const alsoNeeds = (actor: Actor, scope: 'write:interfaces' | 'write:vlans' | 'write:ldap'): Problem =>
  missingScope(actor, scope, `Adopting this difference also needs ${scope}.`);
