// Offline depot of another appliance: the password of the depot's user, checked here before anything is decided. It is not
// kept: the form that queues the job brings it once more.
import * as v from 'valibot';
import { invalid } from '../../shared/ground/problems.ts';
import type { FormFields } from '../../shared/kernel/operation/operation.ts';
import { trustedTarget } from '../../shared/vcf/connection/reach.ts';
import { serverText } from '../../shared/vcf/connection/target.ts';
import { requireDraft, updateDraft } from '../../shared/vcf/remote/draft.ts';
import { decodeTexts, onwards, TRUSTED, taskForm } from '../../shared/vcf/remote/wizard-operations.ts';
import {
  DEPOT_PASSWORD,
  depotPasswordFault,
  passwordEvent,
  requireDepot,
} from '../../shared/vcf/remote-depot/local.ts';
import { DEPOT_TASK } from '../../shared/vcf/remote-depot/task.ts';

const body = v.strictObject({ ...TRUSTED, ...DEPOT_PASSWORD });

interface Checked {
  server: string;
  username: string;
  fault: string | null;
}

export const operation = taskForm(
  DEPOT_TASK,
  {
    id: 'offlineDepotPasswordForm',
    at: 'depot',
    effect: 'immediate',
    summary: 'Check the password of the depot’s user',
    description: 'Changes nothing and keeps nothing of the password. Each check is recorded with what came of it.',
    body,
    audit: ['remote.depot.password'],
    guarded: false,
    problems: ['depot_unavailable', 'trust_missing', 'state_conflict'],
    async prepare({ services, actor, body }): Promise<Checked> {
      const { username } = await requireDepot(services);
      const server = serverText(await trustedTarget(services, actor, body.trust));
      requireDraft(services, actor, DEPOT_TASK, body.draft, server);
      return { server, username, fault: await depotPasswordFault(services, username, body.depot_password) };
    },
    async run({ services, actor, audit, body, prepared }) {
      const { server, username, fault } = prepared as Checked;
      audit(passwordEvent(server, username, fault === null));
      if (fault !== null) return { refuse: invalid({ pointer: '/depot_password', detail: fault }) };
      const draft = requireDraft(services, actor, DEPOT_TASK, body.draft, server);
      if (draft.depot) updateDraft(services, draft, { depot: { ...draft.depot, checked: true } });
      return { body: { draft: draft.id } };
    },
  },
  {
    secret: ['depot_password'],
    decode: (fields: FormFields) => ({
      ...decodeTexts(body)(fields),
      depot_password: fields.values.get('depot_password') ?? '',
    }),
    done: (_answer, fields) => ({ location: onwards(DEPOT_TASK, fields, { step: 'review' }) }),
  },
);
