// Addresses and words that the pages of the vaults share: where an entry came from, whether it has a value, who used it.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { EntrySource } from '../../shared/platform/vaults/schemas.ts';
import { isWebUri } from '../../shared/platform/vaults/uris.ts';
import type { VaultPurpose } from '../../shared/platform/vaults/use.ts';
import { State } from '../components/state-word.tsx';
import { Instant } from '../components/time.tsx';

export const VAULTS = { href: pagePath('vaults'), label: 'Vaults' };
export const KEY_PAGE = `${VAULTS.href}/key`;
export const vaultHref = (vault_id: string): string => `${VAULTS.href}/${encodeURIComponent(vault_id)}`;
export const entryHref = ({ vault_id, id }: { vault_id: string; id: string }): string =>
  `${vaultHref(vault_id)}/entries/${encodeURIComponent(id)}`;

export const SOURCE_WORDS: Record<EntrySource, string> = {
  manual: 'Typed',
  'sddc-manager': 'SDDC Manager',
  'vcf-installer': 'VCF Installer',
};

export const PURPOSE_WORDS: Record<VaultPurpose, string> = {
  reveal: 'Shown to a person',
  kickstart: 'Written into a Kickstart',
  'remote-login': 'Login at a remote machine',
  'password-import': 'Import of passwords',
  'certificate-trust': 'Certificate trust',
  'depot-configuration': 'Depot configuration',
  'key-provider-registration': 'Registration at a vCenter',
  'automation-ldap': 'LDAP of VCF Automation',
  'appliance-deployment': 'Appliance deployment',
  'web-terminal': 'Terminal to the machine',
  'datastore-mount': 'Mounting of datastores',
};

/** `1 entry`, `12 entries`. */
export const entriesOf = (count: number): string => (count === 1 ? '1 entry' : `${count} entries`);

/** What a key seals: `12 entries`, `12 entries and 2 private keys`, `1 private key`. */
export function sealedOf({ entries, private_keys }: { entries: number; private_keys: number }): string {
  const keys = private_keys === 1 ? '1 private key' : `${private_keys} private keys`;
  if (private_keys === 0) return entriesOf(entries);
  return entries === 0 ? keys : `${entriesOf(entries)} and ${keys}`;
}

export function Source({ entry }: { entry: { source: EntrySource; source_endpoint: string } }) {
  return (
    <>
      {SOURCE_WORDS[entry.source]}
      {entry.source_endpoint !== '' && <code class="line">{entry.source_endpoint}</code>}
    </>
  );
}

/** One a line; a web address leads there, in a window of its own. */
export function Uris({ uris }: { uris: readonly string[] }) {
  if (uris.length === 0) return <span class="muted">none</span>;
  return (
    <>
      {uris.map((uri) =>
        isWebUri(uri) ? (
          <a key={uri} class="line" href={uri} target="_blank" rel="noopener noreferrer">
            <code>{uri}</code>
          </a>
        ) : (
          <code key={uri} class="line">
            {uri}
          </code>
        ),
      )}
    </>
  );
}

/** Never the value: whether there is one, and since when. */
export function Stored({ changed_at, now }: { changed_at: string | null; now: string }) {
  if (changed_at === null) return <State kind="warn">No value</State>;
  return (
    <>
      <State kind="ok">Stored</State>{' '}
      <span class="muted nowrap">
        <Instant at={changed_at} now={now} />
      </span>
    </>
  );
}

export function LastUsed({ at, now }: { at: string | null; now: string }) {
  return at === null ? <span class="muted">never</span> : <Instant at={at} now={now} />;
}
