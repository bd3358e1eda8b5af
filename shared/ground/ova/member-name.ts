// Names of members: relative, plain, UTF-8, each once. Nothing is ever written by these names; they are looked up,
// shown, and told to the hypervisor, where another reader may take them for paths.
import { OvaFault } from './fault.ts';
import { OVA_LIMITS } from './limits.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Without a leading `./`; '' for the folder `.` itself. @throws OvaFault name_… */
export function memberName(raw: Buffer): string {
  if (raw.length === 0) throw new OvaFault('name_empty');
  const latin = raw.toString('latin1', 0, 200);
  if (raw.includes(0)) throw new OvaFault('name_nul', latin);
  if (raw.length > 4 * OVA_LIMITS.name) throw new OvaFault('name_too_long', latin);
  const name = decoded(raw, latin);
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) throw new OvaFault('name_control', name);
  if (name.includes('\\')) throw new OvaFault('name_backslash', name);
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) throw new OvaFault('name_absolute', name);
  if (name.length > OVA_LIMITS.name) throw new OvaFault('name_too_long', name);
  const plain = plainName(name);
  const parts = plain.replace(/\/$/, '').split('/');
  if (plain !== '' && parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new OvaFault('name_traversal', name);
  }
  return plain;
}

/** Descriptor and manifest may write `./disk.vmdk` as tar does. */
export const plainName = (name: string): string => (name === '.' ? '' : name.replace(/^(?:\.\/)+/, ''));

/** The same for names that a file system without letter case, or with another normal form, takes for one. */
export const twinKey = (name: string): string => name.normalize('NFC').toLowerCase().replace(/\/$/, '');

function decoded(raw: Buffer, latin: string): string {
  try {
    return UTF8.decode(raw);
  } catch {
    throw new OvaFault('name_encoding', latin);
  }
}
