// Lists the stored credentials that can be chosen for a login at a remote machine.
import * as v from 'valibot';
import { idParam, PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { listCredentials } from '../../shared/platform/vaults/credentials.ts';
import { credentialListSchema } from '../../shared/platform/vaults/schemas.ts';

export const operation = defineOperation({
  id: 'listVaultCredentials',
  method: 'GET',
  path: '/api/v1/vaults/{vault_id}/credentials',
  access: { scope: 'read:vaults' },
  tag: 'Vaults',
  summary: 'List the credentials of a vault for a login',
  description:
    'By key: one choice for each http or https URI of every entry that has a user name and a value. Two URIs of an entry are two choices; entries without one are not listed. A login is made with TLS only: `http://h` and `https://h` are two choices that dial the same machine at port 443, and `http://h:8080` is dialled with TLS at port 8080, which fails where nothing speaks TLS. Nothing is opened for it.',
  params: idParam('vault_id', 'Id of the vault.'),
  query: v.strictObject({
    ...PAGE_QUERY,
    search: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(255),
        v.description('Part of key, user name, URI or description, in any case, of any script.'),
      ),
    ),
  }),
  answers: {
    200: { description: 'A page of the choices, one for each URI of an entry.', schema: credentialListSchema },
  },
  problems: ['resource_not_found', 'invalid_cursor'],
  async run({ db, params, query }) {
    return { body: await listCredentials(db, params.vault_id, { ...query, limit: pageLimit(query.limit) }) };
  },
});
