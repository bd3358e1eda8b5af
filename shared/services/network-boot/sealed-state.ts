// The two secrets of the desired state, sealed and opened: the text of a Kickstart and the variables of a host. The
// applied manifest has the same sealed texts.
import type { RowPlace } from '../../ground/sealing/envelope.ts';
import type { Keys } from '../../ground/sealing/keys.ts';
import { openText, type SealShell, sealedDigest, sealText } from '../../ground/sealing/sealed-text.ts';
import { textRevision } from './revision.ts';

const textOf = (kickstart_id: string): RowPlace => ({
  table: 'network_boot_kickstart',
  row: kickstart_id,
  field: 'text',
});
const variablesOf = (host_id: string): RowPlace => ({ table: 'network_boot_host', row: host_id, field: 'variables' });

export const sealKickstart = (shell: SealShell, kickstart_id: string, text: string): string =>
  sealText(shell, textOf(kickstart_id), text);

/** @throws Error when the text can't be opened or is not that of this revision. */
export function openKickstart(keys: Keys, kickstart_id: string, revision: string, sealed: string): string {
  const text = openText(keys, textOf(kickstart_id), sealed);
  if (textRevision(text) !== revision) throw new Error('The text of a Kickstart is not that of its revision.');
  return text;
}

export type Variables = Readonly<Record<string, string>>;

/** Columns of a host's variables; empty texts for none. */
export function sealVariables(shell: SealShell, host_id: string, variables: Variables) {
  const variable_names = Object.keys(variables).sort();
  if (variable_names.length === 0) return { variable_names, variables_sealed: '', variables_digest: '' };
  const text = JSON.stringify(Object.fromEntries(variable_names.map((name) => [name, variables[name]])));
  const place = variablesOf(host_id);
  return {
    variable_names,
    variables_sealed: sealText(shell, place, text),
    variables_digest: sealedDigest(shell.keys, place, text),
  };
}

/** The result of `open`; null when the secret can't be opened, as with another keys file. */
export function openedOrNull<Opened>(open: () => Opened): Opened | null {
  try {
    return open();
  } catch {
    return null;
  }
}

/** Middle of a refusal: the cause. The caller adds what to do. */
export const CANNOT_BE_OPENED = 'can’t be opened: it is damaged, or the keys file of the appliance is another one.';

/** @throws Error when the variables can't be opened. */
export function openVariables(keys: Keys, host_id: string, sealed: string): Variables {
  return sealed === '' ? {} : (JSON.parse(openText(keys, variablesOf(host_id), sealed)) as Variables);
}
