// What was found, to be chosen: everything but the values. What can't be imported says why.
import { keyField, SELECT_MOST } from '../../shared/vcf/remote/import/selection.ts';
import type { CredentialCandidate } from '../../shared/vcf/vcf-api/credential.ts';
import { Button } from '../components/button.tsx';
import { More } from '../components/code.tsx';
import { Empty } from '../components/empty.tsx';
import { Facts } from '../components/facts.tsx';
import { CheckField, FormActions, HiddenField, SelectField, TextField } from '../components/form.tsx';
import { Icon } from '../components/icons.tsx';
import { Scroll } from '../components/scroll.tsx';
import { DataTable } from '../components/table.tsx';
import type { Typed } from '../layout/form-state.tsx';
import { ReadStored } from './common-steps.tsx';
import { Back, PlaceFields, StepForm, type StepProps } from './wizard.tsx';

interface SelectProps extends StepProps {
  vaults: readonly { id: string; name: string }[];
}

export function Select(props: SelectProps) {
  const { view } = props;
  const { draft, stored } = view;
  if (!draft?.found) return <ReadStored {...props} what="which passwords there are" />;
  const { candidates, deployment, unreadable } = draft.found;
  const usable = candidates.filter(({ skip }) => skip === null);
  const skipped = candidates.filter(({ skip }) => skip !== null);
  const words = view.search.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = usable.filter((one) => words.every((word) => textOf(one).includes(word)));
  const shown = wanted.slice(0, SELECT_MOST);
  return (
    <>
      <Facts
        facts={[
          { label: 'Server', value: <code>{draft.server}</code> },
          { label: 'Appliance', value: `${draft.appliance?.title ?? ''} ${draft.appliance?.version ?? ''}` },
          ...(deployment ? [{ label: 'Deployment', value: deployment.status }] : []),
          { label: 'Can be imported', value: usable.length },
          { label: 'Skipped', value: skipped.length + unreadable },
        ]}
      />
      {usable.length > SELECT_MOST || words.length > 0 ? (
        <Filter view={view} shown={shown.length} of={usable.length} />
      ) : null}
      {shown.length === 0 ? (
        <Empty>
          {words.length > 0 ? 'None of them has these words.' : 'There is no password that can be imported.'}
        </Empty>
      ) : (
        <StepForm {...props} to="select" label="Passwords">
          {view.search !== '' && <HiddenField name="search" value={view.search} />}
          <Candidates {...props} candidates={shown} />
          <Destination {...props} />
          <FormActions note="Nothing is read or stored yet. The values are read after the review.">
            <Button kind="primary">Review</Button>
            {!stored && <Back view={view} to="login" />}
          </FormActions>
        </StepForm>
      )}
      <Skipped candidates={skipped} unreadable={unreadable} />
    </>
  );
}

const textOf = ({ key, username, resource_name, resource_type, credential_type }: CredentialCandidate): string =>
  [key, username, resource_name, resource_type, credential_type].join(' ').toLowerCase();

function Filter({ view, shown, of }: { view: SelectProps['view']; shown: number; of: number }) {
  return (
    <form class="form" method="get" action={view.task.path} aria-label="Filter">
      <PlaceFields place={view.place} />
      <TextField
        name="search"
        label="Only those with"
        type="search"
        value={view.search}
        help={`Shows ${shown} of ${of}; at most ${SELECT_MOST} are imported at once.`}
      />
      <div class="field">
        <span class="label" />
        <Button>Show</Button>
      </div>
    </form>
  );
}

function Candidates({ view, typed, candidates }: SelectProps & { candidates: readonly CredentialCandidate[] }) {
  const before = view.draft?.chosen;
  const saved = before ? before.picks.map(({ ref }) => ref) : candidates.map(({ ref }) => ref);
  const chosen = new Set(typed.all('picks', saved));
  const keyOf = new Map(before?.picks.map(({ ref, key }) => [ref, key]));
  const error = typed.of('picks');
  return (
    <>
      <p class="check-all" hidden data-check-all>
        <Button type="button" name="check" value="all">
          Choose all
        </Button>
        <Button type="button" name="check" value="none">
          Choose none
        </Button>
      </p>
      {error !== undefined && <Fault id="picks-error">{error}</Fault>}
      <Scroll class="scroll" label="Passwords that can be imported">
        <table class="dense candidates" id="picks" tabIndex={-1}>
          <caption class="vh">Passwords that can be imported</caption>
          <thead>
            <tr>
              <th scope="col">Machine</th>
              <th scope="col">User</th>
              <th scope="col">Key in the vault</th>
            </tr>
          </thead>
          <tbody>
            {candidates.map((candidate) => (
              <Row
                key={candidate.ref}
                candidate={candidate}
                checked={chosen.has(candidate.ref)}
                value={typed.text(keyField(candidate.ref), keyOf.get(candidate.ref) ?? candidate.key)}
                typed={typed}
              />
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

function Fault({ id, children }: { id: string; children: string }) {
  return (
    <p class="err" id={id}>
      <Icon name="stop" />
      <span>{children}</span>
    </p>
  );
}

interface RowProps {
  candidate: CredentialCandidate;
  checked: boolean;
  value: string;
  typed: Typed;
}

function Row({ candidate, checked, value, typed }: RowProps) {
  const { ref, username, resource_name, resource_type, credential_type, auto_rotated, uris } = candidate;
  const field = keyField(ref);
  const error = typed.of(field);
  return (
    <tr>
      <th scope="row">
        <label class="pick">
          <input type="checkbox" name="picks" value={ref} checked={checked} id={`pick-${ref}`} />
          <span>
            <span class="mono">{resource_name}</span>
            <span class="muted line">
              {resource_type} {credential_type}
              {auto_rotated && ', changed by the appliance from time to time'}
            </span>
          </span>
        </label>
      </th>
      <td class="mono">{username}</td>
      <td>
        <input
          class="mono"
          id={field}
          name={field}
          value={value}
          title={value}
          size={Math.max(24, value.length + 2)}
          maxlength={180}
          autocomplete="off"
          spellcheck={false}
          autocapitalize="none"
          aria-label={`Key of ${username} at ${resource_name}`}
          aria-invalid={error === undefined ? undefined : 'true'}
          aria-describedby={error === undefined ? undefined : `${field}-error`}
        />
        {error !== undefined && <Fault id={`${field}-error`}>{error}</Fault>}
        {uris.length > 0 && <span class="muted line mono">{uris.join(' ')}</span>}
      </td>
    </tr>
  );
}

function Destination({ view, typed, vaults }: SelectProps) {
  const before = view.draft?.chosen;
  const into = typed.text('into', before ? (before.vault_id ?? '') : (vaults[0]?.id ?? ''));
  const made = before && before.vault_id === null ? before.vault : '';
  return (
    <fieldset>
      <legend>Into</legend>
      <SelectField
        name="into"
        label="Vault"
        value={into}
        error={typed.of('into')}
        options={[...vaults.map(({ id, name }) => ({ value: id, label: name })), { value: '', label: 'A new vault' }]}
      />
      <TextField
        name="new_vault"
        label="New vault"
        mono
        value={typed.text('new_vault', made)}
        error={typed.of('new_vault')}
        maxlength={63}
        placeholder="site-a"
        help="Only for a new vault: its name, in lower-case letters, digits and hyphens."
      />
      <CheckField
        name="take_over"
        label="Take over keys that an import from another server stored"
        checked={typed.checked('take_over', before?.take_over ?? false)}
        help="Else such a key is refused. After a move of the appliance, or when it was named by its address before."
      />
    </fieldset>
  );
}

const SKIPPED_MOST = 200;

function Skipped({ candidates, unreadable }: { candidates: readonly CredentialCandidate[]; unreadable: number }) {
  if (candidates.length + unreadable === 0) return null;
  return (
    <More summary={`${candidates.length + unreadable} skipped`}>
      {candidates.length > SKIPPED_MOST && <p>{`The first ${SKIPPED_MOST} of them:`}</p>}
      {unreadable > 0 && <p>{`${unreadable} rows lack what makes a credential.`}</p>}
      <DataTable
        caption="Skipped"
        dense
        columns={[
          { key: 'machine', label: 'Machine', look: 'code', cell: ({ resource_name }) => resource_name },
          { key: 'user', label: 'User', look: 'code', cell: ({ username }) => username || 'unknown' },
          {
            key: 'kind',
            label: 'Kind',
            cell: ({ resource_type, credential_type }) => `${resource_type} ${credential_type}`,
          },
          { key: 'why', label: 'Why', cell: ({ skip }) => skip?.detail },
        ]}
        rows={candidates.slice(0, SKIPPED_MOST)}
        rowKey={({ ref }) => ref}
        empty=""
      />
    </More>
  );
}
