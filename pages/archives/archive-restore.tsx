// Restoring from an archive: open it, see what differs, choose, confirm.
import { type KeptArchive, wholeArchive } from '../../shared/appliance/archive/kept.ts';
import { chosenRow } from '../../shared/appliance/archive/row-choice.ts';
import { archiveParam, type Inspected, type Restored } from '../../shared/appliance/archive/schemas.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { CheckGroup, Form, FormActions, RadioField, TextField } from '../components/form.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, type Typed, typedInto, withLost } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { countsIn, Differences } from './differences.tsx';
import { ARCHIVES } from './words.ts';

const LABELS = {
  passphrase: 'Passphrase',
  identity: 'Identity',
  units: 'What is restored',
  rows: 'Only these rows',
  mode: 'Mode',
  confirm: 'Confirm',
  ...OWN_PASSWORD_LABEL,
};
const INSPECT = 'inspectArchiveForm';
const RESTORE = 'restoreArchiveForm';

export const page = definePage({
  id: 'restoreArchivePage',
  path: `${pageRoute('archive')}/restore`,
  current: ARCHIVES.href,
  access: { session: 'write:archives' },
  params: archiveParam,
  load: ({ db, params }): Promise<KeptArchive> => wholeArchive(db, params.archive_id),
  title: ({ name }) => `Restore ${name}`,
  view: Restore,
});

/** What the answer of a form holds; null where it was refused, or is another's. */
const answerOf = <T,>(form: string, outcome: FormOutcome | null): T | null =>
  outcome?.operation_id === form && !outcome.problem ? (outcome.result as T) : null;

/** What may be chosen, as `unit/collection|words`: it goes along with the form, since a refused one does not open the archive again. */
const offered = (units: Restored['units']): string[] =>
  units.flatMap(({ unit, label, collections }) =>
    collections.map((each) => `${unit}/${each.collection}|${label}: ${each.label} (${countsIn(each)})`),
  );

function Restore({ data: archive, state, outcome }: ViewProps<KeptArchive>) {
  const { id, name } = archive;
  const href = pagePath('archive', id);
  const inspected = answerOf<Inspected>(INSPECT, outcome);
  const rehearsed = answerOf<Restored>(RESTORE, outcome);
  const opening = withLost(typedInto(INSPECT, outcome));
  const typed = withLost(typedInto(RESTORE, outcome));
  const choices = inspected ? offered(inspected.units) : typed.all('offered', []);
  return (
    <>
      <PageHead
        title={
          <>
            Restore <span class="mono">{name}</span>
          </>
        }
        trail={[ARCHIVES, { href, label: <code>{name}</code> }]}
        here="Restore"
        intro="Vaults, certificates and depot users take effect at once, everything else with the next apply."
      />
      <Refused typed={typed.outcome ? typed : opening} labels={LABELS} />
      {!inspected && choices.length === 0 && <Open archive={archive} typed={opening} csrf={state.csrf} />}
      {inspected && <About inspected={inspected} now={state.now} />}
      {inspected && <NotTaken unplaced={inspected.unplaced} />}
      <LetsIn clients={(inspected ?? rehearsed)?.lets_in ?? []} />
      {inspected && inspected.units.length === 0 && (
        <Note>Nothing differs: what the archive has is what is saved here.</Note>
      )}
      {rehearsed && (
        <Note>
          A dry run: nothing was saved.{' '}
          {rehearsed.units.length === 0 ? 'Nothing would change.' : 'This would be saved:'}
        </Note>
      )}
      <Differences units={inspected?.units ?? rehearsed?.units ?? []} {...(inspected && { form: RESTORE })} />
      {choices.length > 0 && <Choose archive={archive} choices={choices} typed={typed} csrf={state.csrf} />}
    </>
  );
}

interface Part {
  archive: KeptArchive;
  typed: Typed;
  csrf: string;
}

function Key({ archive: { encryption }, typed }: Pick<Part, 'archive' | 'typed'>) {
  if (encryption === 'none') return null;
  const field = encryption === 'passphrase' ? 'passphrase' : 'identity';
  return (
    <TextField
      name={field}
      label={LABELS[field]}
      type="password"
      value=""
      autocomplete="off"
      error={typed.of(field)}
      help={
        field === 'passphrase'
          ? 'Of the archive. It is not kept.'
          : 'Of one of its recipients: AGE-SECRET-KEY-1 and what follows. It is not kept.'
      }
    />
  );
}

function Open({ archive, typed, csrf }: Part) {
  const href = pagePath('archive', archive.id);
  return (
    <Form action={`${href}/inspect`} csrf={csrf} label="Open">
      <Key archive={archive} typed={typed} />
      <FormActions note="Changes nothing: it shows what differs.">
        <Button kind="primary">Compare</Button>
        <ButtonLink href={href}>Cancel</ButtonLink>
      </FormActions>
    </Form>
  );
}

function About({ inspected, now }: { inspected: Inspected; now: string }) {
  const { made_at, made_by, host_name, program, excluded, renamed, missing_media } = inspected;
  return (
    <FactsList
      facts={[
        {
          label: 'Made',
          value: (
            <>
              <Instant at={made_at} now={now} />{' '}
              <span class="muted">
                by {made_by}
                {host_name === '' ? ' in plain JSON of schema 2' : ` on ${host_name}`}, version {program}
              </span>
            </>
          ),
        },
        ...(excluded.length > 0 ? [{ label: 'Not in it', value: excluded.join(', ') }] : []),
        ...(renamed.length > 0
          ? [{ label: 'Interfaces', value: renamed.map(({ from, to }) => `${from} is ${to} here`).join(', ') }]
          : []),
        ...(missing_media.length > 0 ? [{ label: 'Media without their files', value: missing_media.join(', ') }] : []),
      ]}
    />
  );
}

const CLIENTS_SHOWN = 100;

/** Whoever made the archive chose them: each gets every key of its provider. */
function LetsIn({ clients }: { clients: Inspected['lets_in'] }) {
  if (clients.length === 0) return null;
  return (
    <section class="below" aria-labelledby="lets-in">
      <h2 id="lets-in">Access to keys</h2>
      <Note icon="warn">
        A restore of all of it lets {clients.length === 1 ? 'one KMIP client' : `${clients.length} KMIP clients`} in:
        whoever has the key of the certificate gets every key of its provider. Leave out what you do not know.
      </Note>
      <DataTable
        caption={`KMIP clients that get access${clients.length > CLIENTS_SHOWN ? `: the first ${CLIENTS_SHOWN}` : ''}`}
        columns={[
          { key: 'name', label: 'Client', cell: ({ name }) => name },
          { key: 'provider', label: 'Provider', cell: ({ provider }) => provider },
          { key: 'sha256', label: 'SHA-256 of its certificate', cell: ({ sha256 }) => <code>{sha256}</code> },
        ]}
        rows={clients.slice(0, CLIENTS_SHOWN)}
        rowKey={({ sha256 }) => sha256}
        empty="None."
      />
    </section>
  );
}

/** What the file has and this appliance has no place for. */
function NotTaken({ unplaced }: Pick<Inspected, 'unplaced'>) {
  if (unplaced.length === 0) return null;
  return (
    <section class="below" aria-labelledby="not-taken">
      <h2 id="not-taken">Not taken over</h2>
      <DataTable
        caption="What the file has and this appliance has no place for"
        columns={[
          { key: 'name', label: 'In the file', cell: ({ name }) => <span class="mono">{name}</span> },
          { key: 'count', label: 'How many', look: 'number', cell: ({ count }) => count },
          { key: 'why', label: 'Why', cell: ({ why }) => why },
        ]}
        rows={unplaced}
        rowKey={({ name, why }) => `${name} ${why}`}
        empty="All of it has its place."
      />
    </section>
  );
}

function Choose({ archive, choices, typed, csrf }: Part & { choices: readonly string[] }) {
  const href = pagePath('archive', archive.id);
  const rows = typed.all('rows', []);
  const options = choices.map((choice) => {
    const [value = '', label = value] = choice.split('|');
    return { value, label };
  });
  return (
    <section class="below" aria-labelledby="choose">
      <h2 id="choose">Choose and restore</h2>
      <Form action={`${href}/restore`} csrf={csrf} label="Restore" id={RESTORE}>
        {choices.map((choice) => (
          <input key={choice} type="hidden" name="offered" value={choice} />
        ))}
        <CheckGroup
          name="units"
          label={LABELS.units}
          values={typed.all(
            'units',
            options.map(({ value }) => value),
          )}
          options={options}
          error={typed.of('units')}
          help={`Rows that others keep go with their keeper.${rows.length > 0 ? '' : ' Tick rows in the lists above to restore only those of a list.'}`}
        />
        {rows.length > 0 && (
          <CheckGroup
            name="rows"
            label={LABELS.rows}
            values={rows}
            options={rows.map((value) => ({ value, label: chosenRow(value).says }))}
            error={undefined}
          />
        )}
        <RadioField
          name="mode"
          label={LABELS.mode}
          value={typed.text('mode', 'replace')}
          error={typed.of('mode')}
          options={[
            { value: 'replace', label: 'Replace: what is chosen becomes what the archive has' },
            { value: 'merge', label: 'Merge: rows are added and changed, none is removed' },
            { value: 'add-only', label: 'Add only: nothing that is here is touched' },
          ]}
        />
        <Key archive={archive} typed={typed} />
        <TextField
          name="confirm"
          label={LABELS.confirm}
          mono
          value={typed.text('confirm', '')}
          error={typed.of('confirm')}
          help="Type restore. A dry run needs neither it nor your password."
        />
        <OwnPasswordField error={typed.of('own_password')} optional />
        <FormActions note="A copy of the database is kept before. While it runs, other changes wait.">
          <Button kind="bad">Restore</Button>
          <Button name="dry_run" value="true">
            Dry run
          </Button>
          <ButtonLink href={`${href}/restore`}>Start again</ButtonLink>
        </FormActions>
      </Form>
    </section>
  );
}
