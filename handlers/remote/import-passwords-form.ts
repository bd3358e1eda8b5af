// Password import: reads the reviewed passwords anew and stores them sealed, all in one transaction.
import * as v from 'valibot';
import { Problem } from '../../shared/ground/problems.ts';
import { visitAppliance } from '../../shared/vcf/remote/appliance-visit.ts';
import { type Draft, requireDraft, requireReviewed, updateDraft } from '../../shared/vcf/remote/draft.ts';
import type { Chosen } from '../../shared/vcf/remote/import/selection.ts';
import { storeImported } from '../../shared/vcf/remote/import/store-imported.ts';
import { IMPORT_TASK } from '../../shared/vcf/remote/wizard.ts';
import {
  decodeTexts,
  LOGIN,
  onwards,
  REVIEWED,
  readyToLogIn,
  refusalOf,
  TRUSTED,
  taskForm,
} from '../../shared/vcf/remote/wizard-operations.ts';
import type { ApplianceRole } from '../../shared/vcf/vcf-api/appliance.ts';
import type { ReadValues } from '../../shared/vcf/vcf-api/read-credentials.ts';

const body = v.strictObject({ ...TRUSTED, ...LOGIN, ...REVIEWED });

type Read = { draft: Draft; chosen: Chosen; server: string } & (
  | { source: ApplianceRole; read: ReadValues }
  | { refuse: Problem }
);

export const operation = taskForm(
  IMPORT_TASK,
  {
    id: 'passwordImportForm',
    at: 'run',
    effect: 'immediate',
    summary: 'Import the reviewed passwords',
    description:
      'Changes application state immediately: the passwords are read anew, and stored sealed in one transaction. What changed on the appliance since it was shown is left out and told.',
    body,
    audit: ['vault.import', 'vault.create', 'vault.entry.use'],
    problems: ['trust_missing', 'certificate_changed', 'remote_login_refused', 'state_conflict', 'resource_not_found'],
    async prepare({ services, actor, request, body }): Promise<Read> {
      const ready = await readyToLogIn(IMPORT_TASK, { services, actor, request, body });
      const { server, credential } = ready;
      const draft = requireDraft(services, actor, IMPORT_TASK, body.draft, server);
      const { chosen } = draft;
      if (!chosen) throw new Problem('state_conflict', 'Nothing was chosen yet.');
      requireReviewed(IMPORT_TASK, draft, body.reviewed);
      const refs = chosen.picks.map(({ ref }) => ref);
      const { readCredentialValues } = await import('../../shared/vcf/vcf-api/read-credentials.ts');
      await services.checkpoint?.('import.login');
      try {
        const visit = { credential };
        return await visitAppliance(services, ready.trusted, visit, async (session, appliance, signal) => ({
          ...{ draft, chosen, server, source: appliance.role },
          read: await readCredentialValues(session, appliance, refs, signal),
        }));
      } catch (error) {
        return { draft, chosen, server, refuse: refusalOf(error) };
      } finally {
        await services.checkpoint?.('import.read');
      }
    },
    async run({ tx, services, actor, audit, afterCommit, prepared }) {
      const given = prepared as Read;
      const { draft, chosen, server } = given;
      if ('refuse' in given) {
        const detail = { vault: chosen.vault, server, refused: given.refuse.code };
        const about = { resource_type: 'vault', resource_id: chosen.vault_id };
        audit({ action: 'vault.import', ...about, outcome: 'failure', detail });
        return { refuse: given.refuse };
      }
      const { source, read } = given;
      const result = await storeImported(tx, { services, actor, audit }, { chosen, read, source, endpoint: server });
      await services.checkpoint?.('import.stored');
      // A second import of the same draft finds the vault that this one made.
      const done = { result, chosen: { ...chosen, vault_id: result.vault_id } };
      afterCommit(() => void updateDraft(services, draft, done));
      return { body: { vault_id: result.vault_id } };
    },
  },
  {
    secret: ['password'],
    decode: decodeTexts(body),
    done: (_answer, fields) => ({ location: onwards(IMPORT_TASK, fields, { step: 'done' }) }),
  },
);
