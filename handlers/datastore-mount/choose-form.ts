// Mounting on hosts: the datastore, by which text the hosts know the server, and the hosts. Kept for the review.
import * as v from 'valibot';
import { type MountableDatastore, mountableDatastores } from '../../shared/appliance/overview/mountable.ts';
import { type FieldError, invalid } from '../../shared/ground/problems.ts';
import { trustedTarget } from '../../shared/vcf/connection/reach.ts';
import { serverText } from '../../shared/vcf/connection/target.ts';
import { HOSTS_MOST } from '../../shared/vcf/datastore-mount/input.ts';
import { type ChosenMount, MOUNT_TASK } from '../../shared/vcf/datastore-mount/task.ts';
import { requireDraft, updateDraft } from '../../shared/vcf/remote/draft.ts';
import type { Place } from '../../shared/vcf/remote/wizard.ts';
import { decodeTexts, onwards, TRUSTED, taskForm } from '../../shared/vcf/remote/wizard-operations.ts';
import type { NasHost } from '../../shared/vcf/vsphere/nas-datastores.ts';

const TEXTS = {
  ...TRUSTED,
  /** Name of the datastore and text of the server, as one choice. */
  export: v.pipe(v.string(), v.maxLength(400)),
  action: v.picklist(['mount', 'unmount'], 'Choose what is to be done.'),
};
const body = v.strictObject({
  ...TEXTS,
  hosts: v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(500))),
    v.minLength(1, 'Choose at least one host.'),
    v.maxLength(HOSTS_MOST, `At most ${HOSTS_MOST} hosts at once.`),
  ),
});
type Body = v.InferOutput<typeof body>;

/** @throws Problem 422 */
function chosenOf({ export: wanted, action, hosts }: Body, all: MountableDatastore[], found: NasHost[]): ChosenMount {
  const faults: FieldError[] = [];
  const [server = ''] = wanted.split(' ');
  const one = all.find(({ name, servers }) => wanted === `${server} ${name}` && servers.includes(server));
  if (!one) faults.push({ pointer: '/export', detail: 'This datastore is not in force: choose one of these.' });
  const known = hosts.flatMap((id) => found.find((host) => host.id === id) ?? []);
  if (known.length < hosts.length)
    faults.push({ pointer: '/hosts', detail: 'One of these hosts is not there any more.' });
  if (faults.length > 0 || !one) throw invalid(...faults);
  const { name, path, version } = one;
  return {
    action,
    datastore: { name, path, version, server },
    hosts: known.map(({ id, name: title, system }) => ({ id, name: title, system })),
  };
}

export const operation = taskForm(
  MOUNT_TASK,
  {
    id: 'datastoreMountChooseForm',
    at: 'hosts',
    effect: 'immediate',
    summary: 'Choose the datastore and the hosts',
    description: 'Changes nothing, here or on a host: what was chosen is kept for the review.',
    body,
    audit: 'none',
    guarded: false,
    problems: ['trust_missing', 'state_conflict'],
    async prepare({ services, actor, body }) {
      const server = serverText(await trustedTarget(services, actor, body.trust));
      const draft = requireDraft(services, actor, MOUNT_TASK, body.draft, server);
      const found = draft.nas?.found ?? [];
      const chosen = chosenOf(body, await mountableDatastores(services), found);
      return updateDraft(services, draft, { nas: { found, chosen } }).id;
    },
    async run({ prepared }) {
      return { body: { draft: prepared } };
    },
  },
  {
    decode: (fields) => ({ ...decodeTexts({ entries: TEXTS })(fields), hosts: fields.all('hosts') }),
    done: ({ body }, fields) => ({
      location: onwards(MOUNT_TASK, fields, { ...(body as Pick<Place, 'draft'>), step: 'review' }),
    }),
  },
);
