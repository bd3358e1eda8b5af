// The tools of the helper, those that are not there yet with their reason, and the deployments that have generated names.
import { dialogHref } from '../../shared/vcf-helper/dialog-address.ts';
import type { GeneratedSet } from '../../shared/vcf-helper/sets.ts';
import { ButtonLink } from '../components/button.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';

interface Tool {
  title: string;
  does: string;
  /** Null: it is there. */
  why_not: string | null;
}

const TOOLS: readonly Tool[] = [
  {
    title: 'Generate FQDNs',
    does: 'Every name of a VCF or VVF deployment, forward and reverse, with addresses in one confirmed step.',
    why_not: null,
  },
  {
    title: 'Deploy SDDC Manager',
    does: 'The service-manager appliance from its OVA to an ESX host or a vCenter.',
    why_not: 'This release cannot stream an OVA to vSphere yet.',
  },
  {
    title: 'Configure offline depot',
    does: 'Points a VCF Installer or SDDC Manager at the depot of this appliance.',
    why_not: 'The depot here is saved only: nothing serves it yet.',
  },
  {
    title: 'Certificate trust',
    does: 'Makes a remote appliance trust the certificate authority of this one.',
    why_not: 'The certificate authority here is saved only: it has no certificate to trust yet.',
  },
  {
    title: 'Import passwords',
    does: 'Takes the passwords of an installed SDDC Manager into a vault.',
    why_not: 'There are no vaults to take them into yet.',
  },
];

export function Tools() {
  return (
    <ul class="tiles">
      {TOOLS.map(({ title, does, why_not }) => (
        <li key={title}>
          <div>
            <h2>{title}</h2>
            <p class="muted">{does}</p>
          </div>
          {why_not === null ? (
            <ButtonLink kind="primary" href={dialogHref({})}>
              {title}
            </ButtonLink>
          ) : (
            <p>
              <State kind="off">Not available</State>
              <span class="muted line">{why_not}</span>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
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
