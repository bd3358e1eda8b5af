// Vault values only go to machines that an administrator chose. While a Kickstart has some, changes that decide which
// machine gets its text, or what else runs there, need `read:vaults`.

import { type FieldError, Problem } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Actor } from '../../kernel/access/actor.ts';

/** The members of a host that bind a text to a machine. */
export interface Bound {
  kickstart_id: string | null;
  /** The only thing that identifies a machine. */
  mac_address: string;
  /** The installer that reads the text. */
  media_id: string | null;
  /** A script of the text may contain a variable, and would run it. */
  variables_digest: string;
  enabled: boolean;
}

const FOR_ADMINISTRATORS = 'needs read:vaults. Ask an administrator.';
const BOUND: readonly (readonly [member: keyof Bound, pointer: string, what: string])[] = [
  ['kickstart_id', '/kickstart_id', 'giving it to a host'],
  ['mac_address', '/mac_address', 'changing the MAC address'],
  ['media_id', '/media_id', 'choosing another medium'],
  ['variables_digest', '/variables', 'changing a variable'],
  ['enabled', '/enabled', 'enabling the host'],
];

/**
 * Changes of a host that need `read:vaults`; empty when its Kickstart has no vault values. Everybody may remove the
 * Kickstart or the medium and disable the host. Names and addresses are free too: they are checked, and add neither
 * another machine nor a script. Pure.
 */
export function hostReach(next: Bound, before: Bound | null, takes_values: boolean): FieldError[] {
  if (!takes_values) return [];
  const away = (member: keyof Bound) => next[member] === null || next[member] === false;
  const changed = BOUND.filter(([member]) => next[member] !== before?.[member] && !away(member));
  const told = before === null ? BOUND.slice(0, 1) : changed;
  return told.map(([, pointer, what]) => ({
    pointer,
    detail: `The Kickstart takes values of vaults: ${what} ${FOR_ADMINISTRATORS}`,
  }));
}

interface Reaching {
  listen_interfaces: readonly string[];
  uefi_http_url: string;
}

/**
 * The same for the settings: another interface, whose machines could ask for texts, and another boot program. Pure.
 */
export function settingsReach(next: Reaching, before: Reaching, values_taken: boolean): FieldError[] {
  if (!values_taken) return [];
  const because = 'A host has a Kickstart that takes values of vaults:';
  const added = next.listen_interfaces.flatMap((name, at) =>
    before.listen_interfaces.includes(name)
      ? []
      : [
          {
            pointer: `/listen_interfaces/${at}`,
            detail: `${because} listening on another interface ${FOR_ADMINISTRATORS}`,
          },
        ],
  );
  // Empty and `none` name no foreign program.
  const another = next.uefi_http_url.includes('://') && next.uefi_http_url !== before.uefi_http_url;
  if (!another) return added;
  return [
    ...added,
    { pointer: '/uefi_http_url', detail: `${because} setting another boot program ${FOR_ADMINISTRATORS}` },
  ];
}

/** True for the system itself and for actors who may read vaults. */
export const reachesVaults = (actor: Pick<Actor, 'kind' | 'scopes'> | undefined): boolean =>
  actor?.kind === 'system' || actor?.scopes.has('read:vaults') === true;

const TAKES = "SELECT 1 AS takes FROM network_boot_kickstart WHERE id = ? AND vault_values <> '[]'";
const TAKEN = `SELECT 1 AS taken FROM network_boot_host h JOIN network_boot_kickstart k ON k.id = h.kickstart_id
  WHERE k.vault_values <> '[]' LIMIT 1`;

/** @throws Problem 403 at the members */
export async function refuseHostBeyondReach(
  db: Database,
  next: Bound,
  before: Bound | null,
  actor: Actor | undefined,
): Promise<void> {
  if (next.kickstart_id === null || reachesVaults(actor)) return;
  const takes_values = (await db.one(TAKES, [next.kickstart_id])) !== undefined;
  refuse(hostReach(next, before, takes_values));
}

/** @throws Problem 403 at the members */
export async function refuseSettingsBeyondReach(
  db: Database,
  next: Reaching,
  before: Reaching,
  actor: Actor | undefined,
): Promise<void> {
  if (reachesVaults(actor)) return;
  refuse(settingsReach(next, before, (await db.one(TAKEN)) !== undefined));
}

function refuse(errors: FieldError[]): void {
  if (errors.length === 0) return;
  throw new Problem('insufficient_scope', errors[0]!.detail, { scope: 'read:vaults', errors });
}
