// The deployment helper: its tools, the deployments whose names were generated, and over them the dialog of a tool. The
// dialog's inputs are in the address, so that a preview is a page like any other.
import * as v from 'valibot';
import { CATALOGS } from '../../shared/ground/catalogs/index.ts';
import type { FieldError } from '../../shared/ground/problems.ts';
import { Problem } from '../../shared/ground/problems.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { zoneNames } from '../../shared/services/dns-dhcp/dns/zone-store.ts';
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
import { Sets, Tools } from './tools.tsx';

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
}

export const page = definePage({
  id: 'vcfHelperPage',
  path: HELPER,
  access: { session: 'read:dns' },
  query,
  async load({ db, services, query, outcome, actor }): Promise<Data> {
    if (query.tool === '') return { sets: await generatedSets(db), open: null };
    const zones = (await zoneNames(db)).filter((name) => machinesFault(name) === null);
    const inputs = inputsFrom(outcome, query, zones);
    const { errors, previewed } = await readPreview(db, inputs, outcome);
    // It sends packets to addresses that the link names: only for whoever may give them away.
    const asked = query.check === 'true' && previewed !== null && actor.scopes.has('write:dns');
    const checked = asked ? await check(services, previewed.preview) : null;
    return { sets: [], open: { zones, inputs, errors, previewed, checked, deleting: query.confirm === 'delete' } };
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

function Helper({ data: { open, sets }, state, outcome }: ViewProps<Data>) {
  const writes = state.user.scopes.includes('write:dns');
  return (
    <>
      <PageHead title="Deployment helper" intro="Prepare DNS names, SDDC Manager and depot for a new VCF deployment." />
      {open ? (
        <Dialog open={open} state={state} outcome={outcome} writes={writes} />
      ) : (
        <>
          <Tools scopes={state.user.scopes} />
          <Sets sets={sets} />
        </>
      )}
    </>
  );
}
