// Shows a value to a user who entered the own password again. The audit event is committed before the value is sent; the
// answer is not stored.

import * as v from 'valibot';
import { instant } from '../../shared/ground/clock.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { confirmPassword } from '../../shared/platform/vaults/reveal.ts';
import { entryParams } from '../../shared/platform/vaults/schemas.ts';
import { useEntryIn } from '../../shared/platform/vaults/use.ts';

const ENTRY = pageRoute('vault-entry');

export const operation = defineForm(
  {
    id: 'revealVaultEntryForm',
    path: `${ENTRY}/reveal`,
    access: { session: 'read:vaults' },
    effect: 'immediate',
    tag: 'Vaults',
    summary: 'Show the value of an entry',
    description: 'Changes nothing but when the entry was last used.',
    params: entryParams,
    body: v.strictObject({ password: v.pipe(v.string(), v.maxLength(1024)) }),
    problems: ['resource_not_found', 'state_conflict', 'vault_value_unreadable', 'too_many_attempts'],
    audit: ['vault.entry.reveal'],
    // It changes nothing that is applied.
    guarded: false,
    async prepare({ services, actor, request, params, body }) {
      const { id: request_id, source_address, now } = request;
      await confirmPassword(services, { at: instant(now), actor, request_id, source_address }, params, body.password);
    },
    async run({ tx, services, actor, params, audit }) {
      const used = await useEntryIn(tx, services, { actor, record: audit }, params, 'reveal');
      if ('refuse' in used) return used;
      return { body: { key: used.key, value: used.value } };
    },
  },
  {
    page: `${ENTRY}/reveal`,
    secret: ['password'],
    decode: (fields) => ({ password: fields.values.get('password') ?? '' }),
    done: (_answer, _fields, { vault_id, entry_id }) => ({
      location: pagePath('vault-entry', vault_id!, entry_id!),
    }),
    shows: true,
  },
);
