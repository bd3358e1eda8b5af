// Choosing a login of a vault: a vault, then one of its keys, one choice for each web address. The password stays where it
// is: what the page shows is where and as whom it will be used.

import type { VaultCredential } from '../../shared/platform/vaults/credentials.ts';
import { tlsNote } from '../../shared/platform/vaults/uris.ts';
import type { Offered, StoredCredential } from '../../shared/vcf/remote/wizard-credential.ts';
import { Button } from '../components/button.tsx';
import { FieldGroup, SelectField, TextField } from '../components/form.tsx';
import { State } from '../components/state-word.tsx';

export const NOTHING_USABLE = 'No HTTP/HTTPS credentials available';

export interface PickerProps {
  offered: Offered;
  stored: StoredCredential | null;
  vault_id: string;
  search: string;
  /** Whether the task's address field is labelled URL: then it shows the whole of it. */
  shows?: 'server' | 'url';
}

/** Fields `vault_id` and `choice_id`; an empty vault is a login that is typed. */
export function CredentialPicker({ offered, stored, vault_id, search, shows = 'server' }: PickerProps) {
  const { vaults, choices, more, unusable } = offered;
  const named = choices === null ? '' : vault_id;
  return (
    <>
      <SelectField
        name="vault_id"
        label="Vault"
        value={named}
        help="A password from a vault is never sent to this page. The appliance opens it when it logs in."
        options={[
          { value: '', label: 'None: type user name and password' },
          ...vaults.map(({ id, name, entry_count }) => ({
            value: id,
            label: entry_count === 0 ? `${name} (empty)` : name,
          })),
        ]}
      />
      {unusable !== null && (
        <div class="field">
          <span class="label">{unusable}</span>
          <p role="status">
            <State kind="warn">{NOTHING_USABLE}</State>
          </p>
        </div>
      )}
      {choices !== null && (
        <>
          {(more || search !== '') && <Search search={search} more={more} />}
          <Keys choices={choices} chosen={stored?.choice_id ?? ''} />
          <Filled credential={stored?.credential ?? null} shows={shows} />
        </>
      )}
    </>
  );
}

function Search({ search, more }: { search: string; more: boolean }) {
  return (
    <>
      <TextField
        name="search"
        label="Search"
        type="search"
        value={search}
        maxlength={255}
        {...(more && { help: 'There are more keys than are listed below.' })}
      />
      <div class="field">
        <span class="label" />
        <Button name="step" value="credential">
          Search keys
        </Button>
      </div>
    </>
  );
}

/** A plain list; islands/search-select.ts makes it one that is searched by typing. */
function Keys({ choices, chosen }: { choices: readonly VaultCredential[]; chosen: string }) {
  return (
    <div class="field">
      <label for="choice_id" id="choice_id-label">
        Key
      </label>
      <select id="choice_id" name="choice_id" data-search="keys" data-fills="picked">
        <option value="">Choose a key</option>
        {choices.map(({ choice_id, key, username, uri, server, url }) => (
          <option
            key={choice_id}
            value={choice_id}
            selected={choice_id === chosen}
            data-server={server}
            data-url={url}
            data-username={username}
          >
            {[key, username, uri, tlsNote(uri)].filter(Boolean).join(' · ')}
          </option>
        ))}
      </select>
    </div>
  );
}

/** What the choice fills in, and what can't be typed now. None of it is sent. */
function Filled({ credential, shows }: { credential: VaultCredential | null; shows: 'server' | 'url' }) {
  const address = shows === 'url' ? (credential?.url ?? '') : (credential?.server ?? '');
  return (
    <FieldGroup legend="Filled from the key">
      <div class="field">
        <label for={`picked-${shows}`}>{shows === 'url' ? 'URL' : 'Server'}</label>
        <input id={`picked-${shows}`} class="mono wide" value={address} readonly />
      </div>
      <div class="field">
        <label for="picked-username">User name</label>
        <input id="picked-username" class="mono" value={credential?.username ?? ''} readonly />
      </div>
      <div class="field">
        <label for="picked-password">Password</label>
        <input id="picked-password" class="mono" type="password" placeholder="from the vault" disabled />
      </div>
    </FieldGroup>
  );
}
