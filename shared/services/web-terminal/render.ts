// From desired state to the configuration of `sshd -i` and the applied manifest. sshd_config(5).
import type { RenderedFile } from '../../ground/machine/host.ts';
import { listenersOf, type TerminalDesired } from './desired.ts';
import { CONF_FILE, GROUP, HOST_KEY, MANIFEST_PATH } from './files.ts';
import { writeManifest } from './manifest.ts';

const HEADER = '# Written by Groundcrew from its desired state; edits are lost with the next apply.\n';

/** It answers at a UNIX socket alone, asks PAM and nothing else, and gives a shell and nothing else. */
const CONF = [
  'HostKeyAlgorithms ssh-ed25519',
  'UsePAM yes',
  'AuthenticationMethods keyboard-interactive',
  'KbdInteractiveAuthentication yes',
  'PasswordAuthentication no',
  'PubkeyAuthentication no',
  'HostbasedAuthentication no',
  'GSSAPIAuthentication no',
  'PermitEmptyPasswords no',
  'PermitRootLogin no',
  `AllowGroups ${GROUP}`,
  'MaxAuthTries 3',
  'LoginGraceTime 60',
  'MaxSessions 1',
  'DisableForwarding yes',
  'PermitTunnel no',
  'PermitUserRC no',
  'PermitUserEnvironment no',
  'UseDNS no',
  'PidFile none',
  'LogLevel INFO',
  // A service that is killed leaves no shell.
  'ClientAliveInterval 15',
  'ClientAliveCountMax 2',
];

/** The manifest, which lets people in, comes last; none while it is off. */
export function render(desired: TerminalDesired, resolve: (path: string) => string): RenderedFile[] {
  const { enabled, idle_minutes, session_minutes, sessions, sessions_per_user } = desired.settings;
  const { recording, recording_days: days, recording_megabytes: megabytes } = desired.settings;
  if (!enabled) return [];
  const conf = [`HostKey ${resolve(HOST_KEY)}`, ...CONF];
  const limits = {
    ...{ idle_minutes, session_minutes, sessions, sessions_per_user },
    ...(recording && { recording: { days, megabytes } }),
  };
  const manifest = writeManifest({ version: 1, listeners: listenersOf(desired), ...limits });
  return [
    { path: CONF_FILE, content: `${HEADER}${conf.join('\n')}\n`, mode: 0o644 },
    { path: MANIFEST_PATH, content: manifest, mode: 0o640 },
  ];
}
