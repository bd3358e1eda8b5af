// What the configuration of the terminal's sshd may contain: these lines, each with the only permitted value. Nothing in it
// depends on what a person saves.
import { type Is, oneOf } from '../../platform/host/grammar-words.ts';

export const isSshdLine: Is = oneOf(
  ...['HostKey /var/lib/groundcrew/terminal/host_key', 'HostKeyAlgorithms ssh-ed25519', 'UsePAM yes'],
  ...['AuthenticationMethods keyboard-interactive', 'KbdInteractiveAuthentication yes', 'PasswordAuthentication no'],
  ...['PubkeyAuthentication no', 'HostbasedAuthentication no', 'GSSAPIAuthentication no', 'PermitEmptyPasswords no'],
  ...['PermitRootLogin no', 'AllowGroups groundcrew-terminal', 'MaxAuthTries 3', 'LoginGraceTime 60', 'MaxSessions 1'],
  ...['DisableForwarding yes', 'PermitTunnel no', 'PermitUserRC no', 'PermitUserEnvironment no', 'UseDNS no'],
  ...['PidFile none', 'LogLevel INFO', 'ClientAliveInterval 15', 'ClientAliveCountMax 2'],
);
