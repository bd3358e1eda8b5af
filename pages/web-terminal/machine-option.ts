// Another machine, as it is chosen in a list.
import type { SshCredential } from '../../shared/platform/vaults/credentials.ts';

export const machineOption = ({ choice, vault, key, username, uri }: SshCredential) => ({
  value: choice,
  label: `${username} at ${uri.slice('ssh://'.length)} (${key})`,
  group: vault,
});
