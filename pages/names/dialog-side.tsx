// The left side of the dialog: its inputs, what they come to in figures, and what can be taken along.
import { CATALOGS } from '../../shared/ground/catalogs/index.ts';
import { dialogHref, GENERATED, HELPER, type Inputs } from '../../shared/vcf/names/dialog-address.ts';
import { FORMATS } from '../../shared/vcf/names/export.ts';
import type { Preview, PreviewNetwork } from '../../shared/vcf/names/schemas.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { errorOf } from '../components/error-summary.tsx';
import { type Fact, FactsList } from '../components/facts.tsx';
import { SelectField, TextField } from '../components/form.tsx';
import { State } from '../components/state-word.tsx';
import type { ShellState } from '../layout/state.ts';
import type { Open } from './vcf-helper.tsx';

export const LABELS: Readonly<Record<keyof Inputs | 'confirm', string>> = {
  catalog: 'Catalog',
  prefix: 'Prefix',
  suffix: 'Suffix',
  domain: 'Domain',
  start_ipv4_cidr: 'First IPv4 address',
  start_ipv6_cidr: 'First IPv6 address',
  confirm: 'Confirmation',
};

export function Side({ open, state }: { open: Open; state: ShellState }) {
  const { inputs, zones, errors, previewed } = open;
  const error = (name: keyof Inputs) => errorOf(errors, name);
  const domains = zones.includes(inputs.domain) || inputs.domain === '' ? zones : [inputs.domain, ...zones];
  return (
    <div class="sheet-side">
      <form class="form stack" method="get" action={HELPER} aria-label="What to generate" data-preview>
        <input type="hidden" name="tool" value="generated-fqdns" />
        <SelectField
          name="catalog"
          label={LABELS.catalog}
          value={inputs.catalog}
          error={error('catalog')}
          options={CATALOGS.map(({ id, label, components }) => ({
            value: id,
            label: `${label}, ${components.length} names`,
          }))}
        />
        <div class="pair">
          <TextField
            name="prefix"
            label={LABELS.prefix}
            value={inputs.prefix}
            error={error('prefix')}
            placeholder="none"
            mono
          />
          <TextField
            name="suffix"
            label={LABELS.suffix}
            value={inputs.suffix}
            error={error('suffix')}
            placeholder="none"
            mono
          />
        </div>
        <SelectField
          name="domain"
          label={LABELS.domain}
          value={inputs.domain}
          error={error('domain')}
          options={domains.map((name) => ({ value: name, label: name }))}
        />
        <TextField
          name="start_ipv4_cidr"
          label={LABELS.start_ipv4_cidr}
          value={inputs.start_ipv4_cidr}
          error={error('start_ipv4_cidr')}
          placeholder="10.10.20.20/24"
          help="Makes A records."
          mono
        />
        <TextField
          name="start_ipv6_cidr"
          label={LABELS.start_ipv6_cidr}
          value={inputs.start_ipv6_cidr}
          error={error('start_ipv6_cidr')}
          placeholder="fd00:10:20::20/64"
          help="Makes AAAA records."
          mono
        />
        <Button>Preview</Button>
      </form>
      {previewed && <Figures preview={previewed.preview} />}
      {previewed && <Along inputs={inputs} writes={state.user.scopes.includes('write:dns')} />}
      <p class="muted">
        Saved as desired state only: dnsmasq is not reloaded until DNS and DHCP is applied
        {state.host.kind === 'rehearsal' ? ', which here is a rehearsal' : ''}.
      </p>
    </div>
  );
}

function Figures({ preview: { rows, networks, to_create } }: { preview: Preview }) {
  const having = rows.filter(({ state }) => state === 'existing').length;
  const facts: Fact[] = [
    { label: 'Names', value: rows.length },
    { label: 'With address', value: having },
    { label: 'To create', value: to_create },
    ...networks.map((network) => ({
      label: `Free, ${network.family === 'ipv4' ? 'IPv4' : 'IPv6'}`,
      value: <Capacity network={network} />,
    })),
  ];
  return <FactsList facts={facts} />;
}

function Capacity({ network: { free, free_is_exact, shortfall } }: { network: PreviewNetwork }) {
  if (shortfall > 0)
    return (
      <State kind="bad">
        {free}, lacks {shortfall}
      </State>
    );
  return <State kind="ok">{free_is_exact ? free : `${free} or more`}</State>;
}

function Along({ inputs, writes }: { inputs: Inputs; writes: boolean }) {
  return (
    <div class="along">
      {writes && <ButtonLink href={dialogHref(inputs, { check: 'true' })}>Check on the network</ButtonLink>}
      <p>
        Export:{' '}
        {Object.entries(FORMATS).map(([format, { label }], at) => (
          <span key={format}>
            {at > 0 && ', '}
            <a href={dialogHref(inputs, {}, `${GENERATED}/export/${format}`)} download>
              {label}
            </a>
          </span>
        ))}
      </p>
    </div>
  );
}
