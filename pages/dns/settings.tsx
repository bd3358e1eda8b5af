// The settings of the name service.
import type { SavedSettings } from '../../shared/units/dns-dhcp/schemas.ts';
import { type Listenable, readSettings } from '../../shared/units/dns-dhcp/settings-store.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { CheckField, CheckGroup, FieldGroup, Form, FormActions, TextArea, TextField } from '../components/form.tsx';
import type { LastSave } from '../interfaces/answer.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { DNS, lastSaveOf, MAY_ONLY_READ, ON_APPLY, Refused, StaleForm, typedInto } from './form-state.tsx';

interface Data {
  saved: SavedSettings;
  interfaces: Listenable[];
  last: LastSave | null;
}

const PATH = `${DNS}/settings`;
const LABELS = {
  enabled: 'Name service',
  listen_interfaces: 'Listen on',
  upstream_servers: 'Upstream servers',
  ttl_seconds: 'Time to live',
  cache_size: 'Cache size',
  domain: 'Search domain',
  log_queries: 'Query log',
} as const;

export const page = definePage({
  id: 'dnsSettingsPage',
  path: PATH,
  current: DNS,
  access: { session: 'read:dns' },
  async load({ db, outcome }): Promise<Data> {
    const last = await lastSaveOf(db, outcome, { type: 'unit_settings', id: 'dns-dhcp' });
    return { ...(await readSettings(db)), last };
  },
  title: () => 'DNS settings',
  view: DnsSettings,
});

function DnsSettings({ data: { saved, interfaces, last }, state, outcome }: ViewProps<Data>) {
  const typed = typedInto('updateDnsDhcpSettingsForm', outcome);
  const chosen = typed.outcome ? typed.outcome.values.getAll('listen_interfaces') : saved.listen_interfaces;
  const bind = (name: keyof typeof LABELS) => ({ name, label: LABELS[name], error: typed.of(name) });
  const text = (name: 'ttl_seconds' | 'cache_size' | 'domain') => ({
    ...bind(name),
    value: typed.text(name, saved[name]),
  });
  const reader = state.user.scopes.includes('write:dns') ? undefined : MAY_ONLY_READ;
  return (
    <>
      <PageHead title="DNS settings" here="Settings" trail={[{ href: DNS, label: 'DNS' }]} />
      <Refused typed={typed} labels={LABELS} />
      <StaleForm
        typed={typed}
        name="the settings"
        revision={saved.revision}
        last={last}
        saved={[
          [LABELS.enabled, 'enabled', saved.enabled],
          [LABELS.upstream_servers, 'upstream_servers', saved.upstream_servers.join('\n')],
          [LABELS.ttl_seconds, 'ttl_seconds', String(saved.ttl_seconds)],
          [LABELS.cache_size, 'cache_size', String(saved.cache_size)],
          [LABELS.domain, 'domain', saved.domain],
          [LABELS.log_queries, 'log_queries', saved.log_queries],
        ]}
        now={state.now}
      />
      <Form action={PATH} csrf={state.csrf} revision={saved.revision} label="DNS settings">
        <FieldGroup legend="Where it answers">
          <CheckField
            {...bind('enabled')}
            group={LABELS.enabled}
            label="Answer DNS queries"
            checked={typed.checked('enabled', saved.enabled)}
          />
          <CheckGroup
            {...bind('listen_interfaces')}
            values={chosen}
            options={listenOptions(interfaces, chosen)}
            help="Clients ask at the addresses of these interfaces."
          />
        </FieldGroup>
        <FieldGroup legend="Names of others">
          <TextArea
            {...bind('upstream_servers')}
            value={typed.text('upstream_servers', saved.upstream_servers.join('\n'))}
            rows={3}
            mono
            placeholder="none"
            help="One address a line, #port at the end where it is not 53. Without any, names outside the zones are refused."
          />
          <TextField {...text('cache_size')} mono inputmode="numeric" help="Answers kept in memory, 0 to 100000" />
        </FieldGroup>
        <FieldGroup legend="Own names">
          <TextField
            {...text('ttl_seconds')}
            mono
            inputmode="numeric"
            help="Seconds that clients may keep an answer: one value for all records, 0 to 86400"
          />
          <TextField {...text('domain')} mono placeholder="none" help="Completes names without a dot" />
          <CheckField
            {...bind('log_queries')}
            group={LABELS.log_queries}
            label="Write every query to the system log"
            checked={typed.checked('log_queries', saved.log_queries)}
          />
        </FieldGroup>
        <FormActions note={ON_APPLY}>
          <Button kind="primary" unavailable={reader}>
            Save settings
          </Button>
          <ButtonLink href={DNS}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}

/** All interfaces with their addresses, and chosen ones that are gone, so that they can be let go of. */
function listenOptions(interfaces: readonly Listenable[], chosen: readonly string[]) {
  const gone = chosen.filter((name) => !interfaces.some((each) => each.name === name));
  return [
    ...interfaces.map(({ name, usable, addresses }) => ({
      value: name,
      label: (
        <>
          <code>{name}</code>{' '}
          <span class="muted">{addresses.join(', ') || (usable ? 'address by DHCP' : 'no address')}</span>
        </>
      ),
    })),
    ...gone.map((name) => ({ value: name, label: `${name} (there is no such interface)` })),
  ];
}
