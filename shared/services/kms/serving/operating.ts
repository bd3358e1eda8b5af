// What each operation of KMIP gets, and how one that changes a key does it: in one transaction with its audit row, on the disk
// before the answer leaves.
import { instant } from '../../../ground/clock.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import { appendAudit } from '../../../kernel/audit/audit.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { type Change, changeKey, type KeyRow, keyOf } from '../keys/key-rows.ts';
import { child, KmipFailure, type Version } from '../protocol/message.ts';
import { REASON, TAG } from '../protocol/tags.ts';
import { type Item, TYPE } from '../protocol/ttlv.ts';
import { auditContext, type Caller } from './caller.ts';

export type KmsShell = Pick<Services, 'store' | 'keyring' | 'keys' | 'clock' | 'entropy' | 'settings' | 'logger'> &
  Partial<Pick<Services, 'checkpoint'>>;

export interface Operating {
  services: KmsShell;
  caller: Caller;
  provider: NonNullable<Caller['provider']>;
  version: Version;
  payload: readonly Item[];
  /** The key that the item before this one in the batch was about (KMIP 1.4, section 4: ID Placeholder). */
  placeholder: string | null;
  /** RFC 3339 in UTC. */
  now: string;
}

export interface Done {
  payload: Item[];
  /** The key it was about. */
  key_id?: string;
  /** Names of attributes that were read or set: for the list of requests. */
  attributes?: readonly string[];
  /** Its material left the appliance. */
  got?: true;
}

export const idItem = (id: string): Item => ({ tag: TAG.id, type: TYPE.text, value: id });

/** The key that is asked for. @throws KmipFailure */
export function wantedId({ payload, placeholder }: Pick<Operating, 'payload' | 'placeholder'>): string {
  const found = child(payload, TAG.id);
  if (found && found.type !== TYPE.text) throw new KmipFailure(REASON.invalidMessage, 'A key is named by a text.');
  const id = found?.value ?? placeholder;
  if (typeof id === 'string') return id;
  throw new KmipFailure(REASON.missingData, 'No key is named.');
}

export const noSuchKey = (): KmipFailure => new KmipFailure(REASON.itemNotFound, 'There is no such key.');

/** @throws KmipFailure reason Item Not Found, for a key of another provider too */
export async function wantedKey(operating: Operating): Promise<KeyRow> {
  const { services, provider } = operating;
  const key = await keyOf(services.store, provider.id, wantedId(operating));
  if (!key) throw noSuchKey();
  return key;
}

export interface Changing {
  /** Word of the audit log: `kms.key.activate`. */
  action: string;
  detail?: Record<string, unknown>;
  /** Null: it is so already. @throws KmipFailure */
  change(key: KeyRow): Change | null;
}

/** Reads the key and changes it in one transaction. @throws KmipFailure */
export async function changing(operating: Operating, { action, detail, change }: Changing): Promise<KeyRow> {
  const { services, provider } = operating;
  const id = wantedId(operating);
  return services.store.write(async (tx) => {
    const key = await keyOf(tx, provider.id, id);
    if (!key) throw noSuchKey();
    const changed = change(key);
    if (!changed) return key;
    await changeKey(tx, key.id, { ...changed, changed_at: operating.now });
    await audit(tx, operating, action, key.id, detail);
    return key;
  });
}

/** Keys are data: an apply or a restore that owns all settings does not keep a virtual machine from its key. */
export async function audit(
  tx: Transaction,
  { services, caller, provider }: Pick<Operating, 'services' | 'caller' | 'provider'>,
  action: string,
  resource_id: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const event = { action, resource_type: 'kms_key', resource_id, detail: { provider: provider.name, ...detail } };
  await appendAudit(tx, services.keys, auditContext(services, caller), event, { holdsLock: true });
}

export const nowOf = ({ clock }: Pick<Services, 'clock'>): string => instant(clock.now());
