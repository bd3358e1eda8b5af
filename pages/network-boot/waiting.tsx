// Hosts that chose their entry on the console and wait: the field for their codes, what is left of their time, and how the
// last ones ended. Codes are on the consoles and nowhere else.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { CODE_ALPHABET, CODE_LENGTH } from '../../shared/services/network-boot/boot/boot-code.ts';
import {
  type EndedAttempt,
  loadWaiting,
  type Waiting,
  type WaitingAttempt,
} from '../../shared/services/network-boot/boot/waiting.ts';
import { Button, PostButton } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { HiddenField } from '../components/form.tsx';
import { Icon } from '../components/icons.tsx';
import { Refusal } from '../components/refusal.tsx';
import { Ring } from '../components/ring.tsx';
import { Count } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { mayOnlyRead, type Typed, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { itemHref } from '../units/item-pages.tsx';
import { List } from '../units/listing.tsx';
import { EndedState, FIRMWARE_WORDS, OpenState, reasonWords } from './attempt-words.tsx';
import { DriftTable } from './drift-table.tsx';
import { HOST_PAGES, NETWORK_BOOT } from './host-pages.tsx';

const PATH = `${NETWORK_BOOT.href}/waiting`;

export const page = definePage({
  id: 'waitingToBootPage',
  path: PATH,
  current: NETWORK_BOOT.href,
  access: { session: 'read:pxe' },
  load: ({ db, services }): Promise<Waiting> => loadWaiting(db, services),
  title: () => 'Waiting to boot',
  view: WaitingToBoot,
});

/** What can't be a code is told by the browser, before it is sent. */
const CODE_PATTERN = `\\s*(?:[${CODE_ALPHABET}${CODE_ALPHABET.toLowerCase()}][\\s\\p{Pd}]*){${CODE_LENGTH}}`;

const mayAuthorize = (state: ShellState): boolean => state.user.scopes.includes('write:pxe');

function WaitingToBoot({ data: { open, ended }, state, outcome }: ViewProps<Waiting>) {
  const typed = typedInto('authorizeBootOnceForm', outcome);
  const revoked = typedInto('revokeBootAttemptForm', outcome);
  const refused = [typed, revoked].find(({ outcome: own, errors }) => own?.problem && errors.length === 0);
  return (
    <>
      <PageHead
        title="Waiting to boot"
        trail={[NETWORK_BOOT]}
        intro="Hosts wait here after their entry was chosen on the console. The code on the screen allows one retrieval of the Kickstart."
      />
      {refused && <Refusal problem={refused.outcome!.problem!} title="Nothing was authorized or revoked" />}
      <CodeForm typed={typed} state={state} />
      {/* Never done: the next attempt may come at any moment. */}
      <div data-live="attempts" id="attempts">
        <section class="below" aria-labelledby="open-attempts">
          <div class="fighead">
            <h2 id="open-attempts">
              Waiting attempts <Count of={open.length} />
            </h2>
            <span class="muted by-script">Updates by itself</span>
            {/* Reading the page again by itself would lose a code that is being typed. */}
            <noscript>
              <a href={PATH}>Look again</a>
            </noscript>
          </div>
          {open.length === 0 ? (
            <Empty>No host waits. One appears here when its entry is chosen in the boot menu on its console.</Empty>
          ) : (
            open.map((attempt) => <OpenAttempt key={attempt.id} attempt={attempt} state={state} />)
          )}
        </section>
        <Ended attempts={ended} now={state.now} />
      </div>
    </>
  );
}

function CodeForm({ typed, state }: { typed: Typed; state: ShellState }) {
  const error = typed.of('boot_code');
  const described = error === undefined ? 'boot_code-help' : 'boot_code-error boot_code-help';
  return (
    <form class="boot-code" method="post" action={PATH} aria-label="Authorize one boot">
      <HiddenField name="csrf" value={state.csrf} />
      <label for="boot_code">Code on the console</label>
      <div class="code">
        <input
          id="boot_code"
          name="boot_code"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          maxlength={32}
          pattern={CODE_PATTERN}
          title="Eight letters; no code has an I or an O."
          placeholder="ABCD-EFGH"
          required
          aria-describedby={described}
          aria-invalid={error === undefined ? undefined : 'true'}
        />
        <Button kind="primary" unavailable={mayAuthorize(state) ? undefined : mayOnlyRead('network boot')}>
          Authorize once
        </Button>
      </div>
      {error !== undefined && (
        <p class="st st-bad" id="boot_code-error">
          <Icon name="stop" />
          <span>{error}</span>
        </p>
      )}
      <p class="muted" id="boot_code-help">
        The code says which host is meant. Case, spaces and the hyphen don’t matter.
      </p>
    </form>
  );
}

function OpenAttempt({ attempt, state }: { attempt: WaitingAttempt; state: ShellState }) {
  const { id, host_id, hostname, seconds_left, lifetime } = attempt;
  return (
    <article class="attempt" aria-labelledby={`${id}-host`} id={id}>
      <Ring left={seconds_left} of={lifetime} />
      <div>
        <h3 id={`${id}-host`}>
          <a href={itemHref(HOST_PAGES.base, host_id)}>{hostname}</a>
        </h3>
        <OpenState attempt={attempt} />
        <Facts facts={factsOf(attempt, state.now)} />
      </div>
      <div class={attempt.drift.length > 0 ? 'wide' : undefined}>
        {attempt.drift.length > 0 ? (
          <>
            <DriftTable hostname={hostname} drift={attempt.drift} />
            <p>
              <a href={pagePath('apply')}>Apply network boot</a>, or save again what is in force; then choose again on
              the console.
            </p>
          </>
        ) : (
          <p class="muted">{nextStep(attempt)}</p>
        )}
        {mayAuthorize(state) && (
          <div>
            <PostButton
              kind="bad"
              action={`${PATH}/${id}/revoke`}
              csrf={state.csrf}
              label={`Revoke the boot of ${hostname}`}
            >
              Revoke
            </PostButton>
          </div>
        )}
      </div>
    </article>
  );
}

function nextStep({ state, codes_left, listener_origin, source_address }: WaitingAttempt): string {
  if (state === 'issued') {
    return `One retrieval, by this host, of this revision, at ${listener_origin.replace('http://', '')}. Keep the console open.`;
  }
  return `${codes_left} ${codes_left === 1 ? 'try' : 'tries'} left for its code. The choice came from ${source_address}.`;
}

function factsOf(attempt: WaitingAttempt, now: string): Fact[] {
  const { mac_address, firmware, kickstart, medium, kickstart_revision, authorized_at, authorized_by } = attempt;
  return [
    { label: 'MAC address', value: <code>{mac_address}</code> },
    { label: 'Firmware', value: FIRMWARE_WORDS[firmware] },
    {
      label: 'Installs',
      value: (
        <>
          {medium || 'a medium'}, {kickstart || 'Kickstart'} <code>{kickstart_revision.slice(0, 8)}</code>
        </>
      ),
    },
    { label: 'Chosen', value: <Instant at={attempt.created_at} now={now} /> },
    ...(authorized_at === null
      ? []
      : [
          {
            label: 'Authorized',
            value: (
              <>
                <Instant at={authorized_at} now={now} /> by {authorized_by}
              </>
            ),
          },
        ]),
  ];
}

/** Reasons that somebody has to look into: they lead to what the audit log has of them. */
const LOOKED_INTO: readonly (string | null)[] = ['mismatch', 'vault-value'];

function Reason(attempt: EndedAttempt) {
  if (!LOOKED_INTO.includes(attempt.ended_reason)) return reasonWords(attempt);
  return (
    <>
      {reasonWords(attempt)}: <a href={`${pagePath('audit-log')}?resource_id=${attempt.id}`}>see the audit log</a>
    </>
  );
}

function Ended({ attempts, now }: { attempts: readonly EndedAttempt[]; now: string }) {
  return (
    <List title="Ended attempts">
      <DataTable
        caption="Boot attempts that ended, the last first"
        dense
        columns={[
          {
            key: 'host',
            label: 'Host',
            look: 'code',
            cell: ({ host_id, hostname }) => <a href={itemHref(HOST_PAGES.base, host_id)}>{hostname}</a>,
          },
          {
            key: 'ended',
            label: 'Ended',
            look: 'nowrap',
            cell: ({ ended_at, expires_at }) => <Instant at={ended_at ?? expires_at} now={now} />,
          },
          { key: 'state', label: 'State', look: 'nowrap', cell: ({ state }) => <EndedState state={state} /> },
          { key: 'why', label: 'Why', cell: Reason },
          {
            key: 'by',
            label: 'Authorized by',
            look: 'nowrap',
            cell: ({ authorized_by }) => authorized_by ?? <span class="muted">nobody</span>,
          },
          {
            key: 'from',
            label: 'From',
            look: 'code',
            cell: ({ ended_from, source_address }) => ended_from ?? <span class="muted">{source_address}</span>,
          },
        ]}
        rows={attempts}
        rowKey={({ id }) => id}
        empty="No attempt has ended in the last 30 days."
      />
    </List>
  );
}
