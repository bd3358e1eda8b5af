// The deployment helper: its tools, the deployments whose names were generated, and over them the dialog of a tool. The
// dialog's inputs are in the address, so that a preview is a page like any other.
import * as v from 'valibot';
import { CATALOGS } from '../../shared/ground/catalogs/index.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { FieldError } from '../../shared/ground/problems.ts';
import { Problem } from '../../shared/ground/problems.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import type { Actor } from '../../shared/kernel/access/actor.ts';
import type { FormOutcome, Services } from '../../shared/kernel/operation/services.ts';
import { zoneNames } from '../../shared/services/dns-dhcp/dns/zone-lookups.ts';
import { DEPLOY_TASK } from '../../shared/vcf/deployment/wizard-task.ts';
import { whyNoDeployment } from '../../shared/vcf/deployment/wizard-view.ts';
import { check } from '../../shared/vcf/names/check.ts';
import { HELPER, INPUTS, type Inputs } from '../../shared/vcf/names/dialog-address.ts';
import { type Previewed, preview } from '../../shared/vcf/names/generate.ts';
import { machinesFault, readRequest } from '../../shared/vcf/names/request.ts';
import type { Check } from '../../shared/vcf/names/schemas.ts';
import { type GeneratedSet, generatedSets } from '../../shared/vcf/names/sets.ts';
import { errorsOf } from '../access/form-errors.ts';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Dialog } from './dialog.tsx';
import { type Hindered, Sets, Tools } from './tools.tsx';

const text = v.optional(v.pipe(v.string(), v.maxLength(255)), '');
const query = v.object({
  tool: v.fallback(v.picklist(['', 'generated-fqdns']), ''),
  confirm: v.fallback(v.picklist(['', 'delete']), ''),
  check: v.fallback(v.picklist(['', 'true']), ''),
  catalog: text,
  prefix: text,
  suffix: text,
  domain: text,
  start_ipv4_cidr: text,
  start_ipv6_cidr: text,
});

export interface Open {
  /** Names of zones that a deployment can be in. */
  zones: readonly string[];
  /** As typed, with what is usual where nothing was. */
  inputs: Inputs;
  errors: readonly FieldError[];
  /** Null while the inputs name no deployment. */
  previewed: Previewed | null;
  checked: Check | null;
  /** Whether the deletion is to be confirmed. */
  deleting: boolean;
}

interface Data {
  sets: readonly GeneratedSet[];
  open: Open | null;
  hindered: ReadonlyMap<string, Hindered>;
}

/** Tools that can't end now, of those that the reader may use. */
async function hindrances({ services, actor }: { services: Services; actor: Actor }): Promise<Data['hindered']> {
  const why_not = actor.scopes.has(DEPLOY_TASK.scope) ? await whyNoDeployment(services) : null;
  if (why_not === null) return new Map();
  const cures = { href: pagePath('offline-depot'), label: 'Upload an OVA' };
  return new Map([[DEPLOY_TASK.path, { why_not, cures }]]);
}

export const page = definePage({
  id: 'vcfHelperPage',
  path: HELPER,
  access: { session: 'read:dns' },
  query,
  async load({ db, services, query, outcome, actor }): Promise<Data> {
    if (query.tool === '') {
      return { sets: await generatedSets(db), open: null, hindered: await hindrances({ services, actor }) };
    }
    const zones = (await zoneNames(db)).filter((name) => machinesFault(name) === null);
    const inputs = inputsFrom(outcome, query, zones);
    const { errors, previewed } = await readPreview(db, inputs, outcome);
    // It sends packets to addresses that the link names: only for whoever may give them away.
    const asked = query.check === 'true' && previewed !== null && actor.scopes.has('write:dns');
    const checked = asked ? await check(services, previewed.preview) : null;
    const open = { zones, inputs, errors, previewed, checked, deleting: query.confirm === 'delete' };
    return { sets: [], open, hindered: new Map() };
  },
  title: ({ open }) => (open ? 'Generate FQDNs' : 'Deployment helper'),
  view: Helper,
});

/** What was typed into a form that was refused, else what the address holds. */
function inputsFrom(outcome: FormOutcome | null, query: Inputs, zones: readonly string[]): Inputs {
  const typed = (name: keyof Inputs) => outcome?.values.get(name) ?? query[name];
  const inputs = Object.fromEntries(INPUTS.map((name) => [name, typed(name)])) as Inputs;
  return { ...inputs, catalog: inputs.catalog || CATALOGS[0].id, domain: inputs.domain || (zones[0] ?? '') };
}

async function readPreview(
  db: Database,
  inputs: Inputs,
  outcome: FormOutcome | null,
): Promise<Pick<Open, 'errors' | 'previewed'>> {
  const { request, errors } = readRequest(inputs, { start: 'optional' });
  const refused = errorsOf(outcome).errors;
  if (!request) return { errors: refused.length > 0 ? refused : errors, previewed: null };
  try {
    return { errors: refused, previewed: await preview(db, request) };
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return { errors: problem.members.errors ?? [], previewed: null };
  }
}

function Helper({ data: { open, sets, hindered }, state, outcome }: ViewProps<Data>) {
  const writes = state.user.scopes.includes('write:dns');
  return (
    <>
      <PageHead title="Deployment helper" intro="Prepare DNS names, SDDC Manager and depot for a new VCF deployment." />
      {open ? (
        <Dialog open={open} state={state} outcome={outcome} writes={writes} />
      ) : (
        <>
          <Tools scopes={state.user.scopes} hindered={hindered} />
          <Sets sets={sets} />
        </>
      )}
    </>
  );
}
