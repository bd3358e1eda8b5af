// The tools of the helper, those that the reader may not use with the reason, and the deployments that have generated names.
import type { Scope } from '../../shared/kernel/access/scopes.ts';
import { DEPLOY_TASK } from '../../shared/vcf/deployment/wizard-task.ts';
import { dialogHref } from '../../shared/vcf/names/dialog-address.ts';
import type { GeneratedSet } from '../../shared/vcf/names/sets.ts';
import { IMPORT_TASK, TRUST_TASK } from '../../shared/vcf/remote/wizard.ts';
import { DEPOT_TASK } from '../../shared/vcf/remote-depot/task.ts';
import { SCOPE_NAMES } from '../access/scope-words.ts';
import { ButtonLink } from '../components/button.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';

interface Tool {
  title: string;
  does: string;
  href: string;
  /** Who may use it; everybody who may see the page where it is not said. */
  scope?: Scope;
  /** It opens in a dialog. */
  dialog?: boolean;
}

const TOOLS: readonly Tool[] = [
  {
    title: 'Generate FQDNs',
    does: 'Every name of a VCF or VVF deployment, forward and reverse, with addresses in one confirmed step.',
    href: dialogHref({}),
  },
  {
    title: 'Deploy SDDC Manager',
    does: 'The service-manager appliance from its OVA to an ESX host or a vCenter.',
    href: DEPLOY_TASK.path,
    scope: DEPLOY_TASK.scope,
  },
  {
    title: 'Configure offline depot',
    does: 'Points a VCF Installer or SDDC Manager at the depot of this appliance.',
    href: DEPOT_TASK.path,
    scope: DEPOT_TASK.scope,
  },
  {
    title: 'Certificate trust',
    does: 'Makes a VCF Installer or an SDDC Manager trust the certificate of an authority.',
    href: TRUST_TASK.path,
    scope: TRUST_TASK.scope,
    dialog: true,
  },
  {
    title: 'Import passwords',
    does: 'Takes the passwords that a VCF Installer or an SDDC Manager knows into a vault.',
    href: IMPORT_TASK.path,
    scope: IMPORT_TASK.scope,
  },
];

/** `cures`: the page where the reason goes away. */
export interface Hindered {
  why_not: string;
  cures: { href: string; label: string };
}

/** `hindered`: by the tool's path, those that could be begun and not ended. */
export function Tools({ scopes, hindered }: { scopes: readonly string[]; hindered: ReadonlyMap<string, Hindered> }) {
  const tools = TOOLS.map((tool) => {
    const hindrance = hindered.get(tool.href);
    return { ...tool, why_not: mayNot(tool, scopes) ?? hindrance?.why_not ?? null, cures: hindrance?.cures };
  });
  return (
    <ul class="tiles">
      {tools.map(({ title, does, why_not, cures, href, dialog }) => (
        <li key={title}>
          <div>
            <h2>{title}</h2>
            <p class="muted">{does}</p>
          </div>
          {why_not === null ? (
            <ButtonLink href={href} dialog={dialog}>
              {title}
            </ButtonLink>
          ) : (
            <p>
              <State kind="off">Not available</State>
              <span class="muted line">
                {why_not} {cures && <a href={cures.href}>{cures.label}</a>}
              </span>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function mayNot({ scope }: Tool, scopes: readonly string[]): string | null {
  if (scope === undefined || scopes.includes(scope)) return null;
  const [verb, resource = ''] = scope.split(':');
  const name = SCOPE_NAMES[resource as keyof typeof SCOPE_NAMES] ?? resource;
  return verb === 'read' ? `Your role may not read: ${name}.` : `Your role may not change: ${name}.`;
}

export function Sets({ sets }: { sets: readonly GeneratedSet[] }) {
  if (sets.length === 0) return null;
  return (
    <section class="sets" aria-labelledby="sets">
      <h2 id="sets">Generated names</h2>
      <DataTable
        caption="Deployments with generated names"
        columns={[
          {
            key: 'pattern',
            label: 'Pattern',
            look: 'code',
            cell: ({ catalog, prefix, suffix, domain }) => (
              <a href={dialogHref({ catalog, prefix, suffix, domain })}>
                {prefix}*{suffix}.{domain}
              </a>
            ),
          },
          { key: 'label', label: 'Catalog', cell: ({ label }) => label },
          { key: 'count', label: 'Names', look: 'number', cell: ({ names }) => names },
          { key: 'records', label: 'Records', look: 'number', cell: ({ records }) => records },
        ]}
        rows={sets}
        rowKey={({ catalog, prefix, suffix, domain }) => [catalog, prefix, suffix, domain].join(' ')}
        empty=""
      />
    </section>
  );
}
