// From a host to the one address that is dialled, by the same rules as every other connection to a remote machine.
import type { Services } from '../../../../kernel/operation/services.ts';
import { loadTargetPolicy } from '../../../../vcf/connection/policy-store.ts';
import type { Target as Server } from '../../../../vcf/connection/target.ts';
import { type ResolvedAddress, resolveTarget } from '../../../../vcf/connection/target-policy.ts';

export type DialShell = Pick<Services, 'store' | 'host' | 'settings'>;

/** Milliseconds for a connection, and without any byte on one. */
export const CONNECT_MS = 20_000;
export const SILENT_MS = 60_000;

/** @throws Problem 409 `target_refused`, `remote_name_unknown`, `remote_timeout` */
export const dialled = async (shell: DialShell, server: Server): Promise<ResolvedAddress> =>
  resolveTarget(server, await loadTargetPolicy(shell.store, shell));
