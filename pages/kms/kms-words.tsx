// What the pages of key management share: where they are, the words of states, and what somebody has to look after.
import { destroyedFaults, expiringFaults, type KeyWarnings } from '../../shared/appliance/overview/key-protection.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { KeyWord } from '../../shared/services/kms/keys/administration.ts';
import type { Client } from '../../shared/services/kms/trust/clients.ts';
import { Block } from '../components/block.tsx';
import { PageButton } from '../components/page-link.tsx';
import { State } from '../components/state-word.tsx';

export const KMS = { href: pagePath('kms'), label: 'Key management' };
export const PROVIDER_LABELS = { name: 'Name', description: 'Description', activates_on_create: 'State of new keys' };

const CLIENT_WORDS: Record<Client['state'], { kind: 'ok' | 'bad' | 'warn'; word: string }> = {
  valid: { kind: 'ok', word: 'Trusted' },
  expired: { kind: 'bad', word: 'Expired' },
  not_yet_valid: { kind: 'warn', word: 'Not valid yet' },
  revoked: { kind: 'bad', word: 'Revoked' },
};
export function ClientState({ of }: { of: Pick<Client, 'state'> }) {
  const { kind, word } = CLIENT_WORDS[of.state];
  return <State kind={kind}>{word}</State>;
}

const KEY_WORDS: Record<KeyWord, { kind: 'ok' | 'bad' | 'warn' | 'off'; word: string }> = {
  'pre-active': { kind: 'off', word: 'Pre-active' },
  active: { kind: 'ok', word: 'Active' },
  deactivated: { kind: 'off', word: 'Deactivated' },
  compromised: { kind: 'warn', word: 'Compromised' },
  destroyed: { kind: 'warn', word: 'Destroyed, still kept' },
  erased: { kind: 'off', word: 'Erased' },
};
export const keyWord = (of: KeyWord): string => KEY_WORDS[of].word;
export function KeyState({ of }: { of: KeyWord }) {
  const { kind, word } = KEY_WORDS[of];
  return <State kind={kind}>{word}</State>;
}

/** Sentences that are told; the pages of keys and providers have all. */
const MOST = 5;

function Told({ title, faults, href, label }: { title: string; faults: string[]; href: string; label: string }) {
  if (faults.length === 0) return null;
  const more = faults.length - MOST;
  return (
    <Block title={title} level={2} actions={<PageButton href={href}>{label}</PageButton>}>
      {faults.slice(0, MOST).join(' ')}
      {more > 0 && ` And ${more} more.`}
    </Block>
  );
}

/** What somebody has to look after before a machine does not start any more. */
export function KeyNotes({ of: { destroyed, expiring }, now }: { of: KeyWarnings; now: string }) {
  return (
    <>
      <Told
        title="Keys were destroyed"
        faults={destroyedFaults(destroyed)}
        href={pagePath('kms-keys')}
        label="Keys, to bring them back"
      />
      <Told
        title="Client certificates that ended or end soon"
        faults={expiringFaults(expiring, now)}
        href={KMS.href}
        label="Providers and their clients"
      />
    </>
  );
}
