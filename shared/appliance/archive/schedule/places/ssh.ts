// One SSH connection to an address that was checked before, to a machine whose host key somebody confirmed. Nothing is sent
// to another one.
import { createHash } from 'node:crypto';
import ssh2, { type Client, type ConnectConfig } from 'ssh2';
import { Problem } from '../../../../ground/problems.ts';
import { connectionFault, tooLate } from '../../../../vcf/connection/faults.ts';
import { type Target as Server, serverText } from '../../../../vcf/connection/target.ts';
import type { SecretKind, SftpPlace } from '../target.ts';
import { CONNECT_MS, type DialShell, dialled } from './dial.ts';

/** Without signatures of SHA-1. */
const HOST_KEYS = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
] as const;

export interface HostKey {
  /** `SHA256:…`, as ssh-keygen prints it. */
  sha256: string;
  algorithm: string;
}

/** @throws Error for what is no key */
function hostKeyOf(blob: Buffer): HostKey {
  const algorithm = blob.toString('latin1', 4, 4 + blob.readUInt32BE(0));
  return {
    sha256: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`,
    algorithm: /^[\w@.-]{1,64}$/.test(algorithm) ? algorithm : 'unknown',
  };
}

const serverOf = ({ host, port }: SftpPlace): Server => ({ host, port });

/** The host key that the machine shows now; it is asked for nothing else. @throws Problem 409 */
export async function observeHostKey(shell: DialShell, place: SftpPlace, signal?: AbortSignal): Promise<HostKey> {
  let shown: HostKey | null = null;
  const look = (blob: Buffer): boolean => {
    shown = hostKeyOf(blob);
    return false;
  };
  try {
    await open(shell, place, { hostVerifier: look, username: place.username }, signal);
  } catch (error) {
    if (shown === null) throw error;
  }
  return shown!;
}

/** Logged in. End it. @throws Problem 409 */
export async function openSsh(
  shell: DialShell,
  place: SftpPlace,
  secret: { kind: SecretKind; value: string },
  signal: AbortSignal,
): Promise<Client> {
  const server = serverOf(place);
  const confirmed = place.host_key_sha256;
  if (confirmed === null)
    throw new Problem(
      'trust_missing',
      `The host key of ${serverText(server)} is not confirmed yet. Look at it and compare it first.`,
    );
  let shown: HostKey | null = null;
  const verify = (blob: Buffer): boolean => {
    shown = hostKeyOf(blob);
    return shown.sha256 === confirmed;
  };
  const login =
    secret.kind === 'password' ? { password: secret.value, tryKeyboard: true } : { privateKey: secret.value };
  try {
    return await open(shell, place, { hostVerifier: verify, username: place.username, ...login }, signal);
  } catch (error) {
    const { sha256 = confirmed } = (shown as HostKey | null) ?? {};
    throw sha256 === confirmed ? error : hostKeyChanged(place, sha256);
  }
}

export const hostKeyChanged = (place: SftpPlace, shown: string, confirmed = place.host_key_sha256): Problem =>
  new Problem(
    'host_key_changed',
    `${serverText(serverOf(place))} now shows a host key with ${shown}; the confirmed one has ${confirmed}. Nothing was sent to it. Find out why before you confirm the new one.`,
  );

async function open(
  shell: DialShell,
  place: SftpPlace,
  config: ConnectConfig,
  signal: AbortSignal | undefined,
): Promise<Client> {
  const server = serverOf(place);
  const { address } = await dialled(shell, server);
  signal?.throwIfAborted();
  const client = new ssh2.Client();
  const ready = Promise.withResolvers<Client>();
  const aborted = () => ready.reject(signal!.reason);
  signal?.addEventListener('abort', aborted, { once: true });
  client.on('ready', () => ready.resolve(client));
  client.on('error', (error) => ready.reject(faultOf(error, server)));
  // Servers that ask for the password by PAM, as ESXi's: one question whose answer is not shown, and no other.
  client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) => {
    const [only, ...others] = prompts;
    finish(only && others.length === 0 && only.echo !== true && config.password ? [config.password] : []);
  });
  client.on('close', () => ready.reject(connectionFault({}, server, 'answer')));
  try {
    client.connect({
      host: address,
      port: place.port,
      readyTimeout: CONNECT_MS,
      keepaliveInterval: 10_000,
      keepaliveCountMax: 3,
      algorithms: { serverHostKey: [...HOST_KEYS] },
      ...config,
    });
  } catch {
    // Before anything is sent: all that it can refuse is the key. Its words may quote it.
    ready.reject(
      new Problem(
        'remote_login_refused',
        `The private key of ${serverText(server)} can’t be read: it is damaged, of an unknown kind, or has a passphrase. Enter it again.`,
      ),
    );
  }
  try {
    return await ready.promise;
  } catch (error) {
    client.end();
    client.destroy();
    throw error;
  } finally {
    signal?.removeEventListener('abort', aborted);
  }
}

/** The library's own words are dropped. */
export function faultOf(error: Error & { level?: string; code?: string | number }, server: Server): Problem {
  const { level } = error;
  if (level === 'client-timeout') return tooLate(server, 'handshake', CONNECT_MS);
  if (level === 'client-authentication')
    return new Problem(
      'remote_login_refused',
      `${serverText(server)} does not accept the user name with this password or key.`,
    );
  if (level === 'protocol' || level === 'handshake')
    return new Problem(
      'remote_answer_unusable',
      `${serverText(server)} does not speak SSH as it is needed: its answer is no SSH, or it has no host key or cipher in common.`,
    );
  return connectionFault(typeof error.code === 'string' ? error : {}, server, 'answer');
}
