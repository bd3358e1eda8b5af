// The fields of an entry. The value is written only: it comes back in no form, whatever became of it.

import type { FieldError } from '../../shared/ground/problems.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import type { VaultEntry } from '../../shared/platform/vaults/entry-store.ts';
import { NO_NEW_VALUE, typedUris, VALUE_LOST } from '../../shared/platform/vaults/form-fields.ts';
import { VALUE_LENGTH_MOST } from '../../shared/platform/vaults/schemas.ts';
import { CheckField, FieldGroup, HiddenField, TextArea, TextField } from '../components/form.tsx';
import { type SavedField, type Typed, typedInto, withLost } from '../layout/form-state.tsx';

export const ENTRY_LABELS = {
  key: 'Key',
  username: 'User name',
  description: 'Description',
  uris: 'URIs',
  value: 'Value',
  remove_value: 'Value',
};

type Saved = Pick<VaultEntry, 'key' | 'username' | 'description' | 'uris' | 'has_value'>;

/**
 * What was typed, without what somebody put into a URI before its host: that is a secret as well. A fault of one of the
 * URIs begins with it.
 */
export function typedEntry(form: string, outcome: FormOutcome | null): Typed {
  if (outcome?.operation_id !== form) return typedInto(form, null);
  const values = new URLSearchParams(outcome.values);
  const uris = typedUris(values.get('uris') ?? '').map((uri) => uri.replace(/^([a-z]+:\/\/)[^/]*@/i, '$1'));
  if (values.has('uris')) values.set('uris', uris.join('\n'));
  const { problem } = outcome;
  const errors = (problem?.errors as FieldError[] | undefined)?.map(({ pointer, detail }) => {
    const uri = uris[Number(/^\/uris\/(\d+)$/.exec(pointer)?.[1] ?? -1)];
    return uri === undefined ? { pointer, detail } : { pointer: '/uris', detail: `${uri}: ${detail}` };
  });
  const typed = typedInto(form, { ...outcome, values, problem: problem && { ...problem, ...(errors && { errors }) } });
  return withLost(typed, isLost(typed) ? ['value'] : []);
}

/** What is saved, to be compared with what was typed: never the value. */
export const savedEntry = ({ key, username, description, uris, value_changed_at }: VaultEntry): SavedField[] => [
  [ENTRY_LABELS.key, 'key', key],
  [ENTRY_LABELS.username, 'username', username],
  [ENTRY_LABELS.description, 'description', description],
  [ENTRY_LABELS.uris, 'uris', uris.join('\n')],
  [ENTRY_LABELS.value, 'value', { mark: value_changed_at ?? '' }],
];

export function EntryFields({ vault, saved, typed }: { vault: string; saved: Saved; typed: Typed }) {
  return (
    <>
      <FieldGroup legend="Credential">
        <TextField
          name="key"
          label={ENTRY_LABELS.key}
          value={typed.text('key', saved.key)}
          help={
            <>
              Lower-case letters, digits and underscores, with dots between parts.
              {saved.key === '' && (
                <>
                  {' '}
                  A Kickstart names it <code class="nowrap">{`{{ vault.${vault}.esx01.root }}`}</code>.
                </>
              )}
            </>
          }
          placeholder="esx01.root"
          maxlength={180}
          mono
          wide
          required
          error={typed.of('key')}
        />
        <TextField
          name="username"
          label={ENTRY_LABELS.username}
          value={typed.text('username', saved.username)}
          placeholder="none"
          maxlength={255}
          mono
          wide
          error={typed.of('username')}
        />
        <ValueFields has_value={saved.has_value} typed={typed} />
      </FieldGroup>
      <FieldGroup legend="Where it is used">
        <TextArea
          name="uris"
          label={ENTRY_LABELS.uris}
          value={typed.text('uris', saved.uris.join('\n'))}
          rows={3}
          mono
          placeholder="https://vcenter.lab.example"
          help="http, https, ssh or sftp, one a line, 9 at most. A login at a remote machine offers each web address as a choice."
          error={typed.of('uris')}
        />
        <TextField
          name="description"
          label={ENTRY_LABELS.description}
          value={typed.text('description', saved.description)}
          help="Do not enter a secret: this text is shown."
          maxlength={500}
          error={typed.of('description')}
        />
      </FieldGroup>
    </>
  );
}

/** A value was typed before and is not in the form any more. */
function isLost({ outcome }: Typed): boolean {
  return Boolean(outcome?.problem && (outcome.lost?.includes('value') || outcome.values.has(VALUE_LOST)));
}

function ValueFields({ has_value, typed }: { has_value: boolean; typed: Typed }) {
  const lost = isLost(typed);
  return (
    <>
      {lost && <HiddenField name={VALUE_LOST} value="true" />}
      <TextField
        name="value"
        label={has_value ? 'New value' : ENTRY_LABELS.value}
        type="password"
        value=""
        autocomplete="new-password"
        placeholder={has_value ? 'the stored value stays' : 'none'}
        maxlength={VALUE_LENGTH_MOST}
        mono
        wide
        help={
          <>
            Written only: no form shows it again.
            <span class="value-tools">
              <button type="button" class="btn btn-row" data-peek="value" aria-pressed="false" hidden>
                Show what is typed
              </button>
              <button type="button" class="btn btn-row" data-generate="value" hidden>
                Generate one
              </button>
            </span>
          </>
        }
        error={typed.of('value')}
      />
      {lost && (
        <CheckField
          name={NO_NEW_VALUE}
          label={has_value ? 'Keep the stored value instead' : 'Add the entry without a value'}
          checked={typed.checked(NO_NEW_VALUE, false)}
        />
      )}
      {has_value && (
        <CheckField
          name="remove_value"
          label="Remove the stored value"
          checked={typed.checked('remove_value', false)}
          error={typed.of('remove_value')}
        />
      )}
    </>
  );
}
