// Offline depot of another appliance: queues the reviewed configuration.
import * as v from 'valibot';
import { invalid, Problem } from '../../shared/ground/problems.ts';
import { jobSecrets } from '../../shared/kernel/jobs/secrets.ts';
import { requireDraft } from '../../shared/vcf/remote/draft.ts';
import {
  decodeTexts,
  LOGIN,
  REVIEWED,
  type Ready,
  readyToLogIn,
  TRUSTED,
  taskForm,
} from '../../shared/vcf/remote/wizard-operations.ts';
import { queueRemoteDepot, wantedOf } from '../../shared/vcf/remote-depot/input.ts';
import { depotReviewMark, differenceOf } from '../../shared/vcf/remote-depot/inspect.ts';
import {
  DEPOT_PASSWORD,
  depotPasswordFault,
  passwordEvent,
  requireDepot,
} from '../../shared/vcf/remote-depot/local.ts';
import { type DepotEndpoint, unconfirmed } from '../../shared/vcf/remote-depot/steps.ts';
import { DEPOT_TASK, taskHref } from '../../shared/vcf/remote-depot/task.ts';
import { depotText } from '../../shared/vcf/vcf-api/depot.ts';

const flag = v.optional(v.boolean(), false);
const texts = { ...TRUSTED, ...LOGIN, ...REVIEWED, ...DEPOT_PASSWORD };
const body = v.strictObject({ ...texts, replace: flag, rewrite: flag });

interface Checked {
  endpoint: DepotEndpoint;
  ready: Ready;
  fault: string | null;
}

export const operation = taskForm(
  DEPOT_TASK,
  {
    id: 'offlineDepotConfigureForm',
    at: 'configure',
    effect: 'queues-job',
    summary: 'Configure the offline depot on another appliance',
    description:
      'Queues a durable job that owns the appliance until it ended: another one for the same server is refused with 423 and told its id. The depot password is checked before anything is queued. Typed passwords are kept in the memory of the service until the job ends; a stored login is opened when the job logs in. Another depot is replaced only with `replace`. What is right already stays as it is, unless `rewrite` asks for it.',
    body,
    audit: ['remote.depot.queue', 'remote.depot.password'],
    problems: ['depot_unavailable', 'depot_replacement_unconfirmed', 'trust_missing', 'state_conflict'],
    async prepare({ services, actor, request, body }): Promise<Checked> {
      const endpoint = await requireDepot(services);
      const ready = await readyToLogIn(DEPOT_TASK, { services, actor, request, body });
      return { endpoint, ready, fault: await depotPasswordFault(services, endpoint.username, body.depot_password) };
    },
    async run({ tx, services, actor, audit, body, prepared }) {
      const { endpoint, ready, fault } = prepared as Checked;
      const { trusted, server, stored } = ready;
      const { depot } = requireDraft(services, actor, DEPOT_TASK, body.draft, server);
      if (!depot || depotReviewMark(depot, endpoint) !== body.reviewed) throw new Problem('state_conflict', CHANGED);
      if (fault !== null) {
        audit(passwordEvent(server, endpoint.username, false));
        return { refuse: invalid({ pointer: '/depot_password', detail: fault }) };
      }
      const { current } = depot;
      const other = current !== null && differenceOf(depot, endpoint) === 'other';
      if (other && !body.replace) throw unconfirmed(current, endpoint);
      const choice = stored && { vault_id: stored.vault_id, choice_id: stored.choice_id };
      const replace = other ? depotText(current) : null;
      const wanted = wantedOf(endpoint);
      const input = { target: trusted, stored: choice, wanted, replace, rewrite: body.rewrite };
      const job_id = await queueRemoteDepot(tx, services, input, actor.name);
      // Before the commit: afterwards the job may begin at any moment.
      const { username, password, depot_password } = body;
      jobSecrets(services).put(job_id, { depot_password, ...(!stored && { username, password }) });
      const detail = { server, ...wanted, replaces: replace, rewrite: body.rewrite };
      audit({ action: 'remote.depot.queue', resource_type: 'job', resource_id: job_id, detail });
      return { body: { job_id } };
    },
  },
  {
    secret: ['password', 'depot_password'],
    fetch: true,
    decode: (fields) => ({
      ...decodeTexts({ entries: texts })(fields),
      depot_password: fields.values.get('depot_password') ?? '',
      replace: fields.checked('replace'),
      rewrite: fields.checked('rewrite'),
    }),
    done: ({ body }) => ({
      location: taskHref((body as { job_id: string }).job_id),
      flash: 'The configuration is on its way. This page follows it.',
    }),
  },
);

const CHANGED =
  'What the appliance has, or the depot here, is not what this review showed. Nothing was done: look at it again.';
