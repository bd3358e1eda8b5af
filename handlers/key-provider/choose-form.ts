// Registering at a vCenter: the provider here, its name there, and where vCenter reaches the KMIP server. Kept for the review.
import * as v from 'valibot';
import { type FieldError, invalid } from '../../shared/ground/problems.ts';
import { plainText } from '../../shared/ground/schemas/plain-text.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import { providerCreateSchema } from '../../shared/services/kms/schemas.ts';
import { trustedTarget } from '../../shared/vcf/connection/reach.ts';
import { serverText } from '../../shared/vcf/connection/target.ts';
import type { KmsEndpoint } from '../../shared/vcf/key-provider/local.ts';
import {
  type ChosenProvider,
  KEY_PROVIDER_TASK,
  placeText,
  providerNamed,
} from '../../shared/vcf/key-provider/task.ts';
import { requireDraft, updateDraft } from '../../shared/vcf/remote/draft.ts';
import type { Place } from '../../shared/vcf/remote/wizard.ts';
import { decodeTexts, onwards, TRUSTED, taskForm } from '../../shared/vcf/remote/wizard-operations.ts';
import type { KeyProvider } from '../../shared/vcf/vsphere/key-providers.ts';

/** vCenter's own limit is not known; this fits its pages. */
const CLUSTER_MOST = 80;

const TEXTS = {
  ...TRUSTED,
  provider_id: v.optional(v.pipe(v.string(), v.maxLength(128)), ''),
  provider_name: v.optional(v.pipe(v.string(), v.maxLength(255), plainText), ''),
  cluster: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, 'Name the key provider.'),
    v.maxLength(CLUSTER_MOST, `At most ${CLUSTER_MOST} characters.`),
    plainText,
  ),
  place: v.pipe(v.string(), v.maxLength(300)),
};
const body = v.strictObject({ ...TEXTS, make_default: v.optional(v.boolean(), false) });
type Body = v.InferOutput<typeof body>;

/** The name of the chosen provider. @throws Problem 404, 422 */
async function ownProvider(db: Database, { provider_id, provider_name }: Body): Promise<string> {
  // Loaded when somebody chose: the page before that does without.
  if (provider_id !== '') {
    const { requireProvider } = await import('../../shared/services/kms/trust/clients.ts');
    return requireProvider(db, provider_id);
  }
  const read = v.safeParse(providerCreateSchema, { name: provider_name });
  if (!read.success) throw invalid({ pointer: '/provider_name', detail: read.issues[0].message });
  const { name } = read.output;
  const { providers } = await import('../../shared/services/kms/trust/providers.ts');
  const { items } = await listItems(db, providers, { limit: 1, filters: { name } });
  if (items.length === 0) return name;
  throw invalid({ pointer: '/provider_name', detail: 'A provider has this name already: choose it, or another name.' });
}

function chosenOf(
  { provider_id, cluster, place, make_default }: Body,
  { endpoint, found, provider_name }: { endpoint: KmsEndpoint; found: readonly KeyProvider[]; provider_name: string },
): ChosenProvider {
  const faults: FieldError[] = [];
  const at = endpoint.places.find((one) => placeText(one) === place);
  if (!at) faults.push({ pointer: '/place', detail: 'The KMIP server does not answer there: choose one of these.' });
  const taken = providerNamed(found, cluster);
  if (taken) {
    const detail = `The vCenter has a key provider of this name already. It is left alone: choose another name.`;
    faults.push({ pointer: '/cluster', detail });
  }
  if (faults.length > 0 || !at) throw invalid(...faults);
  const server = { name: at.address, ...at };
  return { provider_id, provider_name, cluster, server, server_sha256: endpoint.certificate.sha256, make_default };
}

export const operation = taskForm(
  KEY_PROVIDER_TASK,
  {
    id: 'keyProviderChooseForm',
    at: 'provider',
    effect: 'immediate',
    summary: 'Choose the key provider that a vCenter gets',
    description: 'Changes nothing, here or at the vCenter: what was chosen is kept for the review.',
    body,
    audit: 'none',
    guarded: false,
    problems: ['trust_missing', 'state_conflict'],
    async prepare({ services, actor, body }) {
      const { requireKms } = await import('../../shared/vcf/key-provider/local.ts');
      const endpoint = await requireKms(services);
      const server = serverText(await trustedTarget(services, actor, body.trust));
      const draft = requireDraft(services, actor, KEY_PROVIDER_TASK, body.draft, server);
      const found = draft.key_provider?.found ?? [];
      const provider_name = await ownProvider(services.store, body);
      const chosen = chosenOf(body, { endpoint, found, provider_name });
      return updateDraft(services, draft, { key_provider: { found, chosen } }).id;
    },
    async run({ prepared }) {
      return { body: { draft: prepared } };
    },
  },
  {
    decode: (fields) => ({
      ...decodeTexts({ entries: TEXTS })(fields),
      make_default: fields.checked('make_default'),
    }),
    done: ({ body }, fields) => ({
      location: onwards(KEY_PROVIDER_TASK, fields, { ...(body as Pick<Place, 'draft'>), step: 'review' }),
    }),
  },
);
