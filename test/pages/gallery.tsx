// Every component once, filled with hostile text wherever a caller may put text: the table that the tests walk through.
import type { VNode } from 'preact';
import { Block, Blockers, Flash, Note } from '../../pages/components/block.tsx';
import { Button, ButtonLink, PostButton } from '../../pages/components/button.tsx';
import { CodeBlock } from '../../pages/components/code.tsx';
import { Diff } from '../../pages/components/diff.tsx';
import { Empty } from '../../pages/components/empty.tsx';
import { ErrorSummary } from '../../pages/components/error-summary.tsx';
import { Events } from '../../pages/components/events.tsx';
import { Facts, FactsList, Meta } from '../../pages/components/facts.tsx';
import { FilterBar } from '../../pages/components/filter-bar.tsx';
import {
  CheckField,
  CheckGroup,
  FieldGroup,
  Form,
  FormActions,
  RadioField,
  SelectField,
  TextArea,
  TextField,
} from '../../pages/components/form.tsx';
import { Sprite } from '../../pages/components/icons.tsx';
import { NetworkMap } from '../../pages/components/network-map.tsx';
import { Pagination } from '../../pages/components/pagination.tsx';
import { ProblemBody } from '../../pages/components/problem.tsx';
import { SecretOnce } from '../../pages/components/secret-once.tsx';
import { Change, Count, State } from '../../pages/components/state-word.tsx';
import { StateOf } from '../../pages/components/state-words.tsx';
import { ConfirmStrip, PendingStrip, RunningStrip } from '../../pages/components/strip.tsx';
import { DataTable, sortOf } from '../../pages/components/table.tsx';
import { Instant } from '../../pages/components/time.tsx';
import { Timeline } from '../../pages/components/timeline.tsx';
import { NAVIGATION, navigationFor } from '../../pages/layout/navigation.ts';
import { Plain } from '../../pages/layout/plain.tsx';
import { PageHead, Shell } from '../../pages/layout/shell.tsx';
import type { ShellState } from '../../pages/layout/state.ts';

/** What an attacker would like to see come through unchanged. */
export const EVIL = `<img src=x onerror="alert(1)" style='x'>&'`;
export const NOW = '2026-03-14T09:41:07Z';
export const place = { path: '/ui/management/dns', query: '?role=access&sort=name&cursor=abc' };

export const state: ShellState = {
  user: { name: EVIL, role: 'admin', scopes: ['read:interfaces', 'write:dns'] },
  csrf: 'token-of-the-session',
  theme: 'dark',
  host: { kind: 'rehearsal', label: 'Rehearsal' },
  path: '/ui/management/dns',
  query: 'show=pending',
  now: NOW,
  pending: [{ id: 'dns-dhcp', label: EVIL }],
  standings: new Map(),
  running: null,
  confirm: null,
  unprotected_keys: false,
  flash: { kind: 'ok', text: EVIL },
  assets: { css: '/assets/app-1.css', js: '/assets/app-1.js' },
  version: '1.0.0',
  hostname: 'gc01.lab.example',
};
export const map = {
  interfaces: [
    { name: 'ens192', addresses: [{ cidr: '10.10.0.5/24' }], vlans: [] },
    {
      name: EVIL,
      addresses: [],
      vlans: [
        { name: 'ens256.30', vlan_id: 30, addresses: [{ cidr: '172.16.30.2/24', pending: '172.16.31.2/24' }] },
        { name: 'ens256.40', vlan_id: 40, addresses: [{ cidr: '172.16.40.2/24', problem: 'duplicate address' }] },
      ],
    },
    { name: 'ens161', addresses: [], vlans: [] },
  ],
  services: [
    { label: 'DNS listener', page: '/ui/management/dns', addresses: ['172.16.31.2', '10.10.0.5'] },
    { label: 'DHCP scope lab-30', page: '/ui/management/dhcp', addresses: ['172.16.31.2'] },
    { label: 'NFS iso-library', page: '/ui/management/storage', addresses: ['172.16.40.2/24'] },
    { label: 'Offline depot', page: '/ui/management/offline-depot', addresses: [] },
  ],
};
const errors = [{ pointer: '/ipv4_cidr', detail: EVIL }];
export const options = [
  { value: 'access', label: EVIL },
  { value: 'trunk', label: 'trunk', unavailable: 'it has addresses' },
];
const field = { name: 'ipv4_cidr', label: EVIL, help: EVIL, error: EVIL };
export const page = (
  <Shell
    state={state}
    title={EVIL}
    current="/ui/management/dns"
    nav={navigationFor(
      { scopes: ['read:dns', 'read:tokens'] },
      state.pending,
      NAVIGATION.map((entry) => ({ ...entry, ready: true })),
    )}
  >
    <PageHead title={EVIL} trail={[{ href: '/', label: EVIL }]} here={EVIL} intro={EVIL} />
  </Shell>
);
export const table = (
  <DataTable
    caption="Records"
    place={place}
    sort={sortOf(place.query, ['name', 'value'])}
    columns={[
      { key: 'name', label: 'Name', sortable: true, cell: (row) => row.name },
      { key: 'value', label: 'Value', sortable: true, look: 'number', cell: (row) => row.value },
      { key: 'plain', label: EVIL, look: 'code', cell: () => EVIL },
    ]}
    rows={[{ name: EVIL, value: 1 }]}
    rowKey={(row) => row.name}
    branch={() => 'last'}
    actions={(row) => (
      <ButtonLink kind="row" href="#" label={`Edit ${row.name}`}>
        Edit
      </ButtonLink>
    )}
    empty="None."
  />
);

export const GALLERY: Record<string, VNode> = {
  'document and shell': page,
  plain: (
    <Plain state={{ ...state, csrf: null }} title={EVIL} aside={EVIL}>
      {EVIL}
    </Plain>
  ),
  sprite: <Sprite />,
  buttons: (
    <>
      <Button label={EVIL} unavailable={EVIL} kind="bad" icon="stop">
        {EVIL}
      </Button>
      <Button kind="row" unavailable={EVIL}>
        {EVIL}
      </Button>
      <PostButton action="/x" csrf={EVIL} fields={{ revision: 3, name: EVIL }}>
        {EVIL}
      </PostButton>
    </>
  ),
  words: (
    <>
      <State kind="warn">{EVIL}</State>
      <StateOf state="pending" />
      <Change from={EVIL} to="b" />
      <Count of={4} />
      <Instant at="2026-03-14T09:41:00Z" now={NOW} />
      <CodeBlock label={EVIL}>{EVIL}</CodeBlock>
    </>
  ),
  table: table as VNode,
  empty: <Empty action={<ButtonLink href="/new">Add</ButtonLink>}>{EVIL}</Empty>,
  'filter bar': (
    <FilterBar
      place={{ path: '/x', query: `?keep=${encodeURIComponent(EVIL)}` }}
      search={{ name: 'q', label: EVIL, value: EVIL }}
      selects={[{ name: 'role', label: EVIL, any: 'Any', value: 'a', options: [{ value: 'a', label: EVIL }] }]}
      segments={{ name: 'show', label: EVIL, value: '', options: [{ value: '', label: EVIL, count: 7 }] }}
      csv="/x.csv"
      note={EVIL}
    />
  ),
  pagination: <Pagination place={place} nextCursor={EVIL} summary={EVIL} />,
  form: (
    <Form action="/x" csrf={EVIL} revision={17} label={EVIL}>
      <ErrorSummary errors={errors} labels={{ ipv4_cidr: EVIL }} />
      <FieldGroup legend={EVIL}>
        <TextField {...field} value={EVIL} mono />
        <TextArea {...field} id="area" value={EVIL} />
        <SelectField {...field} id="select" value="access" options={options} />
        <RadioField {...field} id="radio" value="access" options={options} />
        <CheckGroup {...field} id="group" values={['access']} options={options} />
        <CheckField {...field} id="check" checked />
      </FieldGroup>
      <FormActions note={EVIL}>
        <Button>Save</Button>
      </FormActions>
    </Form>
  ),
  facts: (
    <>
      <Facts facts={[{ label: EVIL, value: EVIL }]} />
      <FactsList facts={[{ label: EVIL, value: EVIL }]} />
      <Meta facts={[{ label: EVIL, value: EVIL }]} />
    </>
  ),
  diff: <Diff subject={EVIL} changes={[{ setting: EVIL, before: EVIL, after: null }]} raw={`+${EVIL}\n-${EVIL}`} />,
  timeline: (
    <Timeline
      total_ms={100}
      rows={[{ label: EVIL, bars: [{ kind: 'wait', start_ms: 0, duration_ms: 99, text: EVIL }] }]}
    />
  ),
  events: <Events lines={[{ key: 'a', at: NOW, state: 'failed', text: EVIL, took: EVIL }]} />,
  strips: (
    <>
      <PendingStrip pending={state.pending} csrf={EVIL} />
      <RunningStrip running={{ job_id: EVIL, plan_id: 'plan_1', text: EVIL }} />
      <ConfirmStrip
        csrf="c"
        confirm={{
          job_id: EVIL,
          plan_id: EVIL,
          left: 162,
          reverts_at: NOW,
          timeout_seconds: 120,
          more_seconds: 120,
          nonce: EVIL,
          here: false,
          elsewhere: `http://10.0.0.9:8080/${EVIL}`,
        }}
      />
    </>
  ),
  blocks: (
    <>
      <Block title={EVIL}>{EVIL}</Block>
      <Blockers blockers={[{ subject: EVIL, reason: EVIL, page: '/dns', unblock: EVIL }]} />
      <Note>{EVIL}</Note>
      <Flash flash={{ kind: 'bad', text: EVIL }} />
    </>
  ),
  map: <NetworkMap data={map} title={EVIL} />,
  secret: <SecretOnce title={EVIL} secret={EVIL} />,
  problem: (
    <ProblemBody
      status={422}
      title={EVIL}
      detail={EVIL}
      error_code="request_validation_failed"
      type="/problems/validation"
      request_id={EVIL}
      request={EVIL}
      at={NOW}
      errors={errors}
    />
  ),
};
